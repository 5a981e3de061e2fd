// @ts-check
import { NotFoundError, webhooks } from '@switchyard/node'
import Fastify from 'fastify'
import { filesForBrowsers } from './page.js'
import { createOrder, findOrder, hear, Refused, setting } from './shop.js'

const app = Fastify()

// A plugin of its own: the signature is of the body as it came, so nothing parses it there.
app.register(webhooks.fastify('/webhooks', setting('WEBHOOK_SECRET'), hear))

for (const [path, { type, text, policy }] of Object.entries(filesForBrowsers()))
  app.get(path, (_request, reply) => reply.header('content-security-policy', policy).type(type).send(text))

app.post('/orders', request => createOrder(request.body))
app.get('/orders/:id', request => findOrder(/** @type {{ id: string }} */ (request.params).id))

app.setErrorHandler((error, _request, reply) => {
  if (error instanceof Refused) return reply.code(400).send({ error: error.message })
  if (error instanceof NotFoundError) return reply.code(404).send({ error: 'There is no such order' })
  const { statusCode = 500, message } = /** @type {{ statusCode?: number, message: string }} */ (error)
  if (statusCode < 500 && 'code' in /** @type {object} */ (error) && String(/** @type {any} */ (error).code).startsWith('FST_'))
    return reply.code(statusCode).send({ error: message })
  console.error(error)
  return reply.code(500).send({ error: 'Something went wrong in the shop' })
})

const port = Number(process.env.PORT ?? 3000)
await app.listen({ port, host: process.env.HOST ?? 'localhost' })
console.log(`The shop is open at http://localhost:${port}`)

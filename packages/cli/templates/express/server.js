// @ts-check
import { NotFoundError, webhooks } from '@switchyard/node'
import express from 'express'
import { filesForBrowsers } from './page.js'
import { createOrder, findOrder, hear, Refused, setting } from './shop.js'

const app = express().disable('x-powered-by')

// Before any parser: the signature is of the body as it came.
app.post('/webhooks', webhooks.express(setting('WEBHOOK_SECRET'), hear))

for (const [path, { type, text, policy }] of Object.entries(filesForBrowsers()))
  app.get(path, (_request, response) => void response.set('content-security-policy', policy).type(type).send(text))

app.post('/orders', express.json(), async (request, response) => void response.json(await createOrder(request.body)))
app.get('/orders/:id', async (request, response) => void response.json(await findOrder(request.params.id)))

app.use((/** @type {any} */ error, /** @type {any} */ _request, /** @type {any} */ response, /** @type {any} */ next) => {
  if (response.headersSent) return next(error)
  if (error instanceof Refused) return response.status(400).json({ error: error.message })
  if (error instanceof NotFoundError) return response.status(404).json({ error: 'There is no such order' })
  if (error.type === 'entity.parse.failed') return response.status(400).json({ error: 'The body must be JSON' })
  console.error(error)
  response.status(500).json({ error: 'Something went wrong in the shop' })
})

const port = Number(process.env.PORT ?? 3000)
app.listen(port, error => {
  if (error) throw error
  console.log(`The shop is open at http://localhost:${port}`)
})

// Apple's answer to shops whose pages want to use Apple Pay: a merchant session, or an error that the shop is not
// registered. Shops call Apple without a key of the sandbox, so the answer depends on the domain.

import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Desk } from './desk.ts'
import { readBody } from './requests.ts'

const SESSION_MS = 5 * 60_000

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase()

/**
 * Registers Apple's endpoint for merchant sessions. `unverified.…`: Apple has not verified the domain. `unanswered.…`:
 * Apple closes the connection without an answer.
 */
export function openApple(app: FastifyInstance, { context }: Desk): void {
  app.post('/apple_pay/paymentservices/paymentSession', async (request, reply) => {
    const body = readBody(request.body) as Record<string, unknown>
    const texts = ['merchantIdentifier', 'displayName', 'initiative', 'initiativeContext'].map(name => body[name])
    if (!texts.every(text => typeof text === 'string' && text !== '') || body.initiative !== 'web')
      return reply.code(400).send({ statusMessage: 'Payment Services Exception Bad Request', statusCode: '400' })
    const [merchantIdentifier, displayName, , domainName] = texts as string[]
    const merchant = sha256(merchantIdentifier!)
    if (domainName!.startsWith('unanswered.')) return reply.hijack().raw.destroy()
    if (domainName!.startsWith('unverified.'))
      return reply.code(417).send({
        statusMessage: `Payment Services Exception merchantId=${merchant} not registered for domain=${domainName}`,
        statusCode: '417',
      })
    const nonce = Buffer.from(context.random(4)).toString('hex')
    const epochTimestamp = Math.floor(context.now())
    return reply.send({
      epochTimestamp,
      expiresAt: epochTimestamp + SESSION_MS,
      merchantSessionIdentifier: `SSH${sha256(`${nonce} ${merchant}`)}`,
      nonce,
      merchantIdentifier: merchant,
      domainName,
      displayName,
      signature: sha256(`signature of ${nonce}`).repeat(4),
      operationalAnalyticsIdentifier: `${displayName}:${merchant}`,
      retries: 0,
      pspId: merchant,
    })
  })
}

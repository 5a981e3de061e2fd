import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import type { Time } from '../context.ts'

/** Headers that the service sets itself: a merchant's custom headers cannot replace them. */
const ours = new Set(
  'content-type user-agent webhook-id webhook-timestamp webhook-signature x-webhook-signature-512 host content-length connection transfer-encoding expect upgrade keep-alive te trailer proxy-connection accept-encoding'.split(
    ' ',
  ),
)

const signers = new Map<string, Webhook>()
function signerOf(secret: string): Webhook {
  let signer = signers.get(secret)
  if (!signer) {
    if (signers.size >= 10_000) signers.clear()
    signer = new Webhook(secret)
    signers.set(secret, signer)
  }
  return signer
}

/**
 * Returns the headers of a webhook. Every secret that is still valid signs it (Standard Webhooks 1.0.0). Existing
 * clients verify `x-webhook-signature-512`: hex HMAC-SHA512 over the body's bytes with the profile's
 * payment_response_hash_key as text (contract 7.2). `event_id` stays the same over all attempts: receivers recognize a
 * repeated event by it.
 */
export function signedWebhookHeaders(endpoint: WebhookEndpoint, event_id: string, body: string, now: Time): Record<string, string> {
  const at = new Date(now)
  const live = endpoint.secrets.filter(({ until }) => until === null || until > now)
  const own = Object.entries(endpoint.headers).filter(([name]) => !ours.has(name.toLowerCase()))
  return {
    ...Object.fromEntries(own),
    'content-type': 'application/json',
    'user-agent': 'Switchyard-Webhooks/1',
    'webhook-id': event_id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    ...(live.length > 0 && { 'webhook-signature': live.map(({ secret }) => signerOf(secret).sign(event_id, at, body)).join(' ') }),
    ...(endpoint.response_hash_key !== null && {
      'x-webhook-signature-512': createHmac('sha512', endpoint.response_hash_key).update(body).digest('hex'),
    }),
  }
}

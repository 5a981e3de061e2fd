import type { Account, WebhookUpdate } from '../connector.ts'
import { isId, isRecord, readJson } from '../kit/read.ts'
import { isHmac } from '../kit/signature.ts'

/** Verifies a webhook. `HmacSignature`: HMAC-SHA256 of the raw body in base64, with a key that is written in hex. */
export function verifyWebhook(raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret }: Account): boolean {
  const [key, given] = [webhook_secret?.reveal() ?? '', headers.hmacsignature ?? '']
  if (!/^(?:[0-9a-f]{2})+$/i.test(key) || !/^[A-Za-z0-9+/]{43}=$/.test(given)) return false
  return isHmac(Buffer.from(key, 'hex'), raw, Buffer.from(given, 'base64'))
}

/**
 * Reads a webhook. Webhooks come in any order and may be old, so they only cause a query. A payout whose answer was
 * lost gets the id of its transfer.
 */
export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const body = readJson(raw.toString())
  if (!isRecord(body) || typeof body.type !== 'string' || !isRecord(body.data)) return []
  const { id, reference } = body.data
  if (!body.type.startsWith('balancePlatform.transfer.') || !isId(id) || !isId(reference)) return []
  const of = { request_id: reference, verb: 'payout' } as const
  return [
    { is: 'outcome', of: [of], outcome: { is: 'waiting', reference: id } },
    { is: 'outcome', of: [of], outcome: 'ask' },
  ]
}

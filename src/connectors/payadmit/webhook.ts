import type { Time } from '../../context.ts'
import type { Account, WebhookUpdate } from '../connector.ts'
import { isRecord, readJson } from '../kit/read.ts'
import { isHexHmac } from '../kit/signature.ts'
import { readPayment } from './replies.ts'

type Headers = Record<string, string | undefined>

/** Verifies a webhook. `Signature` is an HMAC-SHA256 of the raw body with the signing key, in hex. */
export function verifyWebhook(raw: Buffer, { signature }: Headers, { webhook_secret }: Account, _now: Time): boolean {
  return webhook_secret !== null && isHexHmac(webhook_secret.reveal(), raw, signature)
}

/** Reads a webhook. It contains no time, so it may be outdated: it is never trusted, and only triggers a lookup. */
export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const body = readJson(raw.toString())
  const payment = readPayment(isRecord(body) && isRecord(body.result) ? body.result : body)
  return payment ? [{ is: 'outcome', of: [{ request_id: payment.referenceId }], outcome: 'ask' }] : []
}

import type { WebhookUpdate } from '../connector.ts'
import { readJson } from '../kit/read.ts'
import { readInvoice } from './replies.ts'

/** Accepts every webhook, because they are not signed: a webhook is never trusted, and only triggers a lookup. */
export const verifyWebhook = (): boolean => true

export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const body = readJson(raw.toString())
  const invoice = readInvoice(body) ?? readInvoice(body, 'payout-invoices')
  return invoice ? [{ is: 'outcome', of: [{ request_id: invoice.reference_id }], outcome: 'ask' }] : []
}

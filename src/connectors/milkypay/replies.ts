import type { Money } from '../../base/money.ts'
import { moneyOf } from '../kit/decimal.ts'
import { type Refused, refusedBy } from '../kit/parse-reply.ts'
import { isAddress, isId, isOneOf, isRecord } from '../kit/read.ts'

/**
 * Reads the responses of MilkyPay's engine (Corefy), in JSON:API format. A body that does not have the known format is
 * read as null: no part of it is used.
 */

const invoiceStatuses = ['created', 'process_pending', 'processed', 'process_failed'] as const

export type Invoice = {
  id: string
  reference_id: string
  status: (typeof invoiceStatuses)[number]
  money: Money
  /** The token for the checkout of this invoice. */
  token: string | null
  /** The URL that the customer must be redirected to. */
  url: string | null
  message: string
}

/** The kinds of invoices: for payments and for payouts. */
const invoiceKinds = ['payment-invoices', 'payout-invoices'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

export function readInvoice(body: unknown, kind: InvoiceKind = 'payment-invoices'): Invoice | null {
  const data = isRecord(body) ? body.data : null
  if (!isRecord(data) || data.type !== kind || !isRecord(data.attributes) || !isId(data.id)) return null
  const { reference_id, status, amount, currency, flow_data = null, original_data = null } = data.attributes
  const money = moneyOf(amount, currency)
  if (!isId(reference_id) || !isOneOf(invoiceStatuses, status) || money === null) return null
  const flow = isRecord(flow_data) ? flow_data : {}
  const metadata = isRecord(flow.metadata) ? flow.metadata : {}
  const url = flow.action ?? null
  const token = metadata.token ?? null
  if ((url !== null && !isAddress(url)) || (token !== null && (typeof token !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(token))))
    return null
  const message = isRecord(original_data) ? original_data.original_resolution_message : null
  return {
    id: data.id,
    reference_id,
    status,
    money,
    token,
    url,
    message: typeof message === 'string' && message !== '' ? message : 'The payment failed.',
  }
}

const meanings = { 400: 'invalid_request', 401: 'configuration', 403: 'configuration', 404: 'not_found', 422: 'invalid_request' } as const

/** Reads an error response in JSON:API format: a list of errors, each with its status and a title. */
export function readRefused(status: number, body: unknown): Refused | null {
  const [first] = isRecord(body) && !('data' in body) && Array.isArray(body.errors) ? body.errors : []
  return isRecord(first) && String(first.status) === String(status) ? refusedBy(meanings, status, first.title) : null
}

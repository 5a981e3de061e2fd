import type { Money } from '../../base/money.ts'
import type { Request } from '../../context.ts'
import type { Account, Outcome } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { moneyOf } from '../kit/decimal.ts'
import { declinedWith, doneWith, type Refused, readerOf, refusedBy } from '../kit/parse-reply.ts'
import { isAddress, isId, isOneOf, isRecord } from '../kit/read.ts'
import { basicOf } from '../kit/request.ts'
import { settingOf } from '../settings.ts'

export const PAY = 'https://pay.pay-gate.io'
const CHECKOUT = 'https://checkout.pay-gate.io'

export const checkoutOf = (account: Account): string =>
  settingOf(account, 'checkout_url') ?? (account.base_url === PAY ? CHECKOUT : account.base_url)

const signed = (account: Account, request: Omit<Request, 'headers'>): Request => ({
  ...request,
  headers: { authorization: basicOf(credentialOf(account), credentialOf(account, 'key1')), 'content-type': 'application/json' },
})

export const invoiceRequest = (type: InvoiceKind, account: Account, attributes: object): Request => {
  const { webhook_url } = account
  const test_mode = settingOf(account, 'test_mode')
  const more = {
    ...(webhook_url !== undefined && { callback_url: webhook_url }),
    ...(test_mode !== undefined && { test_mode: test_mode === 'true' }),
  }
  const body = JSON.stringify({ data: { type, attributes: { ...attributes, ...more } } })
  return signed(account, { method: 'POST', url: `${account.base_url}/${type}`, body })
}

export const lookRequest = (type: InvoiceKind, id: string, account: Account): Request =>
  signed(account, { method: 'GET', url: `${account.base_url}/${type}/${encodeURIComponent(id)}` })

const readPayment = (body: unknown) => readInvoice(body)
const readPayout = (body: unknown) => readInvoice(body, 'payout-invoices')

export const createdReply = readerOf(readPayment, readRefused, [200, 201])
export const invoiceReply = readerOf(readPayment, readRefused)
export const createdPayoutReply = readerOf(readPayout, readRefused, [200, 201])
export const payoutReply = readerOf(readPayout, readRefused)

/** JSON:API of Corefy's engine. A body that does not have the known format is read as null. */

const invoiceStatuses = ['created', 'process_pending', 'processed', 'process_failed'] as const

type Invoice = {
  id: string
  reference_id: string
  status: (typeof invoiceStatuses)[number]
  money: Money
  token: string | null
  url: string | null
  message: string
}

const invoiceKinds = ['payment-invoices', 'payout-invoices'] as const
type InvoiceKind = (typeof invoiceKinds)[number]

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

/** Each error has its status and a title. */
function readRefused(status: number, body: unknown): Refused | null {
  const [first] = isRecord(body) && !('data' in body) && Array.isArray(body.errors) ? body.errors : []
  return isRecord(first) && String(first.status) === String(status) ? refusedBy(meanings, status, first.title) : null
}

export function outcomeOf({ id, reference_id, status, money, url, message }: Invoice): Outcome {
  switch (status) {
    case 'created':
      return { is: 'not_found', reference: id }
    case 'process_pending':
      return { is: 'waiting', reference: id, ...(url !== null && { next_action: { type: 'redirect_to_url', url } }) }
    case 'processed':
      return doneWith(id, money, { request_id: reference_id, captured: money })
    case 'process_failed':
      return declinedWith('card_declined', status, message, id)
  }
}

/** An invoice that is created and not yet processed is on its way. */
export function paidOutOf(invoice: Invoice): Outcome {
  const outcome = outcomeOf(invoice)
  if (outcome.is === 'done') return { ...outcome, captured: null }
  if (outcome.is === 'declined') return { ...outcome, code: 'operation_declined' }
  return { is: 'waiting', reference: invoice.id }
}

import type { Request } from '../../context.ts'
import type { Account } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { readerOf } from '../kit/parse-reply.ts'
import { basicOf } from '../kit/request.ts'
import { settingOf } from '../settings.ts'
import { type InvoiceKind, readInvoice, readRefused } from './replies.ts'

/** The requests to MilkyPay's engine: JSON:API, with a host of its own for card numbers. */

export const PAY = 'https://pay.pay-gate.io'
const CHECKOUT = 'https://checkout.pay-gate.io'

export const checkoutOf = (account: Account): string =>
  settingOf(account, 'checkout_url') ?? (account.base_url === PAY ? CHECKOUT : account.base_url)

const signed = (account: Account, request: Omit<Request, 'headers'>): Request => ({
  ...request,
  headers: { authorization: basicOf(credentialOf(account), credentialOf(account, 'key1')), 'content-type': 'application/json' },
})

/** Builds the request that creates an invoice. */
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

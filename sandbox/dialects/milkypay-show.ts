// Invoices in the format of MilkyPay's engine, and callbacks.

import type { Account, Event } from '../books.ts'
import type { Document, Operation, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { echoed } from '../show-operation.ts'
import { majorOf } from '../units.ts'

/** An invoice, which becomes a payment once its card is known. `token` opens its checkout. */
export type Invoice = Document & {
  object: 'milkypay_invoice'
  reference: string
  amount: number
  currency: string
  return_url: string | null
  token: string
}

export const isInvoice = (document: Document | undefined): document is Invoice => document?.object === 'milkypay_invoice'

export function invoiceOf(account: Account, id: string): Invoice {
  const document = account.documents.get(id)
  if (!isInvoice(document)) throw new Refusal('not_found', 'No such invoice')
  return document
}

const statuses = {
  approved: 'processed',
  declined: 'process_failed',
  pending: 'process_pending',
  challenge: 'process_pending',
  returned: 'process_failed',
  expired: 'process_failed',
} as const

export function showAs(invoice: Invoice, truly: Operation | null, payment: Payment | null, url: string): object {
  const operation = truly && echoed(truly, payment!)
  const { currency, id, token } = invoice
  const challenge = operation?.status === 'challenge' ? `${url}/challenge/${operation.id}/${operation.challenge!.token}` : null
  return {
    data: {
      id,
      type: 'payment-invoices',
      attributes: {
        reference_id: operation?.reference ?? invoice.reference,
        status: operation ? statuses[operation.status] : 'created',
        amount: majorOf(operation?.amount ?? invoice.amount, currency),
        currency: operation?.currency ?? currency,
        flow_data: { ...(operation === null && { metadata: { token } }), ...(challenge !== null && { action: challenge }) },
        ...(operation?.decline && { original_data: { original_resolution_message: operation.decline.message } }),
      },
    },
  }
}

export const showPayout = ({ id, reference, status, amount, currency, decline }: Operation): object => ({
  data: {
    id,
    type: 'payout-invoices',
    attributes: {
      reference_id: reference,
      status: statuses[status],
      amount: majorOf(amount, currency),
      currency,
      ...(decline && { original_data: { original_resolution_message: decline.message } }),
    },
  },
})

export const webhookFormat = {
  body(account: Account, { operation }: Event, url: string): object {
    const payment = account.payments.get(operation.payment)!
    if (operation.type === 'payout') return showPayout(operation)
    return showAs(invoiceOf(account, payment.document!), operation, payment, url)
  },
  signed: () => ({}),
}

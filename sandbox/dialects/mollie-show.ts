// Payments, captures, refunds and chargebacks in Mollie's format, and webhooks.

import { createHmac } from 'node:crypto'
import type { Account, Event } from '../books.ts'
import { disputesOf } from '../disputes.ts'
import type { Dispute, Document, Operation, Payment } from '../records.ts'
import { majorText } from '../units.ts'
import { failureOf, methodNamed } from './mollie-methods.ts'

/** Mollie's data about a payment that the ledger does not contain. */
export type MollieNote = Document & {
  object: 'mollie_payment'
  method: string
  description: string
  metadata: unknown
  redirectUrl: string | null
  webhookUrl: string | null
  sequenceType: 'oneoff' | 'first' | 'recurring'
  customerId: string | null
  mandateId: string | null
}
/** Mollie's data about a capture or a refund that the ledger does not contain. */
export type MollieChangeNote = Document & { object: 'mollie_change'; description: string; metadata: unknown }
export type MollieCustomer = Document & {
  object: 'mollie_customer'
  name: string | null
  email: string | null
  metadata: unknown
  created_at: string
}
export type MollieMandate = Document & {
  object: 'mollie_mandate'
  customer: string
  consumerName: string
  card: Payment['card']
  last4: string
}

export const paymentIdOf = (id: string): string => id.replace('auth_', 'tr_')
export const changeIdOf = ({ id }: Pick<Operation, 'id'>): string => id.replace('cap_', 'cpt_').replace('ref_', 're_')
/** Returns the id of the mandate that a first payment creates, derived from the payment's id. */
export const mandateIdOf = (payment: Pick<Payment, 'id'>): string => payment.id.replace('auth_', 'mdt_')

const amountOf = (amount: number, currency: string) => ({ value: majorText(amount, currency), currency })
const link = (href: string, type = 'application/hal+json') => ({ href, type })
const documentation = { documentation: link('https://docs.mollie.com/', 'text/html') }

export const noteOf = (account: Account, payment: Payment): MollieNote => account.documents.get(paymentIdOf(payment.id)) as MollieNote

type Status = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'

export function statusOf({ phase, captured, authorized }: Payment, authorization: Operation): Status {
  const code = authorization.decline?.code
  if (phase === 'challenge') return 'open'
  if (phase === 'pending') return 'pending'
  if (phase === 'open') return 'authorized'
  if (phase === 'captured') return 'paid'
  if (phase === 'declined') return code === 'rejected' ? 'canceled' : 'failed'
  if (captured > 0) return 'paid'
  return phase === 'expired' && (authorized > 0 || code !== 'voided') ? 'expired' : 'canceled'
}

type Seen = { account: Account; url: string }

export function showPayment({ account, url }: Seen, payment: Payment): object {
  const authorization = account.operations.get(payment.id)!
  const note = noteOf(account, payment)
  const status = statusOf(payment, authorization)
  const { currency, asked, authorized, captured, refunded } = payment
  const wasApproved = authorization.status === 'approved'
  const self = `${url}/mollie/payments/${note.id}`
  const at = authorization.updated_at.replace(/\.\d+Z$/, '+00:00')
  const page = `${url}/challenge/${payment.id}/${authorization.challenge?.token}`
  return {
    resource: 'payment',
    id: note.id,
    mode: 'test',
    createdAt: authorization.created_at.replace(/\.\d+Z$/, '+00:00'),
    amount: amountOf(asked, currency),
    description: note.description,
    method: note.method,
    metadata: note.metadata,
    status,
    ...(status === 'open' || status === 'pending' ? { isCancelable: isCancelable(note, status) } : {}),
    ...(wasApproved && payment.capture === 'manual' && { authorizedAt: at }),
    ...(status === 'paid' && { paidAt: at }),
    ...(status === 'failed' && { failedAt: at }),
    ...(status === 'canceled' && { canceledAt: at }),
    ...(status === 'expired' && { expiredAt: at }),
    ...(status === 'authorized' && payment.hold_until !== null && { captureBefore: new Date(payment.hold_until).toISOString() }),
    profileId: 'pfl_sandbox',
    sequenceType: note.sequenceType,
    captureMode: payment.capture,
    ...(note.redirectUrl !== null && { redirectUrl: note.redirectUrl }),
    ...(note.webhookUrl !== null && { webhookUrl: note.webhookUrl }),
    ...(note.customerId !== null && { customerId: note.customerId }),
    ...(mandateIn(note, payment, wasApproved) !== null && { mandateId: mandateIn(note, payment, wasApproved) }),
    ...(wasApproved && payment.capture === 'manual' && { amountCaptured: amountOf(captured, currency) }),
    ...(captured > 0 && {
      amountRefunded: amountOf(refunded, currency),
      amountRemaining: amountOf(captured - refunded - payment.refunding, currency),
    }),
    details: detailsOf(payment, authorization, note, status),
    ...(authorized > 0 && payment.disputed ? { amountChargedBack: amountOf(payment.disputed, currency) } : {}),
    _links: {
      self: link(self),
      dashboard: link(self, 'text/html'),
      ...(status === 'open' && { checkout: link(page, 'text/html') }),
      ...documentation,
    },
  }
}

export const isCancelable = ({ method }: MollieNote, status: Status): boolean =>
  (status === 'open' && method === 'banktransfer') || (status === 'pending' && method === 'directdebit')

const mandateIn = (note: MollieNote, payment: Payment, wasApproved: boolean): string | null =>
  note.mandateId ?? (note.sequenceType === 'first' && wasApproved ? mandateIdOf(payment) : null)

function detailsOf(payment: Payment, authorization: Operation, note: MollieNote, status: Status): object | null {
  const reference = payment.id.slice(-12).toUpperCase()
  if (note.method === 'banktransfer')
    return {
      bankName: 'Stichting Mollie Payments',
      bankAccount: 'NL53ABNA0627535577',
      bankBic: 'ABNANL2A',
      transferReference: `RF12-${reference.slice(0, 4)}-${reference.slice(4, 8)}`,
    }
  if (note.method === 'multibanco') return { multibancoReference: reference, multibancoEntity: '12345' }
  const isCard = methodNamed(note.method)?.card === true
  if (note.method === 'directdebit')
    return status === 'failed'
      ? { bankReasonCode: 'AM04', bankReason: 'Insufficient funds' }
      : { creditorIdentifier: 'NL08ZZZ502057730000' }
  if (!isCard) return null
  const wallet = note.method === 'creditcard' ? {} : { wallet: note.method }
  const failure = status === 'failed' ? failureOf(payment, authorization) : null
  return { cardNumber: '4242', cardLabel: 'Visa', cardSecurity: '3dsecure', ...wallet, ...failure }
}

/** Returns the captures or refunds of a payment, the latest first. */
export function changesOf({ account, url }: Seen, payment: Payment, type: 'capture' | 'refund'): object[] {
  return [...account.operations.values()]
    .filter(one => one.payment === payment.id && one.type === type)
    .map(one => showChange({ account, url }, one))
    .reverse()
}
export const chargebacksOf = ({ account, url }: Seen, payment: Payment): object[] =>
  disputesOf(account, payment.id)
    .map(one => showChargeback({ account, url }, one))
    .reverse()

const changeStatuses = {
  capture: { approved: 'succeeded', declined: 'failed', pending: 'pending' },
  refund: { approved: 'refunded', declined: 'failed', pending: 'pending' },
} as const

export function showChange({ account, url }: Seen, operation: Operation): object {
  const type = operation.type as 'capture' | 'refund'
  const note = account.documents.get(changeIdOf(operation)) as MollieChangeNote | undefined
  const payment = paymentIdOf(operation.payment)
  const self = `${url}/mollie/payments/${payment}/${type}s/${changeIdOf(operation)}`
  return {
    resource: type,
    id: changeIdOf(operation),
    mode: 'test',
    description: note?.description ?? '',
    amount: amountOf(operation.amount, operation.currency),
    status: changeStatuses[type][operation.status as keyof (typeof changeStatuses)['refund']],
    metadata: note?.metadata ?? null,
    paymentId: payment,
    createdAt: operation.created_at,
    _links: { self: link(self), payment: link(`${url}/mollie/payments/${payment}`), ...documentation },
  }
}

export function showChargeback({ account, url }: Seen, dispute: Dispute): object {
  const payment = account.payments.get(dispute.payment)!
  const { currency } = payment
  const id = paymentIdOf(payment.id)
  const isReversed = dispute.status === 'won' || dispute.status === 'cancelled'
  const isDebit = noteOf(account, payment).method === 'directdebit'
  return {
    resource: 'chargeback',
    id: dispute.id,
    amount: amountOf(dispute.amount, currency),
    settlementAmount: { value: `-${majorText(dispute.amount, currency)}`, currency },
    reason: isDebit ? { code: 'AM04', description: 'Insufficient funds' } : null,
    paymentId: id,
    createdAt: new Date(dispute.created).toISOString(),
    reversedAt: isReversed ? new Date(dispute.updated).toISOString() : null,
    _links: {
      self: link(`${url}/mollie/payments/${id}/chargebacks/${dispute.id}`),
      payment: link(`${url}/mollie/payments/${id}`),
      ...documentation,
    },
  }
}

/** Returns a list in Mollie's format, with the link to the next page. */
export const listed = (kind: string, items: object[], next: string | null = null) => ({
  count: items.length,
  _embedded: { [kind]: items },
  _links: { self: link('…'), previous: null, next: next === null ? null : link(next), ...documentation },
})

export const showCustomer = ({ id, name, email, metadata, created_at }: MollieCustomer) => ({
  resource: 'customer',
  id,
  mode: 'test',
  name,
  email,
  locale: null,
  metadata,
  createdAt: created_at,
  _links: { self: link('…'), dashboard: link('…', 'text/html'), ...documentation },
})

export const showMandate = ({ id, consumerName, last4 }: MollieMandate) => ({
  resource: 'mandate',
  id,
  mode: 'test',
  status: 'valid',
  method: 'directdebit',
  details: { consumerName, consumerAccount: `**************${last4}`, consumerBic: null },
  mandateReference: null,
  signatureDate: '2026-03-01',
  createdAt: '2026-03-01T10:00:00+00:00',
  _links: { self: link('…'), customer: link('…'), ...documentation },
})

function entityOf(account: Account, { operation, type, document }: Event, url: string): [type: string, entity: { id?: string }] {
  const payment = account.payments.get(operation.payment)!
  if (type !== undefined) return [type, showChargeback({ account, url }, account.documents.get(document!) as Dispute)]
  if (operation.type === 'capture' || operation.type === 'refund') {
    const shown = showChange({ account, url }, operation) as { id: string; status: string }
    return [`${operation.type}.${shown.status}`, shown]
  }
  const status = statusOf(payment, account.operations.get(payment.id)!)
  return [`payment.${status === 'open' ? 'pending' : status}`, showPayment({ account, url }, payment)]
}

/**
 * Mollie's webhooks. A payment with a webhookUrl is announced there by its id alone, unsigned. Other payments are
 * announced as signed events to merchants that have set up a webhook with a secret.
 */
export const webhookFormat = {
  address: (account: Account, { operation }: Event): string | null => noteOf(account, account.payments.get(operation.payment)!).webhookUrl,
  body(account: Account, event: Event, url: string): object | string {
    const payment = account.payments.get(event.operation.payment)!
    if (noteOf(account, payment).webhookUrl !== null || account.settings.webhook_secret === null)
      return new URLSearchParams({ id: paymentIdOf(payment.id) }).toString()
    const [type, entity] = entityOf(account, event, url)
    return {
      resource: 'event',
      id: `event_${event.id.replace(/\W/g, '')}`,
      type,
      entityId: entity.id,
      createdAt: event.created_at,
      _embedded: { entity },
      _links: { self: link('…'), ...documentation },
    }
  },
  signed: (body: string, secret: string): Record<string, string> =>
    body.startsWith('{') ? { 'x-mollie-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` } : {},
}

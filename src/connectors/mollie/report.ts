import type { Account, ChangesRead, Conversation, OperationIdentifier, WebhookUpdate } from '../connector.ts'
import { failedLookup, failedQuestion, unknown } from '../kit/parse-reply.ts'
import { isRecord } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import type { ChangesQuestion, Movement, PaymentQuestion, PaymentRead, PaymentReport } from '../payment-report.ts'
import { sendToMollie } from './authorize.ts'
import * as wire from './replies.ts'
import * as ask from './requests.ts'

/** The whole of a payment, with its captures, refunds and chargebacks: docs.mollie.com/reference/get-payment. */

const states: Readonly<Record<string, Movement['state']>> = {
  succeeded: 'done',
  refunded: 'done',
  queued: 'waiting',
  pending: 'waiting',
  processing: 'waiting',
  failed: 'declined',
  canceled: 'declined',
}

const movementOf = (verb: 'capture' | 'refund', { id, status, money, request_id, description, made }: wire.MollieChange): Movement => ({
  ...{ verb, reference: id, request_id, amount: money },
  ...{ state: states[status] ?? 'waiting', reason: description, at: made },
})

/** Of a payment that was captured without a request, the captures are the payment itself. */
type Whole = { payment: wire.MolliePayment; captures: wire.MollieChange[]; refunds: wire.MollieChange[]; disputes: string[] }

const every = <T>(items: unknown, read: (item: unknown) => T | null): T[] | null => {
  const all = items === undefined ? [] : Array.isArray(items) ? items.map(read) : null
  return all?.every(one => one !== null) ? (all as T[]) : null
}

function readWhole(body: unknown): Whole | null {
  const payment = wire.readPayment(body)
  const embedded = isRecord(body) && isRecord(body._embedded) ? body._embedded : {}
  const captures = every(embedded.captures, wire.readMollieCapture)
  const refunds = every(embedded.refunds, wire.readMollieRefund)
  const chargebacks = every(embedded.chargebacks, wire.readChargeback)
  if (!payment || !captures || !refunds || !chargebacks) return null
  return { payment, captures: payment.isManual ? captures : [], refunds, disputes: chargebacks.map(one => one.dispute.reference) }
}

type Totals = Pick<PaymentReport, 'authorized' | 'captured' | 'held' | 'released'>

/**
 * The rest of a hold that was captured in part is over once the payment is paid, but Mollie does not say whether it
 * was released or has expired. `listed`: captures, if any are.
 */
function totalsOf({ status, money, captured, wasHeld }: wire.MolliePayment, listed: number | null): Totals {
  const taken = listed ?? captured?.amount ?? (status === 'paid' ? money.amount : 0)
  const isOver = wasHeld && (status === 'canceled' || status === 'expired')
  return {
    authorized: wasHeld || status === 'authorized' || status === 'paid' ? money.amount : 0,
    captured: taken,
    held: status === 'authorized' ? Math.max(0, money.amount - taken) : 0,
    released: isOver ? (status === 'canceled' ? 'voided' : 'expired') : null,
  }
}

const sumOfDone = (changes: readonly wire.MollieChange[]): number =>
  changes.reduce((sum, { status, money }) => (states[status] === 'done' ? sum + money.amount : sum), 0)

/** Null if the currencies differ. */
function reportOf({ payment, captures, refunds, disputes }: Whole): PaymentReport | null {
  const { id, money } = payment
  if ([...captures, ...refunds].some(one => one.money.currency !== money.currency)) return null
  return {
    ...{ reference: id, currency: money.currency, refunded: sumOfDone(refunds), disputes },
    ...totalsOf(payment, captures.length > 0 ? sumOfDone(captures) : null),
    movements: [...captures.map(one => movementOf('capture', one)), ...refunds.map(one => movementOf('refund', one))],
  }
}

export function* readPayment({ reference, money }: PaymentQuestion, account: Account): Conversation<PaymentRead> {
  if (reference === null || money.amount === 0) return unknown('there is no payment with a reference')
  const path = `/payments/${inPath(reference)}?embed=captures,refunds,chargebacks`
  const reply = yield* sendToMollie(account, ask.get(account, path), readWhole)
  if (reply.is !== 'answer') return failedLookup(reply)
  if (reply.answer.payment.id !== reference) return unknown('the response is for another payment')
  const report = reportOf(reply.answer)
  return report ? { is: 'payment', report } : unknown('the currencies differ')
}

const ofPayment = (id: string): OperationIdentifier => ({ reference: id, verb: 'authorize' })

const unsaid = { authorized: null, captured: null, refunded: null, held: null, released: null, disputes: [] } as const

/** A change without an id of ours was made by others: in Mollie's dashboard, or by another system. */
export function changeNews(verb: 'capture' | 'refund', change: wire.MollieChange): WebhookUpdate | undefined {
  const { payment, request_id, money } = change
  if (payment === null || request_id !== null) return undefined
  const report = { ...unsaid, reference: payment, currency: money.currency, movements: [movementOf(verb, change)] }
  return { is: 'payment', of: [ofPayment(payment)], report }
}

/** Of a hold, which others may capture or release. */
export function paymentNews(payment: wire.MolliePayment): WebhookUpdate | undefined {
  const { id, money, isManual, wasHeld } = payment
  if (!isManual || !wasHeld) return undefined
  const report = { reference: id, currency: money.currency, refunded: null, movements: [], disputes: [], ...totalsOf(payment, null) }
  return { is: 'payment', of: [ofPayment(id)], report }
}

const PAGE = 250
/** Mollie lists captures only of one payment, and shows what became of holds nowhere but in their payments. */
const lists = ['refunds', 'chargebacks'] as const
type ListName = (typeof lists)[number]

/** The latest come first: a list is read down to what is older than `since`. A page is a list and its first item. */
export function* listChanges({ since, page }: ChangesQuestion, account: Account): Conversation<ChangesRead> {
  const [name = '', first] = (page ?? lists[0]).split('/')
  const list = lists.find(one => one === name)
  if (list === undefined) return unknown('there is no such page')
  const path = `/${list}?limit=${PAGE}&sort=desc${first === undefined ? '' : `&from=${inPath(first)}`}`
  const reply = yield* sendToMollie(account, ask.get(account, path), wire.readList(list))
  if (reply.is !== 'answer') return failedQuestion(reply)
  const { items, isLast, from } = reply.answer
  if (!isLast && from === null) return unknown(`the list of ${list} is not valid`)
  const isNew = (item: unknown) => (wire.madeAt(item) ?? since) >= since
  const updates = items.filter(isNew).flatMap(item => updatesOf[list](item))
  const last = items.at(-1)
  const goesOn = !isLast && last !== undefined && isNew(last)
  const after = lists[lists.indexOf(list) + 1] ?? null
  return { is: 'changes', updates, next: goesOn ? `${list}/${from}` : after }
}

const updatesOf: Record<ListName, (item: unknown) => WebhookUpdate[]> = {
  refunds(item) {
    const refund = wire.readMollieRefund(item)
    if (!refund) return []
    const { request_id } = refund
    if (request_id === null) return [changeNews('refund', refund)].filter(news => news !== undefined)
    const outcome = wire.changeOutcome(refund)
    // A refund of ours that is under way is polled.
    if (outcome.is === 'waiting') return []
    const decided = outcome.is === 'declined' ? { ...outcome, after_yes: true as const } : outcome
    return [{ is: 'outcome', of: [{ request_id, verb: 'refund' }], outcome: decided }]
  },
  chargebacks(item) {
    const chargeback = wire.readChargeback(item)
    return chargeback ? [{ is: 'dispute', of: [ofPayment(chargeback.payment)], dispute: chargeback.dispute }] : []
  },
}

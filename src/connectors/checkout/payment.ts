import type { Account, ChangesRead, Conversation, DisputeUpdate } from '../connector.ts'
import { failedLookup, failedQuestion, readerOf, unknown } from '../kit/parse-reply.ts'
import { isId, isRecord, readId } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import type { ChangesQuestion, PaymentQuestion, PaymentRead } from '../payment-report.ts'
import { readDisputeBody } from './disputes.ts'
import { paymentBy } from './modify.ts'
import { type CheckoutAction, type CheckoutPayment, listOf, parse, readActions, readPayment, readRefused } from './replies.ts'
import { checkoutReport } from './report.ts'
import { checkoutKeysOf, get } from './requests.ts'

const wholeReply = readerOf(readPayment, readRefused)
const actionsReply = readerOf(readActions, readRefused)
const idsReply = readerOf(
  listOf(body => (isRecord(body) ? readId(body.id) : null)),
  readRefused,
)

/**
 * Two requests; a third one if money was captured, which may be disputed. If money moved between the first two, the
 * payment is read once more: its totals would be older than its actions.
 */
export function* readCheckoutPayment(ask: PaymentQuestion, account: Account): Conversation<PaymentRead> {
  const first = yield* found(ask, account)
  if ('is' in first) return first
  const { id } = first
  const actions = parse(yield get(account, `/payments/${inPath(id)}/actions`), checkoutKeysOf(account), actionsReply)
  if (actions.is !== 'answer') return failedQuestion(actions)
  const payment = isOlderThan(first, actions.answer) ? yield* found({ ...ask, reference: id }, account) : first
  if ('is' in payment) return payment
  const { captured } = payment
  const mayBeDisputed = captured !== 0 && payment.status !== 'Authorized'
  const disputes = mayBeDisputed ? yield* disputesOf(id, account) : []
  if ('is' in disputes) return disputes
  const report = checkoutReport(payment, actions.answer, disputes)
  return report === null ? unknown('the amounts of the payment are not understood') : { is: 'payment', report }
}

function isOlderThan({ authorized, captured, refunded }: CheckoutPayment, actions: readonly CheckoutAction[]): boolean {
  const sumOf = (type: string) => actions.reduce((sum, one) => (one.type === type && one.approved ? sum + (one.amount ?? 0) : sum), 0)
  const totals = [
    [authorized, 'Authorization'],
    [captured, 'Capture'],
    [refunded, 'Refund'],
  ] as const
  return totals.some(([total, type]) => total !== null && total < sumOf(type))
}

function* found({ reference, request_id }: PaymentQuestion, account: Account): Conversation<CheckoutPayment | Nothing> {
  if (reference === null) {
    const listed = yield* paymentBy(request_id, account)
    if ('id' in listed) return listed
    // A payment comes late into its list.
    return listed.is === 'not_found' ? unknown('the payment is not in the list') : listed
  }
  const reply = parse(yield get(account, `/payments/${inPath(reference)}`), checkoutKeysOf(account), wholeReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  return reply.answer.id === reference ? reply.answer : unknown('the response is for another payment')
}
type Nothing = Exclude<PaymentRead, { is: 'payment' }>

/** A page of Checkout.com's list of disputes has at most 250. */
const PAGE = 250

function* disputesOf(payment: string, account: Account): Conversation<string[] | Nothing> {
  const reply = parse(yield get(account, `/disputes?payment_id=${inPath(payment)}&limit=${PAGE}`), checkoutKeysOf(account), idsReply)
  return reply.is === 'answer' ? reply.answer : failedQuestion(reply)
}

const changesReply = readerOf(listOf(readListed), readRefused)

/**
 * Only disputes are listed for many payments. The last changed come first: a change while the pages are read moves
 * disputes to a later page, and hides none, because the list has no end in time.
 */
export function* listCheckoutChanges({ since, page }: ChangesQuestion, account: Account): Conversation<ChangesRead> {
  const skip = Number(page ?? 0)
  const query = `from=${encodeURIComponent(since)}&limit=${PAGE}&skip=${skip}`
  const reply = parse(yield get(account, `/disputes?${query}`), checkoutKeysOf(account), changesReply)
  if (reply.is !== 'answer') return failedQuestion(reply)
  const { length } = reply.answer
  return { is: 'changes', updates: reply.answer, next: length < PAGE ? null : String(skip + length) }
}

/** A list shows a dispute without the reason why it was resolved. */
function readListed(body: unknown): DisputeUpdate | null {
  if (!isRecord(body) || !isId(body.id)) return null
  const { id, payment_id, payment_reference } = body
  const whole = body.status === 'resolved' ? null : readDisputeBody({ ...body, payment: { id: payment_id } })
  if (whole === null) return { is: 'dispute', dispute: 'ask', reference: id }
  const byPayment = { reference: whole.payment, verb: 'authorize' } as const
  return {
    is: 'dispute',
    of: isId(payment_reference) ? [{ request_id: payment_reference, verb: 'authorize' }, byPayment] : [byPayment],
    dispute: whole.dispute,
  }
}

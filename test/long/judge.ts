import { isDeepStrictEqual } from 'node:util'
import { connectors } from '../../src/connectors/all.ts'
import { obeysItsStatus, type PaymentStatus } from '../../src/payments/lifecycle.ts'
import { cards } from '../cards.ts'
import { type Books, REST } from './books.ts'
import { judgeDisputes, judgePayouts } from './judge-others.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and ledgers as they come
type Body = any

/** What differs, and of which payment it is to be told. */
export type Difference = { payment_id: string | null; words: string }
export type Differs = (words: string) => void

/**
 * In the processor's words, what a payment of ours may be; undefined: it has no charge. Statuses that are not here
 * are no end.
 */
const chargeOf: Partial<Record<PaymentStatus, (string | undefined)[]>> = {
  requires_payment_method: [undefined],
  requires_confirmation: [undefined],
  requires_customer_action: [undefined],
  // Taken by mistake and given back is as good as never taken: see `givenBack`.
  failed: [undefined],
  cancelled: [undefined, 'voided'],
  requires_capture: ['authorized'],
  partially_authorized_and_requires_capture: ['authorized'],
  partially_captured_and_capturable: ['partially_captured'],
  partially_captured: ['captured'],
  succeeded: ['captured'],
  expired: ['expired', undefined],
}

/** Whose directory does not say yes. */
const unproven = [cards.isNotAuthenticated, cards.cannotBeAuthenticated, cards.isRejectedByIssuer].map(last4)
/** As the processor says of a charge whose customer was not authenticated. */
const NOBODY = '07'

/**
 * Whose customer was to be authenticated first is charged after the directory's yes, with its proof, and for each yes
 * once; of a card that is not enrolled the issuer was not asked.
 */
function judgeAuthentication(row: Body, charges: readonly Body[], operations: readonly Body[], books: Books, differs: Differs): void {
  if (row.request.request_external_three_ds_authentication !== true) return
  const asked = operations.filter(({ verb }) => verb === 'authenticate')
  const yeses = asked.filter(({ state }) => state === 'done').length
  const authorized = operations.filter(({ verb }) => verb === 'authorize').length
  if (authorized > yeses) differs(`it was authorized ${authorized} times after ${yeses} authentications`)
  if (charges.length === 0) return
  if (unproven.includes(row.card.last4)) differs(`it was charged, and its customer is not authenticated`)
  const isEnrolled = row.card.last4 !== last4(cards.isNotEnrolled)
  for (const { reference } of charges) {
    const eci = books.theirs.get(reference)?.[0]?.eci
    if (isEnrolled === (eci === NOBODY)) differs(`it was charged with eci ${eci} on a card that is ${isEnrolled ? '' : 'not '}enrolled`)
  }
}

const givenBack = (charge: Body): boolean =>
  charge.captured === charge.refunded && (charge.captured > 0 || ['voided', 'expired'].includes(charge.status))

function last4(number: string): string {
  return number.slice(-4)
}

/** Cards whose processor speaks of another amount, currency or payment: such a payment is held for a person. */
const liars: string[] = [cards.echoesAnotherAmount, cards.echoesAnotherCurrency, cards.echoesAnotherReference].map(last4)

const unfinished = ['open', 'waiting', 'unknown']

/** The processor refused it as impossible, and keeps nothing of what it refused: vendors answer that with an error. */
const refusedThere = ({ connector, response }: Body): boolean =>
  connector !== 'phonypay' || ['not_allowed', 'not_found'].includes(response?.code)

/**
 * An order that was not paid is not cancelled at PayPal: it is left to itself, and its approval takes nothing. An
 * intent whose customer has said no is cancelled at Stripe, and nothing of money is voided by that.
 */
const isLeftAlone = ({ connector, verb, state }: Body): boolean =>
  ['paypal', 'stripe'].includes(connector) && verb === 'void' && state === 'done'

/**
 * Every request to the processor ended as its ledger has it; and was made once, unless it gives back money that should
 * not have moved.
 */
function judgeOperation(operation: Body, theirs: readonly Body[], lies: boolean, differs: Differs): void {
  const { verb, state, amount, purpose } = operation
  // An answer to a dispute moves no money: the disputes are judged.
  if (['accept_dispute', 'contest_dispute'].includes(verb)) {
    if (unfinished.includes(state)) differs(`${verb} ${operation.n} has not come to its end`)
    return
  }
  const [their] = theirs
  const words = `${verb} ${operation.n} of ${amount} (${operation.request_id}) is ${state} here and ${their?.status ?? 'unknown'} there`
  if (theirs.length > 1) differs(`${verb} ${operation.n} was made ${theirs.length} times there`)
  if (purpose === 'merchant' && their?.sends > 1 && !mayBeSaidTwice(operation))
    differs(`${verb} ${operation.n} was sent ${their.sends} times`)
  if (unfinished.includes(state)) differs(`${words}: it has not come to its end`)
  // An authentication is no matter of the books of money.
  else if (verb === 'authenticate') return
  else if (!their && ((state === 'declined' && refusedThere(operation)) || isLeftAlone(operation))) return
  else if (!endsFor(operation, their, lies).includes(state)) differs(words)
}

/**
 * What is sent to such a processor and not answered is sent again under the same name; and if it never tells, the
 * result stays unknown.
 */
const cannotBeAsked = (connector: string): boolean => connectors[connector]?.sync === undefined

/**
 * An order that its customer has approved is taken by who hears of it: by the customer's return, and by PayPal's news.
 * It can be taken once.
 */
const mayBeSaidTwice = ({ connector, verb }: Body): boolean => cannotBeAsked(connector) || (connector === 'paypal' && verb === 'authorize')

/**
 * Verbs of which a processor keeps nothing where it declined them: a service that did not hear its no can only find
 * that nothing was done.
 */
const forgetsItsNo: Record<string, string[]> = {
  stripe: ['capture', 'void', 'increment'],
  paypal: ['authorize', 'void', 'extend'],
  braintree: ['void'],
}

/** How an operation of ours may have ended, by what the processor has of it. */
function endsFor({ verb, connector }: Body, their: Body | undefined, lies: boolean): string[] {
  if (!their) return cannotBeAsked(connector) ? ['not_sent', 'unresolved'] : ['not_received', 'not_sent']
  // Mollie takes a release on, and does not say that it failed: the rest of a hold is over once that has run out.
  if (their.status === 'declined' && connector === 'mollie' && verb === 'void') return ['declined', 'done']
  // An order that its customer never approved, or whose challenge they never passed, was never asked for money.
  if (['not_paid', 'authentication_expired'].includes(their.decline?.code) && their.sends === 0)
    return ['declined', 'not_received', 'not_sent']
  // A cancelled intent does not say any more that its customer had said no.
  if (their.status === 'declined' && connector === 'stripe' && verb === 'authorize') return ['declined', 'lapsed']
  if (their.status === 'declined') return forgetsItsNo[connector]?.includes(verb) ? ['declined', 'not_received'] : ['declined']
  if (their.status !== 'approved') return []
  if (verb !== 'authorize') return ['done']
  // A hold may be gone before the service heard of it.
  return lies ? ['conflicted'] : ['done', 'lapsed']
}

/**
 * A charge is a payment's, and a payment's only one; no amount differs, none stays reserved, and nothing is kept that
 * no payment waits for.
 */
function judgeCharge(
  row: Body,
  charges: readonly Body[],
  refunds: readonly Body[],
  operations: readonly Body[],
  lies: boolean,
  differs: Differs,
): void {
  const notGivenBack = operations.some(({ purpose, verb, state }) => purpose === 'reversal' && verb === 'refund' && state === 'declined')
  const [charge] = charges
  const nobodyKnows = operations.some(({ state, connector }) => state === 'unresolved' && cannotBeAsked(connector))
  if (!charge && nobodyKnows && row.status === 'requires_merchant_action') return
  if (charges.length > 1) differs(`it was charged ${charges.length} times`)
  const amounts = ['amount_received', 'amount_refunded', 'amount_capturable', 'amount_capturing', 'amount_refunding'] as const
  const held = Object.fromEntries(amounts.map(name => [name, Number(row[name])]))
  const given = refunds.filter(refund => refund.status === 'succeeded').reduce((sum, refund) => sum + Number(refund.amount), 0)
  for (const refund of refunds)
    if (!['succeeded', 'failed'].includes(refund.status)) differs(`refund ${refund.refund_id} is ${refund.status}`)
  if (row.alone !== null) differs(`it is still waiting for operation ${row.alone}`)
  // What such a processor says of money is worth nothing, and the service must not act on it.
  if (lies && row.status === 'conflicted') return
  const there = charge?.status as string | undefined
  const disputed = charge?.disputed ?? 0
  if (Number(row.amount_disputed) !== disputed) differs(`banks keep ${row.amount_disputed} of it here and ${disputed} there`)
  if (charge && charge.refunded > charge.captured) differs(`${charge.refunded} of ${charge.captured} were given back`)
  if (charge && ['failed', 'cancelled'].includes(row.status) && givenBack(charge)) {
    if (Object.values(held).some(amount => amount !== 0)) differs(`it was given back, and its amounts are ${JSON.stringify(held)}`)
    return
  }
  // Undone after its capture: the money went back, and no refund says so.
  if (charge && row.status === 'cancelled_post_capture' && givenBack(charge)) {
    const { amount_received, ...others } = held
    if (amount_received !== charge.captured || Object.values(others).some(amount => amount !== 0))
      differs(`it was undone, and its amounts are ${JSON.stringify(held)}`)
    return
  }
  // The processor refuses to take back what should not have been taken: a person must look, and is told so.
  if (charge && row.last_error?.error_code === 'not_given_back') {
    if (!notGivenBack) differs('it is said that the processor gives nothing back, and it never refused to')
    return
  }
  if (!chargeOf[row.status as PaymentStatus]?.includes(there)) differs(`it is ${row.status} here and ${there ?? 'no charge'} there`)
  const open = charge && ['authorized', 'partially_captured'].includes(charge.status)
  const right = {
    amount_received: charge?.captured ?? 0,
    amount_refunded: charge?.refunded ?? 0,
    amount_capturable: open ? charge.amount - charge.captured : 0,
    amount_capturing: 0,
    amount_refunding: 0,
  }
  if (!isDeepStrictEqual(held, right)) differs(`its amounts are ${JSON.stringify(held)} here and ${JSON.stringify(right)} there`)
  if (given !== held.amount_refunded) differs(`its refunds say ${given}, and its row ${held.amount_refunded}`)
  if (charge && (charge.amount > Number(row.net_amount) || charge.currency !== row.currency))
    differs(`it is of ${row.net_amount} ${row.currency} here and ${charge.amount} ${charge.currency} there`)
  if (row.status === 'succeeded' && charge && charge.captured < Number(row.net_amount))
    differs(`it succeeded with ${charge.captured} of ${row.net_amount}`)
}

/**
 * The row as it was at each version, newest first, by taking back what its events say. None may be missing; each must
 * be a payment that could be, and the first one without any money.
 */
export function versionsOf(row: Body, events: readonly Body[], differs: Differs): Body[] {
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
  const heard = events.map(event => event.sequence).filter(sequence => sequence !== null)
  if (!isDeepStrictEqual([events.map(event => event.version), heard], [upTo(row.version), upTo(row.sequence)]))
    differs(`its events are ${events.map(event => `${event.version}/${event.sequence}`)}, and its row is at ${row.version}/${row.sequence}`)
  const versions = [row]
  let now = row
  for (const { was } of events.toReversed()) {
    const { rows: _others, ...own } = was
    now = { ...now, ...own }
    versions.push(now)
  }
  // Before the first event there was nothing.
  versions.pop()
  versions.forEach((version, i) => {
    const at = totals(version)
    if (i === versions.length - 1 && amounts.some(name => at[name] !== 0)) differs(`it begins with ${JSON.stringify(at)}`)
    if (!isSound(at) || !obeysItsStatus(version.status as PaymentStatus, at))
      differs(`at version ${versions.length - i} it was ${version.status} with ${JSON.stringify(at)}`)
  })
  return versions
}

const amounts = [
  'amount_authorized',
  'amount_capturable',
  'amount_capturing',
  'amount_received',
  'amount_refunding',
  'amount_refunded',
] as const
type Totals = Record<(typeof amounts)[number] | 'net_amount', number>

const totals = (row: Body): Totals => Object.fromEntries(['net_amount', ...amounts].map(name => [name, Number(row[name])])) as Totals

const isSound = (at: Totals): boolean =>
  amounts.every(name => at[name] >= 0) &&
  at.amount_capturable + at.amount_capturing + at.amount_received <= at.amount_authorized &&
  at.amount_refunding + at.amount_refunded <= at.amount_received

/**
 * Everything the rows of one merchant say, disputes and payouts too, against the processor's ledger, in both
 * directions. To be asked when all alarms have rung.
 */
export function judge(books: Books): Difference[] {
  const differences: Difference[] = []
  const of =
    (payment_id: string | null): Differs =>
    words =>
      differences.push({ payment_id, words })

  for (const { object_id, words } of books.faults) of(books.payments.has(object_id ?? '') ? object_id : null)(words)
  for (const id of books.misfiled) of(books.payments.has(id) ? id : null)(`${id} is not listed as what it is`)
  for (const [reference, operations] of books.theirs)
    if (!books.ours.has(reference) && !books.ours.has(reference.replace(REST, '')))
      of(null)(`the processor did what nobody has asked for: ${JSON.stringify(operations)}`)
  const refunds = Map.groupBy(books.refunds.values(), refund => refund.payment_id as string)
  for (const [payment_id, row] of books.payments) {
    const differs = of(payment_id)
    const lies = liars.includes(row.card?.last4)
    if (row.status === 'conflicted' && !lies) differs(`it is conflicted: ${JSON.stringify(row.last_error)}`)
    const operations = books.operations.get(payment_id) ?? []
    for (const operation of operations) judgeOperation(operation, books.theirs.get(operation.request_id) ?? [], lies, differs)
    const charges = books.charges.get(payment_id) ?? []
    judgeAuthentication(row, charges, operations, books, differs)
    judgeCharge(row, charges, refunds.get(payment_id) ?? [], operations, lies, differs)
    versionsOf(row, books.events.get(payment_id) ?? [], differs)
  }
  judgeDisputes(books, of)
  judgePayouts(books, of)
  return differences
}

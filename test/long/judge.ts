import { isDeepStrictEqual } from 'node:util'
import { connectors } from '../../src/connectors/all.ts'
import { obeysItsStatus, type PaymentStatus } from '../../src/payments/lifecycle.ts'
import { cards } from '../cards.ts'
import { type Books, REST } from './books.ts'
import { judgeDisputes, judgePayouts } from './judge-others.ts'
import { isForAPerson, judgeOutside } from './judge-outside.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and ledgers as they come
type Body = any

/** A difference in words, and the payment that it concerns. */
export type Difference = { payment_id: string | null; text: string }
export type Differs = (text: string) => void

/**
 * The processor's statuses that the charge of a payment may have, by the payment's status; undefined: there is no
 * charge. A status that is missing here is not final.
 */
const chargeOf: Partial<Record<PaymentStatus, (string | undefined)[]>> = {
  requires_payment_method: [undefined],
  requires_confirmation: [undefined],
  requires_customer_action: [undefined],
  // A charge that was made by mistake and returned counts as no charge: see `givenBack`.
  failed: [undefined],
  cancelled: [undefined, 'voided'],
  requires_capture: ['authorized'],
  partially_authorized_and_requires_capture: ['authorized'],
  partially_captured_and_capturable: ['partially_captured'],
  partially_captured: ['captured'],
  succeeded: ['captured'],
  // Voided by others before the answer to its authorization came.
  expired: ['expired', 'voided', undefined],
}

/** Cards whose authentication does not succeed. */
const unproven = [cards.isNotAuthenticated, cards.cannotBeAuthenticated, cards.isRejectedByIssuer].map(last4)
/** The ECI that the processor reports for a charge whose customer was not authenticated. */
const ECI_NONE = '07'

/**
 * Verifies that a payment with external 3-D Secure is charged only after the directory's success, with its proof, and
 * at most once for each success; for a card that is not enrolled, the issuer was not queried.
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
    const eci = books.remote.get(reference)?.[0]?.eci
    if (isEnrolled === (eci === ECI_NONE)) differs(`it was charged with eci ${eci} on a card that is ${isEnrolled ? '' : 'not '}enrolled`)
  }
}

const givenBack = (charge: Body): boolean =>
  charge.captured === charge.refunded && (charge.captured > 0 || ['voided', 'expired'].includes(charge.status))

function last4(number: string): string {
  return number.slice(-4)
}

/**
 * Cards whose processor answers with another amount, currency or reference: such a payment is held for manual review.
 */
const liars: string[] = [cards.echoesAnotherAmount, cards.echoesAnotherCurrency, cards.echoesAnotherReference].map(last4)

const unfinished = ['open', 'waiting', 'unknown']

/**
 * Whether the processor refused the operation as impossible and records nothing of it: vendors answer such a request
 * with an error.
 */
const refusedThere = ({ connector, response }: Body): boolean =>
  connector !== 'phonypay' || ['not_allowed', 'not_found'].includes(response?.code)

/**
 * Whether a void leaves no operation at the processor. PayPal does not cancel an order that was not paid: the order
 * remains, and its approval moves no money. Stripe cancels an intent whose customer has declined, and thereby voids no
 * money. Braintree says of a transaction that it is voided, and not by whom: others may have been first.
 */
const isLeftAlone = ({ connector, verb, state }: Body): boolean =>
  ['paypal', 'stripe', 'braintree'].includes(connector) && verb === 'void' && state === 'done'

/**
 * Verifies that every operation ended as the processor's ledger says, and was made once, unless it returns money that
 * should not have moved.
 */
function judgeOperation(operation: Body, remote: readonly Body[], lies: boolean, differs: Differs): void {
  const { verb, state, amount, purpose } = operation
  // No request of ours asked for it: that it is one of the processor's, the totals of its payment say.
  if (purpose === 'external') {
    if (unfinished.includes(state)) differs(`the external ${verb} ${operation.n} has not come to its end`)
    return
  }
  // An answer to a dispute moves no money: `judgeDisputes` compares the disputes.
  if (['accept_dispute', 'contest_dispute'].includes(verb)) {
    if (unfinished.includes(state)) differs(`${verb} ${operation.n} has not come to its end`)
    return
  }
  const [their] = remote
  const text = `${verb} ${operation.n} of ${amount} (${operation.request_id}) is ${state} here and ${their?.status ?? 'unknown'} there`
  if (remote.length > 1) differs(`${verb} ${operation.n} was made ${remote.length} times there`)
  if (purpose === 'merchant' && their?.sends > 1 && !mayBeSentTwice(operation))
    differs(`${verb} ${operation.n} was sent ${their.sends} times`)
  if (unfinished.includes(state)) differs(`${text}: it has not come to its end`)
  // The books of money do not contain authentications.
  else if (verb === 'authenticate') return
  else if (!their && ((state === 'declined' && refusedThere(operation)) || isLeftAlone(operation))) return
  else if (!endsFor(operation, their, lies).includes(state)) differs(text)
}

/**
 * Whether the processor cannot be queried. An unanswered operation is then sent again under the same request id; if
 * the processor never answers, the result stays unknown.
 */
const cannotBeAsked = (connector: string): boolean => connectors[connector]?.sync === undefined

/**
 * Whether an operation may be sent twice. At PayPal, an order that the customer has approved is captured or authorized
 * both upon the customer's return and upon PayPal's webhook, but PayPal allows it only once.
 */
const mayBeSentTwice = ({ connector, verb }: Body): boolean => cannotBeAsked(connector) || (connector === 'paypal' && verb === 'authorize')

/**
 * Verbs that leave no record at a processor where it declined them: a service that did not receive the decline can
 * only find that nothing was done.
 */
const forgetsItsNo: Record<string, string[]> = {
  stripe: ['capture', 'void', 'increment'],
  paypal: ['authorize', 'void', 'extend'],
  braintree: ['void'],
}

/** Gives the states in which an operation of the service may have ended, by the processor's record of it. */
function endsFor({ verb, connector, amount }: Body, their: Body | undefined, lies: boolean): string[] {
  // Mollie accepts a release and does not report its failure: the rest of a hold ends when the hold expires. Nor does
  // it list releases: that of a rest beside a capture, or another person's, is seen in the payment only.
  if (connector === 'mollie' && verb === 'void' && !(their?.status === 'approved' && their.amount === Number(amount)))
    return ['declined', 'done', 'not_received', 'not_sent']
  if (!their) return cannotBeAsked(connector) ? ['not_sent', 'unresolved'] : ['not_received', 'not_sent']
  // Braintree reverses a payment that has not settled; a reversal that it declined leaves no refund to be found.
  if (their.status === 'declined' && connector === 'braintree' && their.type === 'reversal') return ['declined', 'not_received']
  // An order that the customer never approved, or whose challenge the customer never passed, never received a request
  // for money.
  if (['not_paid', 'authentication_expired'].includes(their.decline?.code) && their.sends === 0)
    return ['declined', 'not_received', 'not_sent']
  // A cancelled intent no longer shows that its customer had declined.
  if (their.status === 'declined' && connector === 'stripe' && verb === 'authorize') return ['declined', 'lapsed']
  if (their.status === 'declined') return forgetsItsNo[connector]?.includes(verb) ? ['declined', 'not_received'] : ['declined']
  if (their.status !== 'approved') return []
  if (verb !== 'authorize') return ['done']
  // A hold may have expired before the service learned of it.
  return lies ? ['conflicted'] : ['done', 'lapsed']
}

/**
 * Verifies that each payment has one charge at most, that no amount differs, that no amount stays reserved, and that
 * no money is held for which no payment waits.
 */
function judgeCharge(
  row: Body,
  charges: readonly Body[],
  refunds: readonly Body[],
  operations: readonly Body[],
  lies: boolean,
  differs: Differs,
): void {
  const givesBack = ({ purpose, verb }: Body) => (purpose === 'reversal' && verb === 'refund') || verb === 'post_capture_void'
  const notGivenBack = operations.some(one => givesBack(one) && one.state === 'declined')
  const [charge] = charges
  const isUnknowable = operations.some(({ state, connector }) => state === 'unresolved' && cannotBeAsked(connector))
  if (!charge && isUnknowable && row.status === 'requires_merchant_action') return
  if (charges.length > 1) differs(`it was charged ${charges.length} times`)
  const amounts = ['amount_received', 'amount_refunded', 'amount_capturable', 'amount_capturing', 'amount_refunding'] as const
  const held = Object.fromEntries(amounts.map(name => [name, Number(row[name])]))
  const given = refunds.filter(refund => refund.status === 'succeeded').reduce((sum, refund) => sum + Number(refund.amount), 0)
  for (const refund of refunds)
    if (!['succeeded', 'failed'].includes(refund.status)) differs(`refund ${refund.refund_id} is ${refund.status}`)
  if (row.alone !== null) differs(`it is still waiting for operation ${row.alone}`)
  // The amounts of a processor that answers falsely are worth nothing, and the service must not act on them.
  if (lies && row.status === 'conflicted') return
  const there = charge?.status as string | undefined
  const disputed = charge?.disputed ?? 0
  if (Number(row.amount_disputed) !== disputed) differs(`banks keep ${row.amount_disputed} of it here and ${disputed} there`)
  if (charge && charge.refunded > charge.captured) differs(`${charge.refunded} of ${charge.captured} were given back`)
  if (charge && ['failed', 'cancelled'].includes(row.status) && givenBack(charge)) {
    if (Object.values(held).some(amount => amount !== 0)) differs(`it was given back, and its amounts are ${JSON.stringify(held)}`)
    return
  }
  // Cancelled after its capture: the money went back without a refund.
  if (charge && row.status === 'cancelled_post_capture' && givenBack(charge)) {
    const { amount_received, ...others } = held
    if (amount_received !== charge.captured || Object.values(others).some(amount => amount !== 0))
      differs(`it was undone, and its amounts are ${JSON.stringify(held)}`)
    return
  }
  // Others captured a part of a hold of a payment that failed: the payment tells the merchant so.
  if (charge && row.status === 'failed' && isForAPerson(row)) return
  // The processor refuses to return a charge that should not have been made: the payment tells the merchant so.
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
 * Gives the row as it was at each version, newest first, by undoing what its events record. No event may be missing;
 * each version must be a possible payment, and the first one must hold no money.
 */
export function versionsOf(row: Body, events: readonly Body[], differs: Differs): Body[] {
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
  const sequences = events.map(event => event.sequence).filter(sequence => sequence !== null)
  if (!isDeepStrictEqual([events.map(event => event.version), sequences], [upTo(row.version), upTo(row.sequence)]))
    differs(`its events are ${events.map(event => `${event.version}/${event.sequence}`)}, and its row is at ${row.version}/${row.sequence}`)
  const versions = [row]
  let now = row
  for (const { was } of events.toReversed()) {
    const { rows: _others, ...own } = was
    now = { ...now, ...own }
    versions.push(now)
  }
  // Before the first event the payment did not exist.
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
 * Compares all rows of one merchant, disputes and payouts too, with the processor's ledger, in both directions. Call
 * it when no job is left.
 */
export function judge(books: Books): Difference[] {
  const differences: Difference[] = []
  const of =
    (payment_id: string | null): Differs =>
    text =>
      differences.push({ payment_id, text })

  for (const { object_id, message: text } of books.faults) of(books.payments.has(object_id ?? '') ? object_id : null)(text)
  for (const id of books.misfiled) of(books.payments.has(id) ? id : null)(`${id} is not listed as what it is`)
  for (const [reference, operations] of books.remote)
    if (
      operations.some(({ origin }) => origin !== 'dashboard') &&
      !books.ours.has(reference) &&
      !books.ours.has(reference.replace(REST, ''))
    )
      of(null)(`the processor did what nobody has asked for: ${JSON.stringify(operations)}`)
  const refunds = Map.groupBy(books.refunds.values(), refund => refund.payment_id as string)
  for (const [payment_id, row] of books.payments) {
    const differs = of(payment_id)
    const lies = liars.includes(row.card?.last4)
    if (row.status === 'conflicted' && !lies) differs(`it is conflicted: ${JSON.stringify(row.last_error)}`)
    const operations = books.operations.get(payment_id) ?? []
    for (const operation of operations) judgeOperation(operation, books.remote.get(operation.request_id) ?? [], lies, differs)
    const charges = books.charges.get(payment_id) ?? []
    judgeAuthentication(row, charges, operations, books, differs)
    judgeCharge(row, charges, refunds.get(payment_id) ?? [], operations, lies, differs)
    if (!lies) judgeOutside(row, books, differs)
    versionsOf(row, books.events.get(payment_id) ?? [], differs)
  }
  judgeDisputes(books, of)
  judgePayouts(books, of)
  return differences
}

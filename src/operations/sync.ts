import { type ConnectorAccount, findConnectorAccount } from '../accounts/merchant.ts'
import { between, later } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import { idempotentFor, type Outcome, type References } from '../connectors/connector.ts'
import { converse } from '../connectors/converse.ts'
import { withoutCapturable } from '../connectors/outcome.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import { tokenOf } from '../connectors/tokens.ts'
import { actsOnNothing } from '../connectors/verbs.ts'
import type { Reads, Request, Sender, Time } from '../context.ts'
import { applyNoAnswer, applyOutcome, findRows, noteReference, type Rows, reopen, takeOver } from './apply-outcome.ts'
import { findReturn } from './customer-return.ts'
import { exchangeRecorder, keepExchanges } from './exchanges.ts'
import { acceptsUpdates, findOperations, isUnfinished, mayStillTurnUp, type Operation, type Owner } from './operation.ts'
import { afterAnswer, authorizationOf, perform, threeDsResultOf } from './perform.ts'
import { inFlightWindowIsOver, POLL_FOR_MS } from './poll-schedule.ts'
import { screenOf } from './references.ts'
import { type AggregateRow, aggregateOf, type Call } from './verb.ts'
import { verbOf } from './verb-of.ts'

/** How the processor is queried for polls, webhooks without a result, the customer's return and `force_sync`. */

/**
 * Settles an outcome. `target` may have been settled since it was read. `asked`: the head's version when the processor
 * was queried; if it has changed, the capturable amount of the answer may be outdated and is ignored.
 */
export async function receiveOutcome(call: Call, target: Operation, reported: Unscreened<Outcome>, asked?: number): Promise<void> {
  const rows = await findRows(call.context, call.services, target)
  if (!rows) return
  const outcome = reported.screened(screenOf(call, rows.head, rows.operation))
  const worth = ({ head }: Rows): Outcome => (asked !== undefined && head.version !== asked ? withoutCapturable(outcome) : outcome)
  // The instrument is read before the outcome is settled, because settling deletes data that waits for the outcome.
  const instrument =
    outcome.is === 'done' ? await aggregateOf(call.services, target).instrument?.(call.context, rows.head, rows.operation) : undefined
  const settled = await (instrument === null
    ? applyOutcome(call, rows, { is: 'not_sent', why: 'the payment method was deleted' })
    : applyOutcome(call, rows, outcome, undefined, worth))
  if (settled.opened)
    await perform(call, settled.head, settled.opened, instrument ? { instrument, threeDsResult: threeDsResultOf(outcome) } : {})
  else if (acceptsUpdates(rows.operation)) await afterAnswer(call, settled.head, rows.operation, outcome)
}

export async function receiveReferences(call: Call, target: Operation, references: Unscreened<References>): Promise<void> {
  const rows = await findRows(call.context, call.services, target)
  if (rows)
    await aggregateOf(call.services, target).learnt?.(call, rows.operation, references.screened(screenOf(call, rows.head, rows.operation)))
}

/**
 * Asks the processor for the result of an operation and settles the answer. Reversals, and operations that cannot be
 * looked up, are sent again instead if possible. After seven days it is the last time: without a result, polling ends
 * and manual review is required. Returns when to ask again, if sooner than usual: a process whose clock is not steady
 * for long enough cannot treat "not found" as a no yet.
 */
export async function syncOperation(call: Call, asked: Operation): Promise<Time | null> {
  const { context, services } = call
  const rows = await findRows(context, services, asked)
  if (!rows) return null
  const { head, operation, companionRow } = rows
  // External changes of an authorization that has its result, and their results, show only in the whole of it.
  if ((operation.verb === 'authorize' && operation.state === 'done') || operation.purpose === 'external') {
    const whole = (await aggregateOf(services, operation).askWhole?.(call, operation)) ?? 'unsupported'
    if (whole !== 'unsupported') return null
  }
  const until = verbOf(services, operation).until?.(head, operation) ?? later(operation.began, POLL_FOR_MS)
  const last = isUnfinished(operation) && context.now() >= until
  if (isSentAgain(call, operation) && !last) {
    const taken = operation.purpose === 'reversal' ? rows : await takeOver(call, rows)
    if (taken) await perform(call, taken.head, taken.operation, { companionRow, again: true })
    return null
  }
  const answer = await queryProcessor(call, rows)
  const [outcome, again] = answer !== null && 'again' in answer ? [null, answer.again] : [answer, null]
  if (outcome?.is === 'not_found' && operation.purpose === 'reversal' && isUnfinished(operation) && !last) {
    const anew = await reopen(call, rows)
    if (anew) await perform(call, anew.head, anew.operation, { companionRow })
    return null
  }
  if (outcome) await receiveOutcome(call, operation, new Unscreened(outcome), head.version)
  if (last) await giveUp(call, operation)
  return again
}

/**
 * Whether the operation is sent again under its request id instead of queried: while the processor surely recognizes
 * that id, and has not accepted the request. Not if it acts on no authorization (instruments are not stored), nor, for
 * a merchant's request, to another account.
 */
function isSentAgain({ context, merchant }: Call, operation: Operation): boolean {
  const connector = connectors[operation.connector]
  const found = findConnectorAccount(merchant, operation.merchant_connector_id)
  if (!connector || !found || !isUnfinished(operation) || operation.state === 'waiting' || actsOnNothing(operation.verb)) return false
  if (operation.purpose === 'external') return false
  const isOurs = operation.purpose === 'reversal'
  const instead = isOurs || (connector.sync === undefined && !hasChanged(found, operation))
  return instead && between(operation.began, context.now()) < idempotentFor(connector.accepts, operation.verb)
}

/** Whether the account may be another than the one that the operation was sent to. */
const hasChanged = ({ since }: Pick<ConnectorAccount, 'since'>, { began }: Operation): boolean =>
  since !== null && began < later(since, CHANGE_IS_KNOWN_MS)

/**
 * Queries the processor. Null: nothing settled, because the query failed or is not supported, or "not found" is not a
 * no. A reference in the answer is stored in any case. `again`: "not found" would be a no by now, but the clock of
 * this process is not certain enough yet.
 */
async function queryProcessor(call: Call, rows: Rows): Promise<Outcome | { again: Time } | null> {
  const { context, merchant } = call
  const { operation } = rows
  const connector = connectors[operation.connector]
  const found = findConnectorAccount(merchant, operation.merchant_connector_id)
  if (!connector || !found) return null
  const { account } = found
  const { verb, request_id, reference, amount, currency, merchant_id, merchant_connector_id } = operation
  const authorization = actsOnNothing(operation.verb) ? null : await authorizationOf(call, rows.head, operation)
  const about = { verb, request_id, reference, money: { amount, currency }, authorization, began: operation.began }
  const parameters = await toComplete(call, rows)
  const conversation = parameters ? connector.returned?.ask({ ...about, parameters }, account) : connector.sync?.(about, account)
  if (!conversation) return null
  const sender: Sender = { merchant_id, merchant_connector_id, purpose: parameters ? 'move' : 'ask' }
  const send = (request: Request) => context.send(request, sender)
  const learn = async (name: string) => Object.assign(rows, await noteReference(call, rows, name))
  const listened = exchangeRecorder(context)
  const outcome = await converse(
    {
      send,
      listened,
      screen: screenOf(call, rows.head, operation),
      token: tokenRequest => tokenOf(account, tokenRequest, context.now, send),
      note: name => learn(name).then(() => true),
    },
    conversation,
  )
  keepExchanges(context, operation, listened, outcome.is, account)
  if (outcome.is === 'unknown' || outcome.is === 'not_sent' || outcome.is === 'later') {
    if (outcome.reference !== undefined) await learn(outcome.reference)
    return null
  }
  if (outcome.is !== 'not_found') return outcome
  // The account may have changed since the request was sent: "not found" then has no meaning.
  if (hasChanged(found, operation)) return null
  // "Not found" is definitive only when the request can no longer be on its way, and the processor has never given the
  // operation a reference, or still knows the object that it was to act on.
  const isGone = outcome.gone === true && between(operation.began, context.now()) < GONE_MS
  const nameless = reference === null || isGone || (outcome.reference === reference && operation.state !== 'waiting')
  const since = operation.purpose === 'reversal' ? operation.modified_at : operation.began
  const window_ms = Math.max(connector.accepts.in_flight_ms, outcome.lags_ms ?? 0)
  if (!nameless) return null
  if (inFlightWindowIsOver(context, since, window_ms)) return outcome
  return between(since, context.now()) > window_ms ? { again: later(context.steadySince(), window_ms + 1) } : null
}

/**
 * The parameters that the customer has brought back, to complete the operation. Null: none, or it is not to be
 * completed, as its payment is being cancelled; a processor that can only be queried with them gets them in any case.
 */
async function toComplete({ context, services }: Call, { head, operation }: Rows): Promise<Record<string, string> | null> {
  const isWanted = aggregateOf(services, operation).completes?.(head, operation) ?? true
  return isWanted || connectors[operation.connector]?.sync === undefined ? findReturn(context, operation) : null
}

/** How long a processor surely keeps a paid order: one that is gone later may have been paid. */
const GONE_MS = 30 * 24 * 3_600_000

/** How long until every process uses a changed account, and requests with the old one have ended. */
const CHANGE_IS_KNOWN_MS = 60_000

async function giveUp(call: Call, asked: Operation): Promise<void> {
  const rows = await findRows(call.context, call.services, asked)
  if (rows && isUnfinished(rows.operation)) await applyNoAnswer(call, rows)
}

/** The connectors with unfinished operations that cannot be looked up: their results come by webhook only. */
export async function webhookOnlyConnectors(context: Reads, owner: Owner): Promise<string[]> {
  const unasked = (await findOperations(context, owner)).filter(one => acceptsUpdates(one) && connectors[one.connector]?.sync === undefined)
  return [...new Set(unasked.map(({ connector }) => connector))]
}

/** The longest wait for processors in a `force_sync`: the caller then receives the state that is known. */
const LONGEST_SYNC_MS = 20_000

/**
 * Asks the processors about all operations of a head that may still change: unfinished, given up, declined by hand, or
 * settled (`mayChange`). Returns the head as it stands.
 */
export async function forceSync<H extends AggregateRow>(call: Call, head: H, owner: Owner): Promise<H> {
  const { context, services } = call
  const kind = aggregateOf(services, owner)
  const mayChange = [...new Set([...kind.mayChange(head), ...(kind.movable?.(head) ?? [])])]
  const operations = await findOperations(context, owner)
  const askAll = (some: Operation[]) => Promise.all(some.map(operation => syncOperation(call, operation)))
  // A capture that turns up is booked first: otherwise a query of its hold would report that money as gone.
  const asking = askAll(operations.filter(mayStillTurnUp)).then(() =>
    askAll(operations.filter(one => !mayStillTurnUp(one) && mayChange.includes(one.n))),
  )
  const answered = new AbortController()
  await Promise.race([asking.finally(() => answered.abort()), context.wait(LONGEST_SYNC_MS, answered.signal)])
  return ((await kind.find(context, owner.merchant_id, owner.object_id)) as H | undefined) ?? head
}

import { findConnectorAccount } from '../accounts/merchant.ts'
import { between } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import type { ThreeDsResult } from '../connectors/authentication.ts'
import type { Authorization, NotNow, Outcome } from '../connectors/connector.ts'
import { type Carrier, converse } from '../connectors/converse.ts'
import { NOT_TAKEN } from '../connectors/outcome.ts'
import { tokenOf } from '../connectors/tokens.ts'
import { verbs } from '../connectors/verbs.ts'
import type { Reply, Request, Sender } from '../context.ts'
import { customerAt, storeProcessorCustomer } from '../customers/at-processors.ts'
import { applyOutcome, noteReference, type Rows } from './apply-outcome.ts'
import { receiveMore } from './approved-more.ts'
import { exchangeRecorder, keepExchanges } from './exchanges.ts'
import { findOperation, isUnfinished, type Operation } from './operation.ts'
import { TOO_LATE_MS } from './poll-schedule.ts'
import { screenOf } from './references.ts'
import { type AggregateRow, aggregateOf, type Call, type InstrumentAt, instrumentAt, type OutcomeContext } from './verb.ts'
import { lacking, verbOf } from './verb-of.ts'

/** How long after the first request a further one may be sent: 20 s at most each, an answer to the caller in 25 s. */
const TIME_FOR_MORE_MS = 3_000

/**
 * The data of a request that no row stores, the companion row if it is in memory, and the operations tried before.
 * `again`: the operation may have been sent before, under the same request id.
 */
export type Given = {
  instrument?: InstrumentAt
  threeDsResult?: ThreeDsResult | undefined
  statement_descriptor?: string
  companionRow?: unknown
  tried?: readonly Operation[]
  again?: true
}

/**
 * Sends a written operation and settles the answer: the *talk* and second *commit* of commit · talk · commit. An
 * operation that settling opens (a reversal, a retry at another account) is performed too.
 */
export async function perform<H extends AggregateRow>(call: Call, head: H, operation: Operation, given: Given = {}): Promise<H> {
  const { instrument, companionRow = null, tried = [] } = given
  const rows: Rows = { head, operation, companionRow }
  const received = await talkAgainLater(call, rows, given)
  const outcome = given.again ? ofAllSendings(received) : received
  const { next } = verbOf(call.services, operation)
  const where = (more: OutcomeContext) =>
    instrument && next
      ? next({ ...more, merchant: call.merchant, head, operation, outcome, instrument, tried, now: call.context.now() })
      : null
  const settled = await applyOutcome(call, rows, outcome, where, ({ operation: now }) =>
    isOvertaken(operation, now, outcome) ? null : outcome,
  )
  const { opened } = settled
  if (!opened) return (await afterAnswer(call, settled.head, operation, outcome)) as H
  // Payment data goes only to a connector that accepts it.
  if (!instrument || verbs[opened.verb].takes === null) return (await perform(call, settled.head, opened)) as H
  const threeDsResult = threeDsResultOf(outcome) ?? given.threeDsResult
  const again = opened.verb === operation.verb ? [...tried, operation] : tried
  return (await perform(call, settled.head, opened, { instrument, threeDsResult, tried: again })) as H
}

/**
 * Looks at the whole payment if its processor refused a merchant's operation on an authorization, or never received it
 * (what others did may have waited for its result), or approved what others have captured meanwhile. Returns the head.
 */
export async function afterAnswer(call: Call, head: AggregateRow, operation: Operation, outcome: Outcome): Promise<AggregateRow> {
  const { refused, find } = aggregateOf(call.services, operation)
  if (await receiveMore(call, operation, head, outcome))
    return ((await find(call.context, operation.merchant_id, operation.object_id)) as AggregateRow | undefined) ?? head
  const isNo = outcome.is === 'declined' || outcome.is === 'not_found' || (outcome.is === 'done' && outcome.held_nothing === true)
  const isRefused = isNo && operation.purpose === 'merchant' && operation.acts_on !== null
  return isRefused && refused ? refused(call, head, operation) : head
}

/** The longest wait for a processor that takes no requests now, and the usual one if it does not say how long. */
const LATER_WITHIN_MS = 4_000
const LATER_MS = 1_000

/**
 * Sends an operation, and once more under the same request id after a short wait if the processor takes no requests
 * now, in which case it has done nothing. A longer wait, or a second time: `not_sent`.
 */
async function talkAgainLater(call: Call, rows: Rows, given: Given): Promise<Outcome> {
  const { context } = call
  const began = context.now()
  const first = await talk(call, rows, given)
  if (first.is !== 'later') return first
  const wait_ms = first.after_ms ?? LATER_MS
  if (between(began, context.now()) + wait_ms > LATER_WITHIN_MS) return notTaken(first)
  await context.wait(wait_ms)
  const second = await talk(call, rows, given)
  return second.is === 'later' ? notTaken(second) : second
}

const notTaken = ({ reference }: NotNow): Outcome => ({ is: 'not_sent', why: NOT_TAKEN, ...(reference !== undefined && { reference }) })

/** The proof that the customer was authenticated. */
export const threeDsResultOf = (outcome: Outcome): ThreeDsResult | undefined =>
  outcome.is === 'done' ? outcome.three_ds_result : undefined

/**
 * The outcome of an operation that was sent before: a request that was not sent, or was refused for the account's
 * configuration, says nothing of the earlier request, so the outcome is `unknown`.
 */
function ofAllSendings(outcome: Outcome): Outcome {
  if (outcome.is === 'not_sent') return { ...outcome, is: 'unknown' }
  return isNotLetIn(outcome) ? { is: 'unknown', why: outcome.message } : outcome
}

const isNotLetIn = (outcome: Outcome): outcome is Extract<Outcome, { is: 'declined' }> =>
  outcome.is === 'declined' && outcome.code === 'configuration'

/**
 * Whether another sender has sent the operation, or news of it has arrived, since this sender began: that its own
 * request was not sent, or was refused for the account's configuration, is then no news.
 */
const isOvertaken = (begun: Operation, now: Operation, outcome: Outcome): boolean =>
  (outcome.is === 'not_sent' || isNotLetIn(outcome)) && now.purpose !== 'reversal' && begun.modified_at !== now.modified_at

/** Holds the conversation about a written operation. Writes only noted references, and updates `rows` with them. */
async function talk(call: Call, rows: Rows, { instrument: given, threeDsResult, statement_descriptor, again }: Given): Promise<Outcome> {
  const { context, services, merchant } = call
  const { head, operation, companionRow } = rows
  const instrument = instrumentAt(given, operation)
  // Another process may have decided meanwhile that the request never arrived.
  if (!again && between(operation.modified_at, context.now()) > TOO_LATE_MS) return { is: 'unknown', why: 'not sent in time' }
  const connector = connectors[operation.connector]
  const account = findConnectorAccount(merchant, operation.merchant_connector_id)?.account
  if (!connector || !account) return { is: 'unknown', why: 'the connector account was deleted' }
  const { takes } = verbs[operation.verb]
  const taken: readonly string[] = (takes && connector.accepts[takes]) ?? []
  if (instrument && !taken.includes(instrument.is))
    return { is: 'not_sent', why: `${operation.connector} does not support ${instrument.is}` }
  const authorization = operation.acts_on === null ? ofNothing : await authorizationOf(call, head, operation)
  const verb = verbOf(services, operation)
  const conversation = verb.buildRequest({
    connector,
    account,
    merchant,
    head,
    operation,
    authorization,
    instrument,
    threeDsResult,
    companionRow,
    statement_descriptor,
  })
  if (!conversation) {
    // A verb that the connector lacks was never sent. Otherwise data is missing now, and the operation may have been
    // sent before.
    const cannot = verb === lacking || connector[operation.verb] === undefined
    return { is: cannot ? 'not_sent' : 'unknown', why: `${operation.connector} does not support ${operation.verb}` }
  }
  // A conversation of several requests must end in time for the caller's answer: a request that is late is not sent.
  const began = context.now()
  const sender: Sender = { merchant_id: merchant.merchant_id, merchant_connector_id: operation.merchant_connector_id, purpose: 'move' }
  const send = (request: Request): Promise<Reply> =>
    between(began, context.now()) > TIME_FOR_MORE_MS
      ? Promise.resolve<Reply>({ is: 'not_sent', why: 'no time was left to send it' })
      : context.send(request, sender)
  const wasAlone = head.alone === operation.n
  const listened = exchangeRecorder(context)
  const outcome = await converse(
    {
      send,
      listened,
      screen: screenOf(call, head, operation, instrument && 'number' in instrument ? instrument.number : undefined),
      token: tokenRequest => tokenOf(account, tokenRequest, context.now, request => context.send(request, sender)),
      ...payerOf(call, head, operation),
      async note(reference) {
        Object.assign(rows, await noteReference(call, rows, reference))
        // Other news may have ended the operation while the reference was written, or begun to reverse it.
        return isUnfinished(rows.operation) && (!wasAlone || rows.head.alone === operation.n)
      },
    },
    conversation,
  )
  keepExchanges(context, operation, listened, outcome.is, account, instrument)
  return outcome
}

/** The customer, for connectors that use customers. That id at the processor moves no money, so it may be lost. */
function payerOf({ context, services }: Call, head: AggregateRow, operation: Operation): Pick<Carrier, 'customer'> {
  const { merchant_id, merchant_connector_id } = operation
  const customer_id = aggregateOf(services, operation).customer?.(head) ?? null
  if (customer_id === null) return {}
  const at = { merchant_id, customer_id, merchant_connector_id }
  return {
    customer: {
      known: () => customerAt(context, at),
      called: reference =>
        storeProcessorCustomer(context, at, reference).then(
          () => {},
          error => context.log.warn({ err: error, merchant_id, merchant_connector_id }, 'the processor’s customer id could not be stored'),
        ),
    },
  }
}

const ofNothing: Authorization = { reference: null, request_id: '' }

/**
 * Finds the authorization that an operation acts on. The head contains the current one; an earlier one is read, and so
 * is one without a result, whose reference may have been noted.
 */
export async function authorizationOf({ context, services }: Call, head: AggregateRow, operation: Operation): Promise<Authorization> {
  const { acts_on } = operation
  if (acts_on === null) return ofNothing
  const current = aggregateOf(services, operation).authorization(head, acts_on)
  if (current && current.reference !== null) return current
  return (await findOperation(context, operation, acts_on)) ?? current ?? ofNothing
}

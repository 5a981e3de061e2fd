import { findConnectorAccount } from '../accounts/merchant.ts'
import type { Currency } from '../base/currencies.ts'
import { between, later } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import type { Outcome } from '../connectors/connector.ts'
import { converse } from '../connectors/converse.ts'
import { tokenOf } from '../connectors/tokens.ts'
import type { Request, Sender } from '../world.ts'
import { ASK_FOR_MS, inFlightWindowIsOver } from './alarm.ts'
import { findOperations, isUnfinished, type Operation, type Owner, takesNews } from './operation.ts'
import { authorizationOf, perform } from './perform.ts'
import { findRows, note, type Rows, settle, settleWithoutAnswer } from './settle.ts'
import { type Call, type Head, kindOf } from './verb.ts'

/** News that comes unasked or late: from alarms, webhooks, the customer's return, `force_sync`. It all ends in `settle`; here is only how the processor is asked. */

/** Settles one outcome of an operation. `heard` only names it: it may have been settled since it was read. */
export async function hear(call: Call, heard: Operation, outcome: Outcome): Promise<void> {
  const rows = await findRows(call.world, call.here, heard)
  if (!rows) return
  const settled = await settle(call, rows, outcome)
  if (settled.opened) await perform(call, settled.head, settled.opened)
}

/**
 * Asks the processor what became of an operation and settles what it says.
 *
 * Our own giving-back of money is sent again, under the same request id, rather than asked about. After seven days the question is put a last time; if that brings no end, nobody is asked any
 * more and a person must look.
 */
export async function ask(call: Call, asked: Operation): Promise<void> {
  const { world, here } = call
  const rows = await findRows(world, here, asked)
  if (!rows) return
  const { head, operation, along } = rows
  const last = isUnfinished(operation) && between(operation.began, world.now()) >= ASK_FOR_MS
  // Only where a creation may be sent twice, and only until the processor has taken it on: then asking is enough.
  const resend = operation.state !== 'waiting' && connectors[operation.connector]?.accepts.creation === 'safe'
  if (operation.purpose === 'reversal' && isUnfinished(operation) && resend && !last) {
    await perform(call, head, operation, { along })
    return
  }
  const outcome = await question(call, rows)
  if (outcome) await hear(call, operation, outcome)
  if (last) await giveUp(call, operation)
}

/** What the processor says of an operation; null if that says nothing: a question that failed, or "not found" where that is not a no. A reference that it learns is written down all the same. */
async function question(call: Call, rows: Rows): Promise<Outcome | null> {
  const { world, merchant } = call
  const { operation } = rows
  const connector = connectors[operation.connector]
  const found = findConnectorAccount(merchant, operation.merchant_connector_id)
  if (!connector || !found) return null
  const { account, since } = found
  const { verb, request_id, reference, amount, currency, merchant_id, merchant_connector_id } = operation
  const sender: Sender = { merchant_id, merchant_connector_id, purpose: 'ask' }
  const send = (request: Request) => world.send(request, sender)
  const authorization = verb === 'authorize' ? null : await authorizationOf(call, rows.head, operation)
  const learn = async (name: string) => Object.assign(rows, await note(call, rows, name))
  const outcome = await converse(
    { send, token: wish => tokenOf(account, wish, world.now, send), note: name => learn(name).then(() => true) },
    connector.sync({ verb, request_id, reference, money: { amount, currency: currency as Currency }, authorization }, account),
  )
  if (outcome.is === 'unknown' || outcome.is === 'not_sent') {
    if (outcome.reference !== undefined) await learn(outcome.reference)
    return null
  }
  if (outcome.is !== 'not_found') return outcome
  // Whoever is asked now may be another than was sent to: that it knows nothing of this says nothing.
  if (since !== null && operation.began < later(since, CHANGE_IS_KNOWN_MS)) return null
  // A request can be "not found" for good only when it can no longer be on its way, and only if the processor has never named it before, or still knows what it was to act on.
  const nameless = reference === null || (outcome.reference === reference && operation.state !== 'waiting')
  const window_ms = Math.max(connector.accepts.in_flight_ms, outcome.lags_ms ?? 0)
  return nameless && inFlightWindowIsOver(world, operation.began, window_ms) ? outcome : null
}

/** Within this time every process goes by a change of an account (`accounts/settings.ts`), and what it had begun to send is sent. */
const CHANGE_IS_KNOWN_MS = 60_000

async function giveUp(call: Call, asked: Operation): Promise<void> {
  const rows = await findRows(call.world, call.here, asked)
  if (rows && isUnfinished(rows.operation)) await settleWithoutAnswer(call, rows)
}

/** A processor that does not answer must not keep the caller from what is known. */
const LONGEST_SYNC_MS = 20_000

/** Asks about everything of a head that is unfinished or was given up, and about what of it may still change; then gives the head as it stands. */
export async function forceSync<H extends Head>(call: Call, head: H, owner: Owner): Promise<H> {
  const { world, here } = call
  const kind = kindOf(here, owner)
  const mayChange = kind.mayChange(head)
  const operations = (await findOperations(world, owner)).filter(
    operation => takesNews(operation) || operation.state === 'not_received' || mayChange.includes(operation.n),
  )
  const asking = Promise.all(operations.map(operation => ask(call, operation)))
  const answered = new AbortController()
  await Promise.race([asking.finally(() => answered.abort()), world.wait(LONGEST_SYNC_MS, answered.signal)])
  return ((await kind.find(world, owner.merchant_id, owner.object_id)) as H | undefined) ?? head
}

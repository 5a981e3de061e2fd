import type { GsmRule, Rules } from '../accounts/gsm.ts'
import type { Merchant } from '../accounts/merchant.ts'
import type { Asker } from '../accounts/second-person.ts'
import type { Settings } from '../accounts/settings.ts'
import type { Currency } from '../base/currencies.ts'
import type { ThreeDsResult } from '../connectors/authentication.ts'
import type { Account, Authorization, Connector, Conversation, Learnt, Outcome } from '../connectors/connector.ts'
import type { DisputeSaid } from '../connectors/dispute.ts'
import type { Instrument, PaymentInstrument } from '../connectors/instrument.ts'
import type { Verb } from '../connectors/verbs.ts'
import type { Context, Posting, RowChange, Time } from '../context.ts'
import type { Table } from '../database/table.ts'
import type { Destination, Operation } from './operation.ts'

/**
 * What the engine of operations (`perform`, `applyOutcome`, `syncOperation`) must be told of the rooms to its right:
 * a *kind* for each row that operations belong to, and for each verb what is asked of the processor and what its
 * answer means. `startup/memory.ts` hands the table over.
 */

/** A row that operations belong to and move: a payment. `alone`: the n of the operation that needs it alone. */
export type AggregateRow = {
  merchant_id: string
  version: number
  sequence: number
  status: string
  alone: number | null
  currency: Currency
  operation_count: number
  attempt_count: number
  modified_at: Time
  /** When the customer's session ends. */
  expires_on: Time
}

/** What changes. `move` names what happened to the head (null: its status stays). */
export type Transition<H> = {
  move: string | null
  head: Partial<H>
  operation: Partial<Operation>
  /** An operation that begins in the same change. */
  open?: FollowUpOperation<H>
  /** Further rows, and the event to announce, where they are not the head's own (refunds). */
  rows?: RowChange[]
  announces?: string | null
}

/**
 * What opens with the end of another operation. A reversal of our own: money that should not have moved is given
 * back; `alone`: it needs the head alone. Or the same once more, at another account; or what it was to prepare
 * (`verb`): `head` is how the head stands on it. Or the capture of a hold that was just made for that.
 */
export type FollowUpOperation<H> =
  | { is: 'reversal'; verb: 'void' | 'refund'; alone: boolean }
  | { is: 'again'; verb?: 'authorize'; next: RetryTarget; head(opened: Operation): Partial<H> }
  | { is: 'capture'; amount: number }

/**
 * Where an operation that ended with a definitive no is tried once more. `step_up`: with the customer's
 * authentication, because the issuer asks for it.
 */
export type RetryTarget = { account: Destination; step_up: boolean }

/**
 * What an operation is performed with. `instrument`: what is paid with, or where a payout goes, only in the request
 * that contained it.
 */
export type Task<H, M extends Instrument = PaymentInstrument> = {
  connector: Connector
  account: Account
  merchant: Merchant
  head: H
  operation: Operation
  /** What it acts on, as the processor names it. */
  authorization: Authorization
  instrument: M | undefined
  along: unknown
  /** What proves that the customer was authenticated; no row keeps it. */
  threeDsResult?: ThreeDsResult | undefined
  /** What the customer's statement is to say of it, where a request says so; no row keeps it. */
  statement_descriptor?: string | undefined
}

/**
 * What is paid with, or whereto is paid out, at any account; or, where each account has another name for it, at this
 * one.
 */
export type InstrumentAt = Instrument | ((merchant_connector_id: string) => Instrument)
export const instrumentAt = (
  instrument: InstrumentAt | undefined,
  { merchant_connector_id }: Pick<Destination, 'merchant_connector_id'>,
): Instrument | undefined => (typeof instrument === 'function' ? instrument(merchant_connector_id) : instrument)

/**
 * What is known of an outcome besides what the processor said. `rule`: what the deployment makes of this no. `next`:
 * where it is tried once more, if it may be.
 */
export type More = { rule?: GsmRule; next?: RetryTarget | null }

/**
 * An operation that was just answered, while what is paid with is still in hand; `tried`: those before it in the same
 * request.
 */
export type Answered<H> = {
  merchant: Merchant
  head: H
  operation: Operation
  outcome: Outcome
  instrument: InstrumentAt
  tried: readonly Operation[]
  now: Time
} & More

export type VerbDefinition<H> = {
  /** A row that moves along with the head, read together with it (a refund's). */
  along?(context: Pick<Context, 'query' | 'files'>, operation: Operation): Promise<unknown>
  /** The conversation with the processor; null if it cannot be held. */
  ask(task: Task<H, Instrument>): Conversation | null
  /** What an outcome changes; null: nothing new. Pure. */
  after(head: H, operation: Operation, outcome: Outcome, now: Time, along: unknown, more?: More): Transition<H> | null
  /** Where it is tried once more after this no; null: nowhere. Pure. */
  next?(answered: Answered<H>): RetryTarget | null
  /** When polling ends, if that is not after seven days; null: it is. */
  until?(head: H, operation: Operation): Time | null
  /** What it changes that no answer came as long as one was waited for; null: nothing. Pure. */
  gaveUp(head: H, operation: Operation, now: Time, along: unknown): Transition<H> | null
}

/** How the heads of a kind forget a customer who was deleted (`forget.ts`). */
export type Forgetting = {
  /**
   * Takes the person out of all their heads. `each`: is told of every head, and whether anything of it was rewritten.
   * False if some are under way, so that this must be done again.
   */
  forget(
    context: Context,
    customer: { merchant_id: string; customer_id: string },
    each: (object_id: string, rewritten: boolean) => Promise<void>,
  ): Promise<boolean>
  /** Was the customer of this head deleted? */
  isForgotten(context: Pick<Context, 'query'>, merchant_id: string, object_id: string): Promise<boolean>
}

// biome-ignore lint/suspicious/noExplicitAny: the engine knows of a head what `AggregateRow` says; its verbs know the rest
export type AggregateDefinition<H extends AggregateRow = any> = {
  /** The table of the heads. */
  table: Table
  find(context: Pick<Context, 'query'>, merchant_id: string, object_id: string): Promise<H | undefined>
  /** The status after a move of its lifecycle. */
  after(head: H, move: string): H['status']
  /** Under which type of event merchants hear of its status; null: they do not. */
  announced(head: H): string | null
  /** The authorization with this n, if the head itself names it. */
  authorization(head: H, n: number): Authorization | null
  /** The customer who pays, if the merchant keeps them. */
  customer?(head: H): string | null
  /** The card network of what is paid with, if it is one's. */
  network(head: H): string | null
  /** The fingerprint of the card that is paid with, or paid out to, if it is one whose number is known. */
  card(head: H): string | null
  /**
   * What is paid with, where a yes to this operation opens one that needs it, and it is not in memory: out of the
   * vault. Null: it is gone.
   */
  instrument?(context: Context, head: H, operation: Operation): Promise<PaymentInstrument | null> | undefined
  /**
   * Settled operations of which the processor may still have news in this status (a hold that may lapse), by their n.
   */
  mayChange(head: H): number[]
  /**
   * Is an authorization that its customer has agreed to still to be completed? Not of what is being undone, or is over
   * (`sync.ts`).
   */
  completes?(head: H, operation: Operation): boolean
  /**
   * The money that moved with a change: of a head and one of its operations, before and after, which opened another
   * one or did not. Pure.
   */
  posts?(head: { was: H; is: H }, operation: { was: Operation; is: Operation }, opened: Operation | null): Posting | undefined
  /** What is done about a head once its customer is deleted. */
  forgetting: Forgetting
  /** Told of an operation once something new of it is written: its state before and after. */
  heard?(head: H, was: Operation, is: Operation): void
  /** Told of a dispute of it. Hearing something twice changes nothing. */
  disputed?(call: Call, operation: Operation, said: DisputeSaid): Promise<void>
  /** Told what the processor calls what it keeps of what was paid with. Hearing something twice changes nothing. */
  learnt?(call: Call, operation: Operation, said: Learnt): Promise<void>
  /** What is done with a head once its news is written, from any source. Throws nothing. */
  afterwards?(call: Call, head: H): Promise<void> | undefined
  /** What merchants ask for, and our own undoing of it. What is missing is never sent (`verb-of.ts`). */
  verbs: Partial<Record<Verb, VerbDefinition<H>>>
  reversals: Partial<Record<'void' | 'refund', VerbDefinition<H>>>
}

/** What the engine knows of the deployment: what operations mean, and what is made of what processors say. */
export type Engine = { kinds: Readonly<Record<string, AggregateDefinition>>; rules: Rules }

/**
 * Who asks for what, wherein: the first argument of a story. `platform`: the account that acts for the merchant, which
 * is connected to it. `aside`: the world of what is written beside the work itself, and claims no Idempotency-Key. A
 * story that needs to know more of the deployment than the engine takes a `StoryCall` (`payments/services.ts`).
 */
export type Call = {
  context: Context
  services: Engine
  merchant: Merchant
  platform?: string | undefined
  aside?: Context
  /** The person who asks, where it is one. */
  person?: Asker | undefined
}

/** What a job is done with: the context of alarms, what operations need, and the settings of merchants. */
export type JobContext = Pick<Call, 'context' | 'services'> & { settings: Settings }

export const aggregateOf = (services: Pick<Engine, 'kinds'>, { kind }: Pick<Operation, 'kind'>): AggregateDefinition =>
  services.kinds[kind]!

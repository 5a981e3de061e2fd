import type { GsmRule, Rules } from '../accounts/gsm.ts'
import type { Merchant } from '../accounts/merchant.ts'
import type { Asker } from '../accounts/second-person.ts'
import type { Settings } from '../accounts/settings.ts'
import type { Currency } from '../base/currencies.ts'
import type { EventType } from '../base/event-types.ts'
import type { ThreeDsResult } from '../connectors/authentication.ts'
import type { Account, Authorization, Outcome, References } from '../connectors/connector.ts'
import type { DisputeReport } from '../connectors/dispute.ts'
import type { Instrument, PaymentInstrument } from '../connectors/instrument.ts'
import type { PaymentReport } from '../connectors/payment-report.ts'
import type { Port, PortConversation } from '../connectors/port.ts'
import type { Unscreened } from '../connectors/redaction/card-numbers.ts'
import type { Verb } from '../connectors/verbs.ts'
import type { Context, Posting, Reads, RowChange, Time } from '../context.ts'
import type { Table } from '../database/table.ts'
import type { Destination, Operation } from './operation.ts'

/**
 * The definitions that the engine of operations needs from the modules to its right: a *kind* for each row that
 * operations belong to, and for each verb its request and the meaning of its answers. `startup/caches.ts` passes this
 * table in.
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
  expires_on: Time
}

/** The change that an outcome makes. `move` names the head's move (null: its status stays). */
export type Transition<H> = {
  move: string | null
  head: Partial<H>
  operation: Partial<Operation>
  open?: FollowUpOperation<H>
  /** Further rows, and the event type to announce, if it is not the head's own (refunds). */
  rows?: RowChange[]
  announces?: EventType | null
}

/**
 * An operation that opens with the end of another. `reversal`: returns money that should not have moved (`amount`: not
 * all of it); `alone`: it needs the head for itself. `again`: the same at another account, or what the ended one has
 * prepared (`verb`); `head` returns the head's change. `capture`: of a hold made for this purpose.
 */
export type FollowUpOperation<H> =
  | { is: 'reversal'; verb: 'void' | 'refund'; alone: boolean; amount?: number }
  | { is: 'again'; verb?: 'authorize'; next: RetryTarget; head(opened: Operation): Partial<H> }
  | { is: 'capture'; amount: number }

/** The account of a retry after a definitive no. `step_up`: with authentication, because the issuer requires it. */
export type RetryTarget = { account: Destination; step_up: boolean }

/** To perform an operation. `instrument`: also a payout's recipient; only in the request that contained it. */
export type RequestInput<H, M extends Instrument = PaymentInstrument> = {
  connector: Port
  account: Account
  merchant: Merchant
  head: H
  operation: Operation
  /** The authorization that the operation acts on, with the processor's reference. */
  authorization: Authorization
  instrument: M | undefined
  companionRow: unknown
  /** The proof that the customer was authenticated; no row stores it. */
  threeDsResult?: ThreeDsResult | undefined
  /** The text for the customer's statement, if the request contains one; no row stores it. */
  statement_descriptor?: string | undefined
}

/** The payment instrument or the recipient of a payout; a function if each account has another token for it. */
export type InstrumentAt = Instrument | ((merchant_connector_id: string) => Instrument)
export const instrumentAt = (
  instrument: InstrumentAt | undefined,
  { merchant_connector_id }: Pick<Destination, 'merchant_connector_id'>,
): Instrument | undefined => (typeof instrument === 'function' ? instrument(merchant_connector_id) : instrument)

/** `rule`: the deployment's rule for this decline. `next`: the account of the retry, if there may be one. */
export type OutcomeContext = { rule?: GsmRule; next?: RetryTarget | null }

/** An operation just answered, its instrument still in memory. `tried`: those before it in the same request. */
export type Answered<H> = {
  merchant: Merchant
  head: H
  operation: Operation
  outcome: Outcome
  instrument: InstrumentAt
  tried: readonly Operation[]
  now: Time
} & OutcomeContext

export type VerbDefinition<H> = {
  /** Reads the row that moves along with the head (a refund's). */
  companionRow?(context: Pick<Context, 'query' | 'files'>, operation: Operation): Promise<unknown>
  /** Returns the conversation with the processor; null if the verb is not supported or data is missing. */
  buildRequest(input: RequestInput<H, Instrument>): PortConversation | null
  /** Returns the change that an outcome makes; null: nothing new. Pure. */
  after(head: H, operation: Operation, outcome: Outcome, now: Time, companionRow: unknown, more?: OutcomeContext): Transition<H> | null
  /** Returns the account at which the operation is retried after this no; null: none. Pure. */
  next?(answered: Answered<H>): RetryTarget | null
  /** Returns when polling ends; null: after the usual seven days. */
  until?(head: H, operation: Operation): Time | null
  /** Returns the change when polling ends without an answer; null: none. Pure. */
  onPollingEnded(head: H, operation: Operation, now: Time, companionRow: unknown): Transition<H> | null
}

/** How the heads of a kind forget a customer who was deleted (`forget.ts`). */
export type Forgetting = {
  /**
   * Removes the customer's data from all their heads; `each` learns whether a head's data was rewritten. False:
   * operations of some heads are in progress, so this must be called again.
   */
  forget(
    context: Context,
    customer: { merchant_id: string; customer_id: string },
    each: (object_id: string, rewritten: boolean) => Promise<void>,
  ): Promise<boolean>
  isForgotten(context: Reads, merchant_id: string, object_id: string): Promise<boolean>
}

// biome-ignore lint/suspicious/noExplicitAny: the engine knows of a head what `AggregateRow` says; its verbs know the rest
export type AggregateDefinition<H extends AggregateRow = any> = {
  table: Table
  find(context: Reads, merchant_id: string, object_id: string): Promise<H | undefined>
  /** Finds the current authorizations with this reference, at any account. Rows of their own would be cheaper. */
  called?(context: Reads, merchant_id: string, reference: string): Promise<{ object_id: string; n: number | null }[]>
  after(head: H, move: string): H['status']
  /** Null: not announced. */
  announced(head: H): EventType | null
  /** Returns the authorization with this n, if the head itself contains it. */
  authorization(head: H, n: number): Authorization | null
  customer?(head: H): string | null
  network(head: H): string | null
  /** The fingerprint of the card that is paid with or out to; null: no card, or its number is not known. */
  card(head: H): string | null
  /** The instrument for an operation that an approval opens, if it is not in memory. Null: it was deleted. */
  instrument?(context: Context, head: H, operation: Operation): Promise<PaymentInstrument | null> | undefined
  /** The n of each settled operation of which there may still be news in this status (a hold that may lapse). */
  mayChange(head: H): number[]
  /** Whether an agreed authorization is still to be completed: not if the payment is being cancelled, or is over. */
  completes?(head: H, operation: Operation): boolean
  /** The posting for the money that moved with a change, given the operation that it opened, if any. Pure. */
  posts?(head: { was: H; is: H }, operation: { was: Operation; is: Operation }, opened: Operation | null): Posting | undefined
  forgetting: Forgetting
  /** Called with an operation once a change of it is written: its state before and after. */
  operationChanged?(head: H, was: Operation, is: Operation): void
  /** Called with news of a dispute of the operation. The same news twice changes nothing. */
  disputed?(call: Call, operation: Operation, dispute: DisputeReport): Promise<void>
  /** Called with what a processor says of the whole of an authorization, or that it says something new (`ask`). */
  reported?(call: Call, authorization: Operation, report: Unscreened<PaymentReport> | 'ask'): Promise<void>
  /**
   * Asks the processor about the whole of an authorization, and applies the answer. `unsupported`: it cannot be asked,
   * so only single operations are.
   */
  askWhole?(call: Call, authorization: Operation): Promise<'compared' | 'silent' | 'unsupported'>
  /** Whether an approval tells of money that others have moved: its totals are then received as a report. */
  tellsMore?(head: H, approval: Extract<Outcome, { is: 'done' }>): boolean
  /** Called with a merchant's operation that the processor refused, perhaps because others were first there. */
  refused?(call: Call, head: H, operation: Operation): Promise<H>
  /** The n of each authorization whose money others may move at the processor. */
  movable?(head: H): number[]
  /** Called with the processor's ids of the saved instrument and its customer. The same news twice changes nothing. */
  learnt?(call: Call, operation: Operation, references: References): Promise<void>
  /** Called with a head once its news is written, from any source. Never throws. */
  afterwards?(call: Call, head: H): Promise<void> | undefined
  /** The verbs of merchants, and the service's own reversals. A missing one is never sent (`verb-of.ts`). */
  verbs: Partial<Record<Verb, VerbDefinition<H>>>
  reversals: Partial<Record<'void' | 'refund', VerbDefinition<H>>>
}

/** The part of the deployment that the engine knows: the kinds of heads, and the rules for declines. */
export type Engine = { kinds: Readonly<Record<string, AggregateDefinition>>; rules: Rules }

/**
 * The first argument of a use case; one that needs more of the deployment takes a `UseCaseCall`
 * (`payments/services.ts`). `platform`: the connected platform account that acts for the merchant. `aside`: the
 * context for writes beside the work itself, which claim no Idempotency-Key.
 */
export type Call = {
  context: Context
  services: Engine
  merchant: Merchant
  platform?: string | undefined
  aside?: Context
  person?: Asker | undefined
}

/** The arguments of a job: the context of polls, the services that operations need, and the settings of merchants. */
export type JobContext = Pick<Call, 'context' | 'services'> & { settings: Settings }

export const aggregateOf = (services: Pick<Engine, 'kinds'>, { kind }: Pick<Operation, 'kind'>): AggregateDefinition =>
  services.kinds[kind]!

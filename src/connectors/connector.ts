import type { Money } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { Reply, Time } from '../context.ts'
import type { AuthenticationPreferences, IssuerReply, IssuerRequest } from './authentication.ts'
import type { ConversationStep } from './conversation.ts'
import type { Counting } from './counting.ts'
import type { DisputeReport, EvidenceFile, EvidenceType, Uploaded } from './dispute.ts'
import type { FamilyName, Other, RecipientName } from './instrument.ts'
import type { Offer } from './offer.ts'
import type { Outcome } from './outcome.ts'
import type { ChangesQuestion, PaymentQuestion, PaymentRead, PaymentReport, Tells } from './payment-report.ts'
import type { Channel } from './purchase.ts'
import type { AccountSetting } from './settings.ts'
import type { ListedReport, ReportPart, ReportPartQuestion, ReportsQuestion, ReportsRead } from './settlement-report.ts'
import type { SplitName } from './split.ts'
import type { Authorization, AuthorizeRequest, CaptureMode, RequestOf, Verb } from './verbs.ts'

export type { Offer } from './offer.ts'
export { type DeclineCode, declineCodes, type Facts, type NotNow, type Outcome } from './outcome.ts'
export type { Authorization, AuthorizeRequest, ContestRequest, DisputeRequest, RequestOf, Verb } from './verbs.ts'

/**
 * The contract of a connector. `verbs.ts` defines the requests that a connector can receive, `outcome.ts` the results
 * that it returns. A connector implements each verb as a *conversation*: a generator that yields requests to the
 * processor, receives their replies and returns an outcome. A conversation is pure: the same file runs against the
 * real processor, in tests with prepared replies and when the documentation is generated. A verb that a connector does
 * not implement is a verb that its processor does not offer.
 *
 * If only a later request of a conversation moves the money, the conversation first notes the processor's id of the
 * object that its first request made (`conversation.ts`). An operation without a reference has then moved no money.
 */
export type Conversation<T = Outcome> = Generator<ConversationStep, T, Reply>

/**
 * The request to find out the result of an earlier request: by the processor's reference, or by our request id if the
 * processor never answered with a reference. `authorization`: the operation that the earlier request acts on; null for
 * an operation that acts on no other, such as an authorization.
 */
export type SyncRequest = {
  verb: Verb
  request_id: string
  reference: string | null
  money: Money
  authorization: Authorization | null
  /** By our clock: for processors that can only list objects by creation time. */
  began?: Time
}

/** `parameters`: of the names in `returned.parameters`; or a `NativeStep`, with the `session` of the next action. */
export type ReturnRequest = SyncRequest & { parameters: Readonly<Record<string, string>> }

/** `metadata`: as the merchant wrote it; the connector's `settings` define which members it reads. */
export type Account = {
  base_url: string
  credentials: Record<string, Secret>
  webhook_secret: Secret | null
  /** Where we receive this account's webhooks; absent if the connector takes none. */
  webhook_url?: string
  metadata: Readonly<Record<string, unknown>>
}

/** With `verb`, of an operation of that verb only: an order and its refund may have the same reference. */
export type OperationIdentifier = ({ request_id: string } | { reference: string }) & { verb?: Verb }

type Identifiers = readonly [OperationIdentifier, ...OperationIdentifier[]]

/** `of`: the operation's identifiers, the most reliable first; the first that is known counts. */
export type WebhookUpdate = OutcomeUpdate | ReturnUpdate | ReferencesUpdate | DisputeUpdate | PaymentUpdate | ReportUpdate

/** A settlement report can be fetched. */
export type ReportUpdate = { is: 'report'; report: ListedReport }

/**
 * `ask`: the webhook does not state the result reliably, so the processor is queried. `otherwise`: what it says if none
 * of the identifiers is known: another program may have made the request.
 */
export type OutcomeUpdate = { is: 'outcome'; of: Identifiers; outcome: Outcome | 'ask'; otherwise?: WebhookUpdate }

/** Not necessarily on our page. It is handled as if the customer had returned with these `parameters`. */
export type ReturnUpdate = { is: 'return'; of: Identifiers; parameters: Readonly<Record<string, string>> }

/** Reported separately from the approval. Later payments are charged by these ids; it says nothing about money. */
export type ReferencesUpdate = { is: 'references'; of: Identifiers; references: References }
export type References = { connector_mandate_id: string; connector_customer_id?: string }

/**
 * News of a payment's totals or of a movement that no request of ours names. `of`: the payment's authorization. A
 * connector with `read_payment` is asked for the whole payment if the report has more than is known here, or if it is
 * `ask`; else the report itself counts, and may hold one movement only.
 */
export type PaymentUpdate = { is: 'payment'; of: Identifiers; report: PaymentReport | 'ask' }

/**
 * Changes at the processor, as its webhooks would have told. `next`: the next page; null: there is none.
 * `unsupported`: the account's processor lists none.
 */
export type ChangesRead =
  | { is: 'changes'; updates: readonly WebhookUpdate[]; next: string | null }
  | { is: 'unsupported' }
  | { is: 'unknown'; why: string }

/**
 * News about a dispute. `of`: the identifiers of the disputed payment. `ask`: the webhook does not contain the
 * dispute, so the processor is queried for it (`read_dispute`). `ask` with `of`: the processor is queried only if one
 * of the identifiers is known to us, and the answer may be that there is no dispute, because the webhook only says
 * that something about the payment has changed.
 */
export type DisputeUpdate =
  | { is: 'dispute'; of: Identifiers; dispute: DisputeReport }
  | { is: 'dispute'; dispute: 'ask'; reference: string; of?: Identifiers }

/** `of`: the identifiers of the disputed payment, empty if it is not ours. */
export type DisputeRead =
  | { is: 'dispute'; of: readonly OperationIdentifier[]; dispute: DisputeReport }
  | { is: 'not_found' }
  | { is: 'unknown'; why: string }

/** `unknown`: the processor could not be queried, or its answer was invalid. */
export type CredentialsVerdict = { is: 'good' } | { is: 'refused'; code: string; message: string } | { is: 'unknown'; why: string }

/** An order that a wallet opens before the payment: no money moves. `type`: a payment_method_type. */
export type OrderRequest = { request_id: string; money: Money; type: string; capture: CaptureMode }
export type Ordered = { is: 'done'; id: string } | Exclude<CredentialsVerdict, { is: 'good' }>

export type ClientTokenRequest = { money: Money }
export type ClientToken = { is: 'done'; token: string } | Exclude<CredentialsVerdict, { is: 'good' }>

export type BalanceRequest = { request_id: string; money: Money; instrument: Other }
export type GiftCardBalance = { is: 'done'; money: Money } | Exclude<CredentialsVerdict, { is: 'good' }>

/** `id`: the processor's id of the webhook, null if it gives none. */
export type Registered = { is: 'done'; id: string | null } | Exclude<CredentialsVerdict, { is: 'good' }>

/** In milliseconds. 0: never sent twice. */
export const idempotentFor = ({ idempotent_ms }: Pick<Connector['accepts'], 'idempotent_ms'>, verb: Verb): number =>
  typeof idempotent_ms === 'number' ? idempotent_ms : (idempotent_ms[verb] ?? 0)

/** A method, so that a connector that takes only cards is assignable to `Connector` (methods are bivariant). */
type VerbFunction<R> = { ask(ask: R, account: Account): Conversation }['ask']

/** A connector. `Connector<'card'>` takes only cards; a plain `Connector` may take any families. */
export type Connector<F extends FamilyName = FamilyName> = { [V in Verb]?: VerbFunction<RequestOf<V, F>> } & {
  name: string
  /**
   * The sources on which the connector is based, as sentences for the generated page, so that a merchant can decide
   * whether to trust it. `guessed`: the assumptions that no public material confirms, and what happens if they are
   * wrong. `own`: the other side is our own software.
   */
  sources: { documented: string; second_hand?: string; guessed?: string; own?: true }
  /** For accounts that set none. `null`: the deployment's setting or the account must set it. */
  baseUrl: { test: string | null; live: string | null }
  /** Live mode refuses its accounts. */
  testing?: true
  /**
   * The required members of `connector_account_details`. `test`: patterns of the vendor's test credentials, which live
   * mode refuses. `called`: the vendor's label of a member that has another name, and whether it is secret.
   * `optional`: members that only some features need, each with what it is for.
   */
  credentials: {
    auth_type: string
    members: readonly string[]
    optional?: Readonly<Record<string, string>>
    test?: Readonly<Record<string, RegExp>>
    called?: Readonly<Record<string, { label: string; secret: boolean }>>
  }
  /** The members of `metadata` that the connector reads, besides `base_url`. */
  settings?: Readonly<Record<string, AccountSetting>>
  accepts: {
    /** `authorize` receives no others. */
    methods: readonly F[]
    /** Families that the processor opens on request: only for accounts with this setting at `'true'`. */
    on_request?: Readonly<Partial<Record<FamilyName, string>>>
    capture: readonly CaptureMode[]
    /** False if no capture of a payment with several captures can release the rest of the hold; a void releases it. */
    finalCaptures?: false
    /** Families whose payments are captured at once or fail: they have no hold to capture. */
    captured_at_once?: readonly F[]
    /** Besides cards, by payment_method_type. A family without a row is taken with all its types and currencies. */
    offers?: Readonly<Record<string, Offer>>
    /**
     * How long after its beginning a request may be sent again under the same request id, in milliseconds: as long as
     * the processor is certain to keep the id as an idempotency key. By verb, if the processor keeps some keys longer
     * than others. 0, or a verb without an entry: the request is never sent twice.
     */
    idempotent_ms: number | Readonly<Partial<Record<Verb, number>>>
    /** `none`: the result is known only from a webhook, or by sending again. Such a connector has no `sync`. */
    lookup: 'by request id' | 'by reference' | 'none'
    /** Until then "not found" does not mean that the request failed. */
    in_flight_ms: number
    /** The payment_method_types of the wallets that are opened with an order (`order`). */
    orders?: readonly string[]
    authentication?: readonly AuthenticationPreferences[]
    /** Absent: no payouts. `payout` receives no others. */
    recipients?: readonly RecipientName[]
    /** Absent: none. */
    channels?: readonly Channel[]
    /** The processor in whose way the connector splits a payment between accounts; absent if it cannot split. */
    splits?: SplitName
    /** It may approve less than the amount. */
    partialApproval?: true
    installments?: true
    counting?: Counting
    /**
     * The evidence that the processor takes for a dispute; absent: all. `files`: the content types, each with the
     * maximum size in bytes; `texts`: whether it takes texts; `without`: the types of file for which it has no field.
     */
    evidence?: { files: Readonly<Record<string, number>>; texts: boolean; without?: readonly EvidenceType[] }
    refund_reasons?: readonly string[]
    /** Absent: what is changed at the processor by others is not noticed. */
    tells?: Tells
    /** Sentences for the generated page: the settlement reports that are fetched, or why none are. */
    reports?: string
  }
  /** Asks the card's issuer to authenticate the customer. Moves no money; a repeated request has the same answer. */
  ask_issuer?(ask: IssuerRequest, account: Account): Conversation<IssuerReply>
  order?(ask: OrderRequest, account: Account): Conversation<Ordered>
  /** Opens the processor's own script in a page. Moves no money. */
  client_token?(ask: ClientTokenRequest, account: Account): Conversation<ClientToken>
  /** Moves no money. */
  balance?(ask: BalanceRequest, account: Account): Conversation<GiftCardBalance>
  /** The amount is 0. Success is reported as an authorization of 0. */
  setUp?(ask: AuthorizeRequest<F>, account: Account): Conversation
  /** Uploads a file to a processor that takes files before it is told for which dispute. Moves no money. */
  upload_evidence?(file: EvidenceFile & { request_id: string }, account: Account): Conversation<Uploaded>
  read_dispute?(reference: string, account: Account): Conversation<DisputeRead>
  sync?(ask: SyncRequest, account: Account): Conversation
  /** The whole payment as the processor knows it. Moves no money. */
  read_payment?(ask: PaymentQuestion, account: Account): Conversation<PaymentRead>
  /** Lists changes at the processor, for many payments at once. Moves no money. */
  list_changes?(ask: ChangesQuestion, account: Account): Conversation<ChangesRead>
  /** Which settlement reports there are. It may have the processor make one. Moves no money. */
  list_reports?(ask: ReportsQuestion, account: Account): Conversation<ReportsRead>
  /** One part of a settlement report. Moves no money. */
  fetch_report?(ask: ReportPartQuestion, account: Account): Conversation<ReportPart>
  /** Moves no money. `request_id`: an id that was never sent. */
  verify?(account: Account, request_id: string): Conversation<CredentialsVerdict>
  /**
   * The completion of an authorization after the customer's challenge. `parameters`: the names of the parameters that
   * the customer brings back. `ask` sends them to the processor; its first request may move money, so the same
   * request is sent again until the result is known. `native`: whether the connector may authenticate customers in the
   * checkout; `ask` is then called with each `NativeStep`.
   */
  returned?: { parameters: readonly string[]; native?: true; ask(ask: ReturnRequest, account: Account): Conversation }
  webhook?: {
    /** In bytes. A larger one is refused before it is verified. */
    largest: number
    /** Verbs that a webhook may identify by reference alone: their references are stored, a row for each. */
    byReference: readonly Verb[]
    /** Over the raw bytes, in constant time; or a conversation, if only the processor itself can confirm it. */
    verify(raw: Buffer, headers: Record<string, string | undefined>, account: Account, now: Time): boolean | Conversation<boolean>
    /** Never throws: an event of an unknown kind and an invalid body give an empty list. */
    read(raw: Buffer): WebhookUpdate[]
    /** The webhooks are then signed with the account's secret. Absent if a person must register the URL. */
    register?(url: string, account: Account): Conversation<Registered>
  }
}

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
import type { Channel } from './purchase.ts'
import type { AccountSetting } from './settings.ts'
import type { SplitName } from './split.ts'
import type { Authorization, AuthorizeRequest, CaptureMode, RequestOf, Verb } from './verbs.ts'

export type { Offer } from './offer.ts'
export { type DeclineCode, declineCodes, type Facts, type NotNow, type Outcome } from './outcome.ts'
export type {
  Authorization,
  AuthorizeRequest,
  CancelPayoutRequest,
  CaptureRequest,
  ContestRequest,
  DisputeRequest,
  ExtendRequest,
  IncrementRequest,
  PayoutRequest,
  PostCaptureVoidRequest,
  RefundRequest,
  Verb,
  VoidRequest,
} from './verbs.ts'

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
  /**
   * The time at which the earlier request was begun, by our clock: for processors that can only list objects by
   * creation time.
   */
  began?: Time
}

/**
 * The request to find out the result of an authorization with the parameters that the customer brought back from its
 * challenge. `parameters`: those that came, of the names that the connector takes (`returned.parameters`); or a
 * `NativeStep`, with the `session` of the payment's next action if that action has one.
 */
export type ReturnRequest = SyncRequest & { parameters: Readonly<Record<string, string>> }

/**
 * A merchant's account at a processor, opened for use. `metadata`: all other settings of the account, exactly as the
 * merchant wrote them; the connector's `settings` define which of them it reads.
 */
export type Account = {
  base_url: string
  credentials: Record<string, Secret>
  webhook_secret: Secret | null
  /**
   * The URL at which we receive this account's webhooks, for processors that must be given the URL with each payment;
   * absent if the connector takes no webhooks.
   */
  webhook_url?: string
  metadata: Readonly<Record<string, unknown>>
}

/**
 * An identifier of an operation: our request id or the processor's reference. With `verb`, the identifier stands for
 * an operation of that verb only (for example, an order whose refund has the same reference as the order).
 */
export type OperationIdentifier = ({ request_id: string } | { reference: string }) & { verb?: Verb }

type Identifiers = readonly [OperationIdentifier, ...OperationIdentifier[]]

/**
 * One piece of news read from a webhook. `of`: the identifiers of the operation that the news is about, the most
 * reliable first; the first identifier that is known counts.
 */
export type WebhookUpdate = OutcomeUpdate | ReturnUpdate | ReferencesUpdate | DisputeUpdate

/** `ask`: the webhook does not state the result reliably, so the processor is queried. */
export type OutcomeUpdate = { is: 'outcome'; of: Identifiers; outcome: Outcome | 'ask' }

/**
 * The customer has completed their step at the processor and may not come back to our page. It is handled as if the
 * customer had returned with these `parameters`.
 */
export type ReturnUpdate = { is: 'return'; of: Identifiers; parameters: Readonly<Record<string, string>> }

/**
 * The processor's ids of the saved payment method and of its customer, separately from the approval of the payment.
 * Later payments are charged by these ids. The news says nothing about money.
 */
export type ReferencesUpdate = { is: 'references'; of: Identifiers; references: References }
export type References = { connector_mandate_id: string; connector_customer_id?: string }

/**
 * News about a dispute. `of`: the identifiers of the disputed payment. `ask`: the webhook does not contain the
 * dispute, so the processor is queried for it (`read_dispute`). `ask` with `of`: the processor is queried only if one
 * of the identifiers is known to us, and the answer may be that there is no dispute, because the webhook only says
 * that something about the payment has changed.
 */
export type DisputeUpdate =
  | { is: 'dispute'; of: Identifiers; dispute: DisputeReport }
  | { is: 'dispute'; dispute: 'ask'; reference: string; of?: Identifiers }

/**
 * The processor's answer to a query for a dispute. `of`: the identifiers of the disputed payment, empty if it is not
 * ours.
 */
export type DisputeRead =
  | { is: 'dispute'; of: readonly OperationIdentifier[]; dispute: DisputeReport }
  | { is: 'not_found' }
  | { is: 'unknown'; why: string }

/**
 * The processor's verdict on credentials. `unknown`: the processor could not be queried, or its answer was invalid.
 */
export type CredentialsVerdict = { is: 'good' } | { is: 'refused'; code: string; message: string } | { is: 'unknown'; why: string }

/**
 * The request for an order that a wallet opens. The order is made before the payment, so no money moves. `type`: the
 * wallet, as a payment_method_type. `capture`: how the payment will be captured.
 */
export type OrderRequest = { request_id: string; money: Money; type: string; capture: CaptureMode }
export type Ordered = { is: 'done'; id: string } | Exclude<CredentialsVerdict, { is: 'good' }>

/** The request for the token with which a checkout page opens the processor's own script for this payment. */
export type ClientTokenRequest = { money: Money }
export type ClientToken = { is: 'done'; token: string } | Exclude<CredentialsVerdict, { is: 'good' }>

/** The request for the balance of a gift card that is to pay `money`. */
export type BalanceRequest = { request_id: string; money: Money; instrument: Other }
export type GiftCardBalance = { is: 'done'; money: Money } | Exclude<CredentialsVerdict, { is: 'good' }>

/**
 * The processor's answer to the registration of a webhook. `id`: the processor's id of the webhook, null if it gives
 * none.
 */
export type Registered = { is: 'done'; id: string | null } | Exclude<CredentialsVerdict, { is: 'good' }>

/**
 * Returns how long a request of this verb may be sent again under its request id, in milliseconds. 0: it is never sent
 * twice.
 */
export const idempotentFor = ({ idempotent_ms }: Pick<Connector['accepts'], 'idempotent_ms'>, verb: Verb): number =>
  typeof idempotent_ms === 'number' ? idempotent_ms : (idempotent_ms[verb] ?? 0)

/**
 * The function of a connector for one verb. It is typed as a method, so that a connector which takes only cards is
 * also assignable to a plain `Connector` (methods are compared bivariantly).
 */
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
  /**
   * The base URLs for connector accounts that set none. `null`: there is no default, so the deployment's setting or
   * the account must set it.
   */
  baseUrl: { test: string | null; live: string | null }
  /** Whether its accounts are for testing only: live mode refuses them. */
  testing?: true
  /**
   * The required members of `connector_account_details`. `test`: patterns of the vendor's test credentials, which live
   * mode refuses. `called`: the vendor's label of a member whose name differs from it, and whether the member is
   * secret.
   */
  credentials: {
    auth_type: string
    members: readonly string[]
    test?: Readonly<Record<string, RegExp>>
    called?: Readonly<Record<string, { label: string; secret: boolean }>>
  }
  /** The members of the connector account's `metadata` that the connector reads, besides `base_url`. */
  settings?: Readonly<Record<string, AccountSetting>>
  accepts: {
    /** The families of payment methods that the connector takes. `authorize` receives no others. */
    methods: readonly F[]
    /**
     * The families among them that the processor opens on request: an account takes them only if this setting of its
     * `metadata` is `'true'`.
     */
    on_request?: Readonly<Partial<Record<FamilyName, string>>>
    capture: readonly CaptureMode[]
    /** False if no capture of a payment with several captures can release the rest of the hold; a void releases it. */
    finalCaptures?: false
    /** Families whose payments are captured at once or fail: they have no hold to capture. */
    captured_at_once?: readonly F[]
    /**
     * The payment methods that the connector takes besides cards, by payment_method_type. A family without a row here
     * is taken with all its types, currencies and capture methods.
     */
    offers?: Readonly<Record<string, Offer>>
    /**
     * How long after its beginning a request may be sent again under the same request id, in milliseconds: as long as
     * the processor is certain to keep the id as an idempotency key. By verb, if the processor keeps some keys longer
     * than others. 0, or a verb without an entry: the request is never sent twice.
     */
    idempotent_ms: number | Readonly<Partial<Record<Verb, number>>>
    /**
     * How an earlier request can be looked up. `none`: its result is known only from a webhook, or by sending the
     * request again. Such a connector has no `sync`.
     */
    lookup: 'by request id' | 'by reference' | 'none'
    /**
     * How long after it was sent a request may still arrive at the processor, in milliseconds. Until then "not found"
     * does not mean that the request failed.
     */
    in_flight_ms: number
    /** The payment_method_types of the wallets that are opened with an order (`order`). */
    orders?: readonly string[]
    /** The features of 3-D Secure that the processor takes with an authorization. */
    authentication?: readonly AuthenticationPreferences[]
    /**
     * The kinds of recipient to which the processor pays out; absent if it makes no payouts. `payout` receives no
     * others.
     */
    recipients?: readonly RecipientName[]
    /** The channels of orders taken without a browser that the processor accepts; absent if it accepts none. */
    channels?: readonly Channel[]
    /**
     * The processor whose way of splitting a payment between accounts the connector follows; absent if it cannot
     * split.
     */
    splits?: SplitName
    /** Whether the processor can be told that it may approve less than the amount. */
    partialApproval?: true
    /** Whether a card payment can be divided into monthly installments. */
    installments?: true
    /** How the processor counts money, if not by ISO 4217. */
    counting?: Counting
    /**
     * The evidence that the processor takes for a dispute. `files`: the content types, each with the maximum size in
     * bytes; `texts`: whether it takes texts; `without`: the types of file for which it has no field. Absent: it takes
     * all that the service takes.
     */
    evidence?: { files: Readonly<Record<string, number>>; texts: boolean; without?: readonly EvidenceType[] }
    /** The refund reasons that the processor takes, if it takes only these. */
    refund_reasons?: readonly string[]
  }
  /** Asks the card's issuer to authenticate the customer. Moves no money; a repeated request has the same answer. */
  ask_issuer?(ask: IssuerRequest, account: Account): Conversation<IssuerReply>
  order?(ask: OrderRequest, account: Account): Conversation<Ordered>
  /** Requests the token with which a page opens the processor's own script. Moves no money. */
  client_token?(ask: ClientTokenRequest, account: Account): Conversation<ClientToken>
  /** Requests the balance of a gift card. Moves no money. */
  balance?(ask: BalanceRequest, account: Account): Conversation<GiftCardBalance>
  /**
   * Verifies a payment method for later payments without charging it: the amount is 0. Success is reported as an
   * authorization of 0.
   */
  setUp?(ask: AuthorizeRequest<F>, account: Account): Conversation
  /** Uploads a file to a processor that takes files before it is told for which dispute. Moves no money. */
  upload_evidence?(file: EvidenceFile & { request_id: string }, account: Account): Conversation<Uploaded>
  /** Queries the state of a dispute. */
  read_dispute?(reference: string, account: Account): Conversation<DisputeRead>
  sync?(ask: SyncRequest, account: Account): Conversation
  /**
   * Checks whether the account's credentials are valid, by a query that moves no money. `request_id`: an id that was
   * never sent.
   */
  verify?(account: Account, request_id: string): Conversation<CredentialsVerdict>
  /**
   * The completion of an authorization after the customer's challenge. `parameters`: the names of the parameters that
   * the customer brings back. `ask` sends them to the processor; its first request may move money, so the same
   * request is sent again until the result is known. `native`: whether the connector may authenticate customers in the
   * checkout; `ask` is then called with each `NativeStep`.
   */
  returned?: { parameters: readonly string[]; native?: true; ask(ask: ReturnRequest, account: Account): Conversation }
  webhook?: {
    /** The largest body of a webhook, in bytes. A larger one is refused before it is verified. */
    largest: number
    /**
     * The verbs whose operations a webhook may identify by reference alone. The references of these operations are
     * stored so that they can be found (`operations/named.ts`), which costs a row for each.
     */
    byReference: readonly Verb[]
    /**
     * Verifies that the webhook is from the processor: over the raw bytes, in constant time; or returns a
     * conversation, if only the processor itself can confirm it. `now`: the current time, to refuse replays.
     */
    verify(raw: Buffer, headers: Record<string, string | undefined>, account: Account, now: Time): boolean | Conversation<boolean>
    /**
     * Reads the news in the body of a webhook. Never throws: an event of an unknown kind and an invalid body give an
     * empty list.
     */
    read(raw: Buffer): WebhookUpdate[]
    /**
     * Registers our URL at the processor, whose webhooks are then signed with the account's secret. Absent if a person
     * must register it at the processor.
     */
    register?(url: string, account: Account): Conversation<Registered>
  }
}

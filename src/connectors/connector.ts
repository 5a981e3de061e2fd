import type { Money } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { Reply, Time } from '../context.ts'
import type { AuthenticationPreferences, IssuerReply, IssuerRequest } from './authentication.ts'
import type { ConversationStep } from './conversation.ts'
import type { Counting } from './counting.ts'
import type { DisputeSaid, EvidenceFile, EvidenceType, Uploaded } from './dispute.ts'
import type { FamilyName, Other, RecipientName } from './instrument.ts'
import type { Offer } from './offer.ts'
import type { Outcome } from './outcome.ts'
import type { Channel } from './purchase.ts'
import type { AccountSetting } from './settings.ts'
import type { SplitName } from './split.ts'
import type { Authorization, AuthorizeRequest, CaptureMode, RequestOf, Verb } from './verbs.ts'

export type { Offer, Requirement } from './offer.ts'
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
 * The contract of a connector. What it may be asked stands in `verbs.ts`, what it says of it in `outcome.ts`. A verb is
 * a *conversation*: a generator that yields requests, hears replies and returns an outcome. It is pure: the same file
 * runs over the wire, in a rehearsed test and under the documentation. A verb that is missing is a verb the processor
 * does not have.
 *
 * Where money moves only by a later request than the first, what the first one made is noted before
 * (`conversation.ts`): an operation without a reference has then moved nothing.
 */
export type Conversation<T = Outcome> = Generator<ConversationStep, T, Reply>

/**
 * Asks what became of an earlier request: by the processor's reference, or by our request id if we never heard one.
 * `authorization`: what it acts on; null for one itself.
 */
export type SyncRequest = {
  verb: Verb
  request_id: string
  reference: string | null
  money: Money
  authorization: Authorization | null
  /** When the request was begun, by our clock: for processors that only list what was made about then. */
  began?: Time
}

/**
 * Asks what became of an authorization with what the customer brought back from its challenge. `parameters`: of the
 * names that the connector takes, those that came; or a `NativeStep`, with the `session` of its next action if that
 * has one.
 */
export type ReturnRequest = SyncRequest & { parameters: Readonly<Record<string, string>> }

/**
 * A merchant's account at a processor, opened for use. `metadata`: what else the merchant has said of it, as it was
 * written (`settings` of the connector says what of it is read).
 */
export type Account = {
  base_url: string
  credentials: Record<string, Secret>
  webhook_secret: Secret | null
  /**
   * Where its webhooks are to come, for processors that want to be told with each payment; absent where the connector
   * takes no webhooks.
   */
  webhook_url?: string
  metadata: Readonly<Record<string, unknown>>
}

/**
 * A name of an operation: ours or theirs. With `verb` it is the name of such an operation only (an order that is
 * refunded under its own name).
 */
export type OperationIdentifier = ({ request_id: string } | { reference: string }) & { verb?: Verb }

/**
 * One piece of news out of a webhook: which of our requests it is about, and what became of it. `of`: its names, the
 * surest first; the first that is known counts. `ask`: that is for the processor to say when it is asked. Or it is
 * about a dispute of one of our payments, or tells what the processor calls what it keeps of one.
 */
export type News =
  | { of: readonly [OperationIdentifier, ...OperationIdentifier[]]; outcome: Outcome | 'ask' }
  | BroughtNews
  | LearntNews
  | DisputeNews

/**
 * The customer has done at the processor what they were sent there for, and need not come back: it is taken as if they
 * had, with this.
 */
export type BroughtNews = { of: readonly [OperationIdentifier, ...OperationIdentifier[]]; brought: Readonly<Record<string, string>> }

/**
 * A processor says, other than with its yes, what it calls what a payment was paid with and its customer: by that they
 * are charged later. It says nothing of money.
 */
export type LearntNews = { of: readonly [OperationIdentifier, ...OperationIdentifier[]]; learnt: Learnt }
export type Learnt = { connector_mandate_id: string; connector_customer_id?: string }

/**
 * A piece of news of a dispute: of which of our payments, by its names, the surest first. `ask`: only the processor
 * can say what there is of it (`read_dispute`). With `of` it is asked only if one of these is ours, and there need be
 * no dispute: something of that payment has changed.
 */
export type DisputeNews =
  | { of: readonly [OperationIdentifier, ...OperationIdentifier[]]; dispute: DisputeSaid }
  | { dispute: 'ask'; reference: string; of?: readonly [OperationIdentifier, ...OperationIdentifier[]] }

/** What a processor answers to who asks about a dispute. `of`: the payment's names, if it is one of ours. */
export type DisputeRead =
  | { is: 'dispute'; of: readonly OperationIdentifier[]; dispute: DisputeSaid }
  | { is: 'not_found' }
  | { is: 'unknown'; why: string }

/** What a processor says of credentials. `unknown`: it could not be asked, or its answer makes no sense. */
export type CredentialsVerdict = { is: 'good' } | { is: 'refused'; code: string; said: string } | { is: 'unknown'; why: string }

/**
 * An order for a wallet to open: made before it is paid, so nothing moves by it. `type`: which wallet, as the
 * interface calls it. `capture`: how it is to be paid.
 */
export type OrderRequest = { request_id: string; money: Money; type: string; capture: CaptureMode }
export type Ordered = { is: 'done'; id: string } | Exclude<CredentialsVerdict, { is: 'good' }>

/** With what a page opens the processor's own script, for this payment. */
export type ClientTokenRequest = { money: Money }
export type ClientToken = { is: 'done'; token: string } | Exclude<CredentialsVerdict, { is: 'good' }>

/** How much is on a card that is worth what was paid for it, where it is to pay `money`. */
export type BalanceRequest = { request_id: string; money: Money; instrument: Other }
export type GiftCardBalance = { is: 'done'; money: Money } | Exclude<CredentialsVerdict, { is: 'good' }>

/** What a processor answers to the registration of a webhook. `id`: its name for that, where it has one. */
export type Registered = { is: 'done'; id: string | null } | Exclude<CredentialsVerdict, { is: 'good' }>

/** For how long this verb may be sent again under its request id, in milliseconds; 0: it is never sent twice. */
export const idempotentFor = ({ idempotent_ms }: Pick<Connector['accepts'], 'idempotent_ms'>, verb: Verb): number =>
  typeof idempotent_ms === 'number' ? idempotent_ms : (idempotent_ms[verb] ?? 0)

/** A verb of a connector. A method, so that one which takes cards alone is a plain `Connector` too. */
type Says<R> = { ask(ask: R, account: Account): Conversation }['ask']

/** `Connector<'card'>` takes cards and nothing else; a plain `Connector` is any of them. */
export type Connector<F extends FamilyName = FamilyName> = { [V in Verb]?: Says<RequestOf<V, F>> } & {
  name: string
  /**
   * What the connector is based on, so that a merchant can decide whether to trust it: in sentences, for the generated
   * page. `guessed`: what no public material says, and what happens if it is otherwise. `own`: the other side is ours.
   */
  founded: { documented: string; second_hand?: string; guessed?: string; own?: true }
  /** Used where the connector account names none. `null`: the deployment must say (a setting or the account). */
  baseUrl: { test: string | null; live: string | null }
  /** Its accounts are for testing only: live mode refuses them. */
  testing?: true
  /**
   * What `connector_account_details` must hold. `test`: what the vendor's keys for testing look like, which live mode
   * refuses. `called`: what the vendor calls a member whose name does not say it, and whether it is a secret.
   */
  credentials: {
    auth_type: string
    members: readonly string[]
    test?: Readonly<Record<string, RegExp>>
    called?: Readonly<Record<string, { label: string; secret: boolean }>>
  }
  /** Members of the connector account's `metadata` that mean something to it, besides `base_url`. */
  settings?: Readonly<Record<string, AccountSetting>>
  accepts: {
    /** What can be paid with here. Nothing else is ever handed to `authorize`. */
    methods: readonly F[]
    capture: readonly CaptureMode[]
    /** false: where several captures were asked for, none of them closes the hold; what is left is let go by a void. */
    finalCaptures?: false
    /** Families that are paid at once or not at all: there is no hold to capture. */
    captured_at_once?: readonly F[]
    /**
     * What can be paid with besides cards, by payment_method_type. A family without a row here is taken in all its
     * types, currencies and captures.
     */
    offers?: Readonly<Record<string, Offer>>
    /**
     * For how long after its beginning a request may be sent again under the same request id, in milliseconds: as
     * long as the processor surely keeps that as an idempotency key. By verb, where it keeps some longer than others.
     * 0, or a verb that is not named: it is never sent twice.
     */
    idempotent_ms: number | Readonly<Partial<Record<Verb, number>>>
    /**
     * How an earlier request can be looked up. `none`: what became of it is heard by webhook, or by sending it again.
     * Such a connector has no `sync`.
     */
    lookup: 'by request id' | 'by reference' | 'none'
    /**
     * How long after sending a request may still turn up at the processor, in milliseconds: until then "not found" is
     * not a no.
     */
    in_flight_ms: number
    /** Wallets that open with an order: these types of payment (`order`). */
    orders?: readonly string[]
    /** What of authentication it takes with an authorization. */
    authentication?: readonly AuthenticationPreferences[]
    /** To what it pays out, if it does. Nothing else is ever handed to `payout`. */
    recipients?: readonly RecipientName[]
    /** Orders that were taken without a browser, if it takes such. */
    channels?: readonly Channel[]
    /** In whose way it shares payments between accounts, if it does. */
    splits?: SplitName
    /** Whether it can be told that less than the amount may be approved. */
    partialApproval?: true
    /** Whether a card's payment can be divided into monthly installments. */
    installments?: true
    /** How it counts money, where that is not as by ISO 4217. */
    counting?: Counting
    /**
     * What it takes as evidence: files by their content type, each with how many bytes it may have; whether texts
     * too; and what it has no room for. Absent: all that the service takes.
     */
    evidence?: { files: Readonly<Record<string, number>>; texts: boolean; without?: readonly EvidenceType[] }
    /** The reasons of a refund that it takes, where it takes no others. */
    refund_reasons?: readonly string[]
  }
  /** Has the issuer asked. It moves nothing, and asked again it says the same. */
  ask_issuer?(ask: IssuerRequest, account: Account): Conversation<IssuerReply>
  order?(ask: OrderRequest, account: Account): Conversation<Ordered>
  /** Has the processor say with what its own script is opened in a page. Nothing moves. */
  client_token?(ask: ClientTokenRequest, account: Account): Conversation<ClientToken>
  /** Has the processor say how much is on a gift card. Nothing moves. */
  balance?(ask: BalanceRequest, account: Account): Conversation<GiftCardBalance>
  /**
   * Has what is paid with verified, for later payments, without money: the amount is 0. Its yes is an authorization
   * of nothing.
   */
  setUp?(ask: AuthorizeRequest<F>, account: Account): Conversation
  /** Gives the processor a file, where it takes them before it is told what for. Nothing moves. */
  upload_evidence?(file: EvidenceFile & { request_id: string }, account: Account): Conversation<Uploaded>
  /** How a dispute stands: a question. */
  read_dispute?(reference: string, account: Account): Conversation<DisputeRead>
  sync?(ask: SyncRequest, account: Account): Conversation
  /** Are the account's credentials any good? A question that moves nothing; `request_id` is one that was never sent. */
  verify?(account: Account, request_id: string): Conversation<CredentialsVerdict>
  /**
   * What customers bring back from a challenge, and what the processor says to it. Its first request may move money;
   * it is sent again, the same, until that is known. `native`: it may authenticate customers in the checkout, and is
   * then asked with each `NativeStep`.
   */
  returned?: { brings: readonly string[]; native?: true; ask(ask: ReturnRequest, account: Account): Conversation }
  webhook?: {
    /**
     * Of which operations its news may name only their reference: those references are kept to be found
     * (`operations/named.ts`), which costs a row for each.
     */
    byReference: readonly Verb[]
    /**
     * Is this from the processor? Over the raw bytes, in constant time; or a conversation, where only the processor
     * itself can say. `now` bounds replays.
     */
    verify(raw: Buffer, headers: Record<string, string | undefined>, account: Account, now: Time): boolean | Conversation<boolean>
    /**
     * The news in a body; unknown kinds give an empty list. Throws nothing: a body that makes no sense is an empty
     * list too.
     */
    read(raw: Buffer): News[]
    /**
     * Tells the processor to send its news here, signed with the account's secret. Absent where a person does that at
     * the processor.
     */
    register?(url: string, account: Account): Conversation<Registered>
  }
}

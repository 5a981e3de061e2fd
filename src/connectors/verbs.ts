import type { Money } from '../base/money.ts'
import type { Time } from '../context.ts'
import type { AuthenticateRequest, Exemption, ThreeDsResult } from './authentication.ts'
import type { Evidence } from './dispute.ts'
import type { FamilyName, InstrumentOf, Recipient } from './instrument.ts'
import type { Channel, Place, Purchase } from './purchase.ts'
import type { Split, SplitBack } from './split.ts'

/**
 * The verbs: what a connector may be asked that may move money, each with its request, and the one table of them, which
 * operations, rules, docs and conformance read. What a verb does stands in `payments/verbs/` and `payouts/verbs.ts`.
 */

/** What a hold may be asked to allow later. `overcapture`: that more is captured than was authorized. */
export type Later = 'increment' | 'extend' | 'overcapture'

/** An authorization as later verbs name it. `reference` is null if the processor's answer never reached us. */
export type Authorization = { reference: string | null; request_id: string }

/** Why a customer who is not there is charged: the words of the interface (`mit_category`). */
export const mitCategories = ['installment', 'unscheduled', 'recurring', 'resubmission'] as const
export type MitCategory = (typeof mitCategories)[number]

/**
 * What a payment has to do with others (the networks' framework for stored credentials). `made`: the customer is
 * there and agrees that the card is kept, to pay again themselves (on_session) or to be charged without them
 * (off_session). `used`: it is charged by such an agreement, without them. `customer`: our name for them, the same
 * for all their cards; null where a merchant keeps its cards itself. `store: false`: the processor is not to keep the
 * card (tokenization skip_psp): it is saved here only.
 */
export type StoredCredential =
  | { is: 'made'; usage: 'on_session' | 'off_session'; customer: string; store?: false }
  | { is: 'used'; mit_category: MitCategory; customer: string | null }

/** How the customer has agreed to be charged, as the merchant says it: to a debit, or to later charges. */
export type Acceptance = { acceptance_type: string; accepted_at?: Time; online?: { ip_address?: string; user_agent?: string } }

export type CaptureMode = 'automatic' | 'manual' | 'manual_multiple'

/** `F`: the families that the connector takes; what it is asked with is one of these. */
export type AuthorizeRequest<F extends FamilyName = FamilyName> = {
  request_id: string
  money: Money
  /** `manual_multiple`: a hold that will be captured in several parts. */
  capture: CaptureMode
  instrument: InstrumentOf<F>
  /** `challenge`: in any case, also where the issuer would not require it. */
  three_ds: 'request' | 'challenge' | 'skip'
  /** The customer was authenticated already. */
  three_ds_result?: ThreeDsResult
  /**
   * Why the customer is not to be challenged. Then 3-D Secure is not requested either: an issuer that wants it says
   * so.
   */
  exemption?: Exemption
  /** Where the processor's challenge ends, and where the issuer's own does, if the connector is `native`: ours both. */
  return_url: string
  notification_url?: string
  /** As customers know them. */
  merchant_name: string
  partial_approval: 'accept' | 'refuse'
  /** What the hold is to allow later, where the processor must know it beforehand. */
  later?: readonly Later[]
  statement_descriptor: string | null
  /** Null: it has nothing to do with other payments. */
  stored_credential: StoredCredential | null
  /** How the customer has agreed, where the merchant says so. */
  acceptance?: Acceptance
  /** Who buys what, where anything is said of it. */
  purchase?: Purchase
  /** What the merchant notes of it, as far as it is text, numbers, yes or no. */
  metadata?: Readonly<Record<string, string>>
  /** Ordered without a browser; only of connectors whose `accepts` has it. */
  channel?: Channel
  /** Shared between accounts; only of connectors whose `accepts` has it. */
  split?: Split
  /** Into how many monthly payments the card's issuer is to divide it; only of connectors whose `accepts` has it. */
  installments?: number
}

/**
 * `rest`: what becomes of what is still held after it. `part_of`: the payment_method_type of what was paid with, if
 * that is no card and this is less than the payment was for: lenders want to be told of parts.
 */
export type CaptureRequest = {
  request_id: string
  authorization: Authorization
  money: Money
  rest: 'release' | 'keep'
  statement_descriptor?: string
  part_of?: string
}

/**
 * `money`: what is held. `of` `rest`: something was captured of it already, and stays captured. `reason`: as the
 * merchant says it.
 */
export type VoidRequest = {
  request_id: string
  authorization: Authorization
  money: Money
  of?: 'whole' | 'rest'
  reason?: string
}

/** `split`: only of a payment that was split there. `metadata`: what the merchant notes of it. */
export type RefundRequest = {
  request_id: string
  authorization: Authorization
  money: Money
  reason: string | null
  split?: SplitBack
  metadata?: Readonly<Record<string, string>>
  part_of?: string
}

/** `money`: all that is to be held from now on. */
export type IncrementRequest = { request_id: string; authorization: Authorization; money: Money }

/** `money`: what is held, which stays the same. */
export type ExtendRequest = { request_id: string; authorization: Authorization; money: Money }

/** `money`: all that was captured. What is still held is let go with it. */
export type PostCaptureVoidRequest = { request_id: string; authorization: Authorization; money: Money }

export const payoutPriorities = ['instant', 'fast', 'regular', 'wire', 'cross_border', 'internal'] as const
export const entityTypes = ['Individual', 'Company', 'NonProfit', 'PublicSector', 'NaturalPerson', 'lowercase', 'Personal'] as const

/** Money is paid out. `merchant_name`: as recipients know them. `billing`: where the recipient lives, if said. */
export type PayoutRequest = {
  request_id: string
  money: Money
  recipient: Recipient
  entity_type: (typeof entityTypes)[number]
  priority: (typeof payoutPriorities)[number] | null
  merchant_name: string
  description: string | null
  billing?: { address?: Place | null } | null
}

/** `authorization`: the payout that is called off. */
export type CancelPayoutRequest = { request_id: string; authorization: Authorization; money: Money }

/** `reference`: the processor's name of the dispute. `money`: what it is about. */
export type DisputeRequest = { request_id: string; reference: string; authorization: Authorization; money: Money }
export type ContestRequest = DisputeRequest & { evidence: Evidence }

/**
 * What a verb is.
 * - `of`: whose it is.
 * - `flow`: under which flow and sub-flow the deployment's rules speak of it (contract 6.6).
 * - `acts_on`: of which verb is the earlier operation that it acts on; null: it acts on nothing but what it brings
 *   with it.
 * - `amount`: which amount a yes may name. `exact`: the one that was asked for, anything else is a contradiction.
 *   `part`: less may be approved, as its verb allows. `whole`: it undoes, prolongs or answers something as a whole,
 *   and the amount is what that happened to concern.
 * - `takes`: what it is handed that no row keeps, by the list in the connector's `accepts` that says which.
 * - `request`: the type of what a connector is asked with.
 */
type VerbEntry = {
  of: 'payment' | 'refund' | 'payout' | 'dispute'
  flow: readonly [flow: string, sub_flow: string]
  acts_on: 'authorize' | 'payout' | null
  amount: 'exact' | 'part' | 'whole'
  takes: 'methods' | 'recipients' | null
  request: unknown
}

/** The type of a request; there is no value of it. */
const request = <R>(): R | null => null

export const verbs = {
  authorize: {
    of: 'payment',
    flow: ['Payment', 'Authorize'],
    acts_on: null,
    amount: 'part',
    takes: 'methods',
    request: request<AuthorizeRequest>(),
  },
  capture: {
    of: 'payment',
    flow: ['Payment', 'Capture'],
    acts_on: 'authorize',
    amount: 'exact',
    takes: null,
    request: request<CaptureRequest>(),
  },
  void: {
    of: 'payment',
    flow: ['Payment', 'Void'],
    acts_on: 'authorize',
    amount: 'whole',
    takes: null,
    request: request<VoidRequest>(),
  },
  refund: {
    of: 'refund',
    flow: ['refund_flow', 'sub_flow'],
    acts_on: 'authorize',
    amount: 'exact',
    takes: null,
    request: request<RefundRequest>(),
  },
  /** More is held than before. */
  increment: {
    of: 'payment',
    flow: ['Payment', 'IncrementalAuthorization'],
    acts_on: 'authorize',
    amount: 'exact',
    takes: null,
    request: request<IncrementRequest>(),
  },
  /** The hold lasts longer; the facts of its yes say until when (`capture_before`). */
  extend: {
    of: 'payment',
    flow: ['Payment', 'ExtendAuthorization'],
    acts_on: 'authorize',
    amount: 'whole',
    takes: null,
    request: request<ExtendRequest>(),
  },
  /** A payment of which something was captured is undone as a whole, other than by a refund. */
  post_capture_void: {
    of: 'payment',
    flow: ['Payment', 'PostCaptureVoid'],
    acts_on: 'authorize',
    amount: 'whole',
    takes: null,
    request: request<PostCaptureVoidRequest>(),
  },
  /**
   * Money is paid out. Its yes says that it has left; that it came back after all is a no `after_yes`, that the
   * recipient did not claim it `lapsed`.
   */
  payout: {
    of: 'payout',
    flow: ['payout_flow', 'sub_flow'],
    acts_on: null,
    amount: 'exact',
    takes: 'recipients',
    request: request<PayoutRequest>(),
  },
  /** A payout that is not paid yet is called off. */
  cancel_payout: {
    of: 'payout',
    flow: ['payout_flow', 'sub_flow'],
    acts_on: 'payout',
    amount: 'whole',
    takes: null,
    request: request<CancelPayoutRequest>(),
  },
  /** The merchant gives in to a dispute. Of an answer that was lost `sync` tells, or it is sent again. */
  accept_dispute: {
    of: 'dispute',
    flow: ['Dispute', 'Accept'],
    acts_on: 'authorize',
    amount: 'whole',
    takes: null,
    request: request<DisputeRequest>(),
  },
  /** The merchant contests it: the evidence is handed in, for good. */
  contest_dispute: {
    of: 'dispute',
    flow: ['Dispute', 'SubmitEvidence'],
    acts_on: 'authorize',
    amount: 'whole',
    takes: null,
    request: request<ContestRequest>(),
  },
  /**
   * Begins to authenticate a card's holder, before any processor is asked for money. Its yes brings the proof, or
   * says that there is nothing to ask.
   */
  authenticate: {
    of: 'payment',
    flow: ['Payment', 'Authenticate'],
    acts_on: null,
    amount: 'exact',
    takes: 'methods',
    request: request<AuthenticateRequest>(),
  },
} as const satisfies Record<string, VerbEntry>

export type Verb = keyof typeof verbs
export const verbNames = Object.keys(verbs) as readonly Verb[]

/** The verbs of payments, refunds, payouts or disputes. */
export type VerbOf<O extends VerbEntry['of']> = { [V in Verb]: (typeof verbs)[V]['of'] extends O ? V : never }[Verb]
/** Those that answer a dispute. */
export type DisputeVerb = VerbOf<'dispute'>
export const isDisputeVerb = (verb: Verb): verb is DisputeVerb => verbs[verb].of === 'dispute'

/** Does it act on nothing but what it brings with it? The others act on one of these. */
export const actsOnNothing = (verb: Verb): boolean => verbs[verb].acts_on === null

/** What a verb is asked with, of a connector that takes the families `F`. */
export type RequestOf<V extends Verb, F extends FamilyName = FamilyName> = V extends 'authorize'
  ? AuthorizeRequest<F>
  : NonNullable<(typeof verbs)[V]['request']>

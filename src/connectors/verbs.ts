import type { Money } from '../base/money.ts'
import type { Time } from '../context.ts'
import type { AuthenticateRequest, Exemption, ThreeDsResult } from './authentication.ts'
import type { Evidence } from './dispute.ts'
import type { FamilyName, InstrumentOf, Recipient } from './instrument.ts'
import type { Channel, Place, Purchase } from './purchase.ts'
import type { Split, SplitBack } from './split.ts'

/** The one table of requests that may move money, for operations, rules, docs and conformance tests. */

/** The later changes that a hold can be asked to allow. `overcapture`: a capture of more than was authorized. */
export type Later = 'increment' | 'extend' | 'overcapture'

/** `reference`: null if the processor's answer never reached us. */
export type Authorization = { reference: string | null; request_id: string }

/** The reasons to charge a customer who is not present: the values of `mit_category` in the API. */
export const mitCategories = ['installment', 'unscheduled', 'recurring', 'resubmission'] as const
export type MitCategory = (typeof mitCategories)[number]

/**
 * How a payment relates to other payments with the same card (the card networks' framework for stored credentials).
 * `made`: the customer is present and agrees that the card is saved, to pay again themselves (on_session) or to be
 * charged later without being present (off_session). `used`: the card is charged under such an agreement, without the
 * customer. `customer`: our id of the customer, the same for all of their cards; null if the merchant stores its cards
 * itself. `store: false`: the processor must not save the card (tokenization skip_psp); it is saved only here.
 */
export type StoredCredential =
  | { is: 'made'; usage: 'on_session' | 'off_session'; customer: string; store?: false }
  | { is: 'used'; mit_category: MitCategory; customer: string | null }

/** As the merchant reports it. */
type Acceptance = { acceptance_type: string; accepted_at?: Time; online?: { ip_address?: string; user_agent?: string } }

export type CaptureMode = 'automatic' | 'manual' | 'manual_multiple'

/** `F`: the families that the connector takes. */
export type AuthorizeRequest<F extends FamilyName = FamilyName> = {
  request_id: string
  money: Money
  /** `manual_multiple`: the hold will be captured in several parts. */
  capture: CaptureMode
  instrument: InstrumentOf<F>
  /** `challenge`: 3-D Secure with a challenge in any case, even if the issuer would not require one. */
  three_ds: 'request' | 'challenge' | 'skip'
  /** Of a customer who was already authenticated. */
  three_ds_result?: ThreeDsResult
  /** 3-D Secure is then not requested either: an issuer that requires it says so in its answer. */
  exemption?: Exemption
  order_id?: string
  /** Our URLs to return to from the processor's challenge, and from the issuer's own if the connector is `native`. */
  return_url: string
  notification_url?: string
  /** As customers know it. */
  merchant_name: string
  partial_approval: 'accept' | 'refuse'
  /** If the processor must know the later changes beforehand. */
  later?: readonly Later[]
  statement_descriptor: string | null
  stored_credential: StoredCredential | null
  acceptance?: Acceptance
  purchase?: Purchase
  /** As far as its values are texts, numbers or booleans. */
  metadata?: Readonly<Record<string, string>>
  /** Only for connectors whose `accepts` lists it. */
  channel?: Channel
  /** Only for connectors whose `accepts` lists it. */
  split?: Split
  /** Monthly; only for connectors whose `accepts` allows them. */
  installments?: number
}

/** A request that acts on an earlier operation. */
type Change = { request_id: string; authorization: Authorization; money: Money }

/** `reference`: the processor's id of the dispute. `money`: the disputed amount. */
export type DisputeRequest = Change & { reference: string }
export type ContestRequest = DisputeRequest & { evidence: Evidence }

export const payoutPriorities = ['instant', 'fast', 'regular', 'wire', 'cross_border', 'internal'] as const
export const entityTypes = ['Individual', 'Company', 'NonProfit', 'PublicSector', 'NaturalPerson', 'lowercase', 'Personal'] as const

/** The request of each verb to a connector. */
type Requests<F extends FamilyName> = {
  authorize: AuthorizeRequest<F>
  /** `part_of`: the payment_method_type of a partial capture: lenders must be told. */
  capture: Change & { rest: 'release' | 'keep'; statement_descriptor?: string; part_of?: string }
  /** `of: 'rest'`: a part was captured already and stays captured. `reason`: the merchant's own words. */
  void: Change & { of?: 'whole' | 'rest'; reason?: string }
  /** `split`: only if it was split at the processor. `metadata`: the refund's own. */
  refund: Change & { reason: string | null; split?: SplitBack; metadata?: Readonly<Record<string, string>>; part_of?: string }
  /** `money`: the total amount to hold from now on. */
  increment: Change
  /** `money`: the amount that is held, which stays the same. */
  extend: Change
  /** With the rest of its hold. `money`: all that was captured. */
  post_capture_void: Change
  /** `merchant_name`: as recipients know it. */
  payout: {
    request_id: string
    money: Money
    recipient: Recipient
    entity_type: (typeof entityTypes)[number]
    priority: (typeof payoutPriorities)[number] | null
    merchant_name: string
    description: string | null
    billing?: { address?: Place | null } | null
  }
  /** `authorization`: the payout to cancel. */
  cancel_payout: Change
  accept_dispute: DisputeRequest
  contest_dispute: ContestRequest
  authenticate: AuthenticateRequest
}
export type Verb = keyof Requests<FamilyName>
export type RequestOf<V extends Verb, F extends FamilyName = FamilyName> = Requests<F>[V]

/**
 * The definition of a verb.
 * - `of`: the resource to which its operations belong.
 * - `flow`: the flow and sub-flow under which the deployment's rules refer to the verb (contract 6.6).
 * - `acts_on`: the verb of the earlier operation that this verb acts on; null: it acts on no earlier operation.
 * - `amount`: the amount that a successful answer may state. `exact`: the requested amount; any other is a
 *   contradiction. `part`: a lower amount may be approved, as the verb allows. `whole`: the verb undoes, prolongs or
 *   answers something as a whole, so the amount that the answer states is not checked.
 * - `takes`: the list in the connector's `accepts` that limits the data which the verb receives and no row stores (the
 *   payment method or the recipient); null: it receives none.
 */
type VerbEntry = {
  of: 'payment' | 'refund' | 'payout' | 'dispute'
  flow: readonly [flow: string, sub_flow: string]
  acts_on: 'authorize' | 'payout' | null
  amount: 'exact' | 'part' | 'whole'
  takes: 'methods' | 'recipients' | null
}

export const verbs = {
  authorize: { of: 'payment', flow: ['Payment', 'Authorize'], acts_on: null, amount: 'part', takes: 'methods' },
  capture: { of: 'payment', flow: ['Payment', 'Capture'], acts_on: 'authorize', amount: 'exact', takes: null },
  void: { of: 'payment', flow: ['Payment', 'Void'], acts_on: 'authorize', amount: 'whole', takes: null },
  refund: { of: 'refund', flow: ['refund_flow', 'sub_flow'], acts_on: 'authorize', amount: 'exact', takes: null },
  increment: { of: 'payment', flow: ['Payment', 'IncrementalAuthorization'], acts_on: 'authorize', amount: 'exact', takes: null },
  /** Makes a hold last longer; the facts of a successful answer state until when (`capture_before`). */
  extend: { of: 'payment', flow: ['Payment', 'ExtendAuthorization'], acts_on: 'authorize', amount: 'whole', takes: null },
  /** Undoes a payment of which a part or all was captured, as a whole and other than by a refund. */
  post_capture_void: { of: 'payment', flow: ['Payment', 'PostCaptureVoid'], acts_on: 'authorize', amount: 'whole', takes: null },
  /**
   * Pays money out. `done` means that the money has left. If it comes back later, the outcome is `declined` with
   * `after_yes`; if the recipient did not claim it, `lapsed`.
   */
  payout: { of: 'payout', flow: ['payout_flow', 'sub_flow'], acts_on: null, amount: 'exact', takes: 'recipients' },
  cancel_payout: { of: 'payout', flow: ['payout_flow', 'sub_flow'], acts_on: 'payout', amount: 'whole', takes: null },
  /** Accepts a dispute. If the processor's answer is lost, `sync` finds the result, or the request is sent again. */
  accept_dispute: { of: 'dispute', flow: ['Dispute', 'Accept'], acts_on: 'authorize', amount: 'whole', takes: null },
  /** Contests a dispute: submits the evidence, which cannot be changed afterwards. */
  contest_dispute: { of: 'dispute', flow: ['Dispute', 'SubmitEvidence'], acts_on: 'authorize', amount: 'whole', takes: null },
  /** Begins a cardholder's authentication. Success: the 3-D Secure result, or that none is needed. */
  authenticate: { of: 'payment', flow: ['Payment', 'Authenticate'], acts_on: null, amount: 'exact', takes: 'methods' },
} as const satisfies Record<Verb, VerbEntry>

export const verbNames = Object.keys(verbs) as readonly Verb[]

export type VerbOf<O extends VerbEntry['of']> = { [V in Verb]: (typeof verbs)[V]['of'] extends O ? V : never }[Verb]
export type DisputeVerb = VerbOf<'dispute'>
export const isDisputeVerb = (verb: Verb): verb is DisputeVerb => verbs[verb].of === 'dispute'

export const actsOnNothing = (verb: Verb): boolean => verbs[verb].acts_on === null

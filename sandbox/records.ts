// The records of the ledger file. A record is one change of one account: either it is complete in one line, or the
// change never happened.

import type { CardName, DeclineCode, PayoutDecline } from './cards.ts'
import type { Queued } from './faults.ts'

type Phase = 'pending' | 'challenge' | 'declined' | 'open' | 'captured' | 'voided' | 'expired'

/**
 * The course of a payment: decided at once, decided after a minute, or decided once the shopper has taken an action.
 */
export type Course = 'at once' | 'later' | Action

/**
 * A payment method other than a card: `family` and `way` are the merchant's names. `otp`: the shopper is sent a code.
 * `course`: the course that a dialect sets. `life_ms`: how long the shopper may take. `settles_ms`: how long the banks
 * take afterwards. `refunds_ms`: how long the shopper takes to name the account for a refund.
 */
export type Method = {
  family: string
  way: string
  otp?: true
  course?: Course
  life_ms?: number
  settles_ms?: number
  refunds_ms?: number
}

/**
 * The action that the shopper must take. All actions lead to one page, where the shopper accepts or rejects: a
 * redirect and a window open the page, a code contains its address. Actions without an address are decided by `POST
 * /control/operations/{id}`.
 */
export type Action =
  | 'redirect'
  | 'window'
  | 'code'
  | 'code_image'
  | 'transfer'
  | 'slip'
  | 'wait'
  | 'app'
  | 'app_code'
  | 'session'
  | 'otp'
  | 'ddc'
  | 'iframe'

/**
 * The purchase as the caller described it, in members of the caller's choice; its channel, if it was not ordered in a
 * browser; the number of installments in which it is paid.
 */
export const channels = ['mail_order', 'telephone_order'] as const
export type PurchaseDetails = { purchase?: Record<string, unknown>; channel?: (typeof channels)[number]; installments?: number }

export type Payment = PurchaseDetails & {
  id: string
  reference: string
  card: CardName
  masked: string
  cvc: 'sent' | 'missing'
  /** The network of a co-branded card that the merchant requested, in the dialect's term. */
  network?: string
  /** The payment method, if it is not a card. `card` is then the test card as which the method behaves. */
  method?: Method
  capture: 'automatic' | 'manual'
  currency: string
  asked: number
  phase: Phase
  authorized: number
  captured: number
  capturing: number
  refunded: number
  refunding: number
  /** Whether a final capture is pending, beside which no other capture may begin. */
  closing: boolean
  hold_until: number | null
  statement_descriptor?: string
  overcapture?: true
  /** The storage of the card for later payments, once the payment is approved: the usage, and the last valid month. */
  store?: { usage: 'on_session' | 'off_session'; expires: string }
  /**
   * The credential of a merchant-initiated payment: a stored card's mandate, a network transaction id, or the card
   * itself.
   */
  by?: 'mandate' | 'network_transaction_id' | 'card'
  /** The type of recipient, if the payment is a payout. */
  to?: 'card' | 'bank' | 'wallet' | 'bank_redirect'
  /** The amount that banks have withdrawn for disputes. */
  disputed?: number
  /**
   * The dialect in which the payment was made, and the dialect's id of the payment. Absent for the sandbox's own
   * language.
   */
  dialect?: string
  document?: string
}

export type PaymentState = {
  status: 'authorized' | 'captured' | 'partially_captured' | 'voided' | 'declined' | 'challenge' | 'pending' | 'expired'
  authorized: number
  captured: number
  refunded: number
}

export type Decline = { code: DeclineCode | PayoutDecline; message: string; network_code: string | null; network_advice: string | null }

export type Operation = {
  id: string
  type: 'authorization' | 'capture' | 'void' | 'refund' | 'increment' | 'extension' | 'reversal' | 'payout' | 'payout_cancel'
  payment: string
  reference: string
  /** The status. `returned` and `expired` are of payouts whose money came back, or was never claimed. */
  status: 'approved' | 'declined' | 'pending' | 'challenge' | 'returned' | 'expired'
  amount: number
  currency: string
  decline: Decline | null
  payment_state: PaymentState
  network_transaction_id: string | null
  /** The id under which a card is stored for later payments. */
  mandate?: string | null
  authorization_code: string | null
  eci: string | null
  avs_result: string | null
  cvc_result: 'M' | 'N' | 'P' | null
  arn: string | null
  hold_expires_at: string | null
  max_capturable?: number
  created_at: string
  updated_at: string
  /**
   * The time, by the account's clock in milliseconds, at which a pending operation or a challenge is decided without a
   * request.
   */
  due_at: number | null
  challenge: { token: string; return_url: string | null; merchant?: string | undefined; action?: Action } | null
  final: boolean
  /** Made by a person at the processor's dashboard: `reference` is the processor's own, and no caller knows it. */
  origin?: 'dashboard'
  reason?: string
  /** The fate of the webhooks of this operation; the account's settings do not matter. */
  webhooks?: WebhookFate
}

/** What becomes of a webhook: sent at once, held until it is flushed, or lost on its way. */
export const webhookFates = ['send', 'hold', 'lose'] as const
export type WebhookFate = (typeof webhookFates)[number]

export type Settings = {
  webhook_url: string | null
  webhook_secret: string | null
  webhooks: WebhookFate | 'off' | 'duplicate' | 'fail' | null
}

/** An object that a dialect knows and the ledger of money does not: an intent, a dispute. */
export type Document = { id: string; object: string }

/** An order that is made before it is paid. */
export type OrderNote = Document & { object: 'order'; reference: string; amount: number; currency: string }

/**
 * One EMV 3-D Secure authentication at the directory. `trans_status` is null until it is decided; `C`: the shopper is
 * being challenged.
 */
export type Authentication = Document & {
  object: 'authentication'
  reference: string
  card: CardName
  masked: string
  amount: number
  currency: string
  merchant: string | null
  enrolled: boolean
  version: string
  directory_server_id: string
  ds_transaction_id: string
  acs_transaction_id: string
  flow: 'frictionless' | 'challenge' | null
  trans_status: 'Y' | 'A' | 'N' | 'U' | 'R' | 'C' | null
  notification_url: string | null
  /** The time at which an unanswered challenge fails, in milliseconds. */
  due_at: number | null
}

export const disputeStages = ['inquiry', 'chargeback', 'second_chargeback'] as const
export const disputeStatuses = ['needs_response', 'under_review', 'won', 'lost', 'accepted', 'expired', 'cancelled'] as const
export type DisputeStage = (typeof disputeStages)[number]
export type DisputeStatus = (typeof disputeStatuses)[number]

/**
 * A dispute. `payment`: the ledger's id. `reason`: in Stripe's terms, `network_code` in the network's. Times in
 * milliseconds.
 */
export type Dispute = Document & {
  object: 'dispute'
  payment: string
  amount: number
  reason: string
  network_code: string
  stage: DisputeStage
  status: DisputeStatus
  evidence: Record<string, string>
  metadata: Record<string, string>
  due_at: number
  created: number
  updated: number
}

/**
 * News other than those of operations: the operation whose payment they concern, the webhook type, and the document
 * that the webhook shows; without one it shows the payment.
 */
export type DocumentEvent = { operation: string; type: string; document?: string }

/** `lost`: never sent. The event exists all the same, for processors that list their events. */
export type Announcement = {
  id: string
  operation: string
  created_at: string
  held: boolean
  lost?: true
  type?: string
  document?: string
}

type Delivery = { event: string; rounds: number; attempts: number; delivered: boolean; next_at: number | null }

export type KeptAnswer = { status: number; body: object; at: number }

export type Change = {
  account: string
  /** The reference of a request that arrived, whether or not it had an effect. */
  sent?: string
  payment?: Payment
  operations?: Operation[]
  announced?: Announcement[]
  documents?: Document[]
  news?: DocumentEvent[]
  /** The fate of the webhooks of this change; the account's settings do not matter. */
  webhooks?: WebhookFate
  /**
   * A used idempotency key. `answer`: the first answer, for dialects that repeat it instead of showing the operation
   * as it stands.
   */
  key?: { key: string; fingerprint: string; operation: string; answer?: KeptAnswer }
  settings?: Settings
  clock_offset?: number
  faults?: Queued[]
  delivery?: Delivery
  forgotten?: true
}

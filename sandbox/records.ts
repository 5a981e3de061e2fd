// What the ledger file is made of. A record is one change of one account: it is whole in one line, or it never
// happened.

import type { CardName, DeclineCode, PayoutDecline } from './cards.ts'
import type { Queued } from './faults.ts'

export type Phase = 'pending' | 'challenge' | 'declined' | 'open' | 'captured' | 'voided' | 'expired'

/** Decided at once; decided after a minute; or once the shopper has done something. */
export type Course = 'at once' | 'later' | Action

/**
 * A payment method that is no card: `family` and `way` as the merchant's software calls them. `otp`: the shopper is
 * sent a code. `course`: where a dialect says what comes of it. `life_ms`: how long the shopper may take.
 * `settles_ms`: how long the banks take afterwards. `refunds_ms`: how long the shopper takes to say whereto a refund
 * goes.
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
 * What the shopper must do. All of it leads to one page, where they accept or reject: a redirect and a window go
 * there, a code says its address; what has no address is decided by `POST /control/operations/{id}`.
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
  /** Which of its card's networks the merchant asked for, as the dialect calls it. */
  network?: string
  /** Paid otherwise than by a card: `card` is then the one that does what this does. */
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
  /** A capture that is the last one is pending: no other may come beside it. */
  closing: boolean
  hold_until: number | null
  statement_descriptor?: string
  overcapture?: true
  /** Its card is kept for later payments once it is approved: for which, and until which month it is good. */
  store?: { usage: 'on_session' | 'off_session'; expires: string }
  /** The merchant asked for it without the shopper, by a card that is kept, or that the network knows. */
  by?: 'mandate' | 'network_transaction_id' | 'card'
  /** It is a payout, to one of these. */
  to?: 'card' | 'bank' | 'wallet' | 'bank_redirect'
  /** What banks have taken back for disputes. */
  disputed?: number
  /** The dialect that it was made in, and what that calls it; the sandbox's own where there is none. */
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
  /** `returned`, `expired`: of payouts whose money came back, or was never claimed. */
  status: 'approved' | 'declined' | 'pending' | 'challenge' | 'returned' | 'expired'
  amount: number
  currency: string
  decline: Decline | null
  payment_state: PaymentState
  network_transaction_id: string | null
  /** What a card that is kept for later is called. */
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
  /** When, by the account's clock, a pending operation or a challenge is decided without a request. */
  due_at: number | null
  challenge: { token: string; return_url: string | null; merchant?: string | undefined; action?: Action } | null
  final: boolean
}

export type Settings = {
  webhook_url: string | null
  webhook_secret: string | null
  webhooks: 'send' | 'hold' | 'off' | 'duplicate' | null
}

/** Something that a dialect knows and the ledger of money does not: an intent, a dispute. */
export type Document = { id: string; object: string }

/** An order that was made before it is paid. */
export type OrderNote = Document & { object: 'order'; reference: string; amount: number; currency: string }

/**
 * One run of EMV 3-D Secure at the directory. `trans_status` is null until it is decided; `C`: the shopper has been
 * asked.
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
  /** When an unanswered challenge is over. */
  due_at: number | null
}

export const disputeStages = ['inquiry', 'chargeback', 'second_chargeback'] as const
export const disputeStatuses = ['needs_response', 'under_review', 'won', 'lost', 'accepted', 'expired', 'cancelled'] as const
export type DisputeStage = (typeof disputeStages)[number]
export type DisputeStatus = (typeof disputeStatuses)[number]

/**
 * `payment`: the ledger's. `reason`: in the words that Stripe has for it, `network_code` in the network's. Times in
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

/** News besides those of operations: which payment it is told of, what it is called, and the document it shows. */
export type News = { operation: string; type: string; document: string }

export type Announcement = { id: string; operation: string; created_at: string; held: boolean; type?: string; document?: string }

export type Delivery = { event: string; rounds: number; attempts: number; delivered: boolean; next_at: number | null }

export type KeptAnswer = { status: number; body: object; at: number }

export type Change = {
  account: string
  /** A reference that was sent, whether or not anything came of it. */
  sent?: string
  payment?: Payment
  operations?: Operation[]
  announced?: Announcement[]
  documents?: Document[]
  news?: News[]
  /** `answer`: where a dialect gives the first answer again, rather than the operation as it stands. */
  key?: { key: string; fingerprint: string; operation: string; answer?: KeptAnswer }
  settings?: Settings
  clock_offset?: number
  faults?: Queued[]
  delivery?: Delivery
  forgotten?: true
}

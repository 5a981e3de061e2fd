// The test cards and their behavior. `npm run docs` prints them (docs/generated/sandbox-cards.md). The sandbox
// does not start if a number fails the Luhn check.

import type { FaultName } from './faults.ts'

export const declines = {
  card_declined: { message: 'The card was declined.', network_code: '05', network_advice: null },
  insufficient_funds: { message: 'The card has insufficient funds.', network_code: '51', network_advice: '02' },
  lost_card: { message: 'The card was reported lost.', network_code: '41', network_advice: '03' },
  stolen_card: { message: 'The card was reported stolen.', network_code: '43', network_advice: '03' },
  expired_card: { message: 'The card has expired.', network_code: '54', network_advice: '01' },
  incorrect_cvc: { message: 'The security code is incorrect.', network_code: 'N7', network_advice: null },
  processing_error: { message: 'The issuer could not process the card.', network_code: '96', network_advice: '02' },
  avs_declined: { message: 'The billing address does not match the card.', network_code: '63', network_advice: null },
  authentication_required: { message: 'The issuer asks for 3-D Secure.', network_code: '1A', network_advice: null },
  authentication_failed: { message: 'The shopper did not pass 3-D Secure.', network_code: null, network_advice: null },
  authentication_expired: {
    message: 'The customer did not complete the challenge in time.',
    network_code: null,
    network_advice: null,
  },
  payment_declined: { message: 'The payment was declined.', network_code: null, network_advice: null },
  rejected: { message: 'The customer did not approve the payment.', network_code: null, network_advice: null },
  not_paid: { message: 'The customer did not pay in time.', network_code: null, network_advice: null },
  voided: { message: 'The authorization was voided before it completed.', network_code: null, network_advice: null },
  capture_declined: { message: 'The capture was declined.', network_code: null, network_advice: null },
  capture_failed: { message: 'The capture failed: the card could not be debited.', network_code: null, network_advice: null },
  void_declined: { message: 'The void was declined.', network_code: null, network_advice: null },
  increment_declined: { message: 'The issuer declined to increase the authorization.', network_code: '51', network_advice: '02' },
  extension_declined: { message: 'The issuer declined to extend the authorization.', network_code: null, network_advice: null },
  reversal_declined: { message: 'The payment has already been settled.', network_code: null, network_advice: null },
  refund_declined: { message: 'The refund was declined.', network_code: null, network_advice: null },
  refund_failed: { message: 'The refund could not be credited to the card.', network_code: null, network_advice: null },
} as const satisfies Record<string, { message: string; network_code: string | null; network_advice: string | null }>

/** The reasons for which a payout is declined or returned. Only the sandbox's own language has payouts. */
export const payoutDeclines = {
  payout_failed: { message: 'The payout could not be credited to the recipient.', network_code: null, network_advice: null },
  payout_cancelled: { message: 'The payout was cancelled.', network_code: null, network_advice: null },
  payout_cancel_declined: { message: 'The payout can no longer be cancelled.', network_code: null, network_advice: null },
  payout_returned: { message: 'The recipient’s bank returned the payout.', network_code: null, network_advice: null },
  recipient_ineligible: { message: 'The recipient cannot receive payouts.', network_code: null, network_advice: null },
} as const satisfies Record<string, { message: string; network_code: string | null; network_advice: string | null }>

export type DeclineCode = keyof typeof declines
export type PayoutDecline = keyof typeof payoutDeclines
export type Verdict = 'approved' | DeclineCode

export type Behaviour = {
  authorize?: DeclineCode
  challenge?: Verdict
  /** The verdicts on operations that are pending for one minute. */
  later?: { authorize?: Verdict; capture?: Verdict; refund?: Verdict }
  /**
   * The answer of the 3-D Secure directory for this card. Without a value, the authentication succeeds at once, or a
   * challenge follows if the processor would challenge the card.
   */
  authentication?: 'A' | 'N' | 'U' | 'R' | 'not enrolled'
  /** Whether the challenge is skipped when the merchant asks for an exemption. */
  exempt?: true
  /** The check that fails at the issuer, although the payment is approved. */
  checks?: 'code fails' | 'postcode fails'
  capture?: DeclineCode
  void?: DeclineCode
  refund?: DeclineCode
  approves?: 'half'
  /**
   * The course of a payout to this card. `ineligible`: declined. `returns`: the money comes back after three days.
   * `waits`: pending until the recipient claims the money or the merchant cancels the payout. `keeps`: paid after one
   * minute, and cannot be cancelled.
   */
  payout?: 'ineligible' | 'returns' | 'waits' | 'keeps'
  /**
   * The kind of frame that first collects device data from the shopper's browser. A shopper whose browser loaded the
   * frame is approved; others are challenged.
   */
  collects?: 'ddc' | 'iframe'
  echoes?: 'another amount' | 'another currency' | 'another reference'
  disputed?: true
  fault?: FaultName
}

type Card = { numbers: string[]; outcome: string; does: Behaviour }

export const cards = {
  approved: {
    numbers: ['4111111111111111', '4242424242424242', '5555555555554444', '38000000000006', '378282246310005', '6011111111111117'],
    outcome: 'approved',
    does: {},
  },
  declined: {
    numbers: ['5105105105105100', '4000000000000002'],
    outcome: 'declined `card_declined` (network code 05)',
    does: { authorize: 'card_declined' },
  },
  insufficient_funds: {
    numbers: ['4000000000009995'],
    outcome: 'declined `insufficient_funds` (51)',
    does: { authorize: 'insufficient_funds' },
  },
  lost: { numbers: ['4000000000009987'], outcome: 'declined `lost_card` (41)', does: { authorize: 'lost_card' } },
  stolen: { numbers: ['4000000000009979'], outcome: 'declined `stolen_card` (43)', does: { authorize: 'stolen_card' } },
  expired: { numbers: ['4000000000000069'], outcome: 'declined `expired_card` (54)', does: { authorize: 'expired_card' } },
  incorrect_cvc: {
    numbers: ['4000000000000127'],
    outcome: 'declined `incorrect_cvc` (N7, cvc_result N)',
    does: { authorize: 'incorrect_cvc' },
  },
  code_fails: {
    numbers: ['4000000000000101'],
    outcome: 'approved; the security code does not match (cvc_result N)',
    does: { checks: 'code fails' },
  },
  postcode_fails: {
    numbers: ['4000000000000036'],
    outcome: 'approved; the postal code of the billing address does not match (avs_result A)',
    does: { checks: 'postcode fails' },
  },
  processing_error: {
    numbers: ['4000000000000119'],
    outcome: 'declined `processing_error` (96)',
    does: { authorize: 'processing_error' },
  },
  challenge: {
    numbers: ['4000003800000446', '4000002760003184', '4000000000003220', '4000000000003063', '4000002500003155'],
    outcome:
      'challenged with `three_ds: "request"`; declined `authentication_required` (1A) with `"skip"`. The challenge page approves (eci 05) or declines `authentication_failed`',
    does: { challenge: 'approved' },
  },
  challenge_then_declined: {
    numbers: ['4000008400001629'],
    outcome: 'as above, but declined `card_declined` after an accepted challenge',
    does: { challenge: 'card_declined' },
  },
  challenge_then_insufficient_funds: {
    numbers: ['4000008260003178'],
    outcome: 'as above, but declined `insufficient_funds` after an accepted challenge',
    does: { challenge: 'insufficient_funds' },
  },
  refund_fails_later: {
    numbers: ['4000000000005126'],
    outcome: 'approved; its refunds are `pending` and fail (`refund_failed`) after 60 s',
    does: { later: { refund: 'refund_failed' } },
  },
  collects_device: {
    numbers: ['4000000000003071'],
    outcome:
      'as the first card with a challenge, but a frame first collects device data (`invoke_ddc`): approved if the browser loaded it, otherwise challenged',
    does: { challenge: 'approved', collects: 'ddc' },
  },
  collects_in_frame: {
    numbers: ['4000000000003097'],
    outcome: 'as above, with the hidden frame of 3-D Secure (`invoke_hidden_iframe`)',
    does: { challenge: 'approved', collects: 'iframe' },
  },
  refund_approved_later: {
    numbers: ['4000000000007726'],
    outcome: 'approved; its refunds are `pending` and approved after 60 s',
    does: { later: { refund: 'approved' } },
  },
  approved_later: {
    numbers: ['4000000000001976'],
    outcome: 'pending; approved after 60 s',
    does: { later: { authorize: 'approved' } },
  },
  declined_later: {
    numbers: ['4000000000001984'],
    outcome: 'pending; declined `card_declined` after 60 s',
    does: { later: { authorize: 'card_declined' } },
  },
  capture_declined: {
    numbers: ['4000000000000341'],
    outcome: 'approved; every capture is declined `capture_declined`',
    does: { capture: 'capture_declined' },
  },
  void_declined: {
    numbers: ['4000000000000358'],
    outcome: 'approved; every void is declined `void_declined`',
    does: { void: 'void_declined' },
  },
  refund_declined: {
    numbers: ['4000000000000366'],
    outcome: 'approved; every refund is declined `refund_declined`',
    does: { refund: 'refund_declined' },
  },
  capture_approved_later: {
    numbers: ['4000000000000374'],
    outcome: 'approved; captures are `pending`, approved after 60 s',
    does: { later: { capture: 'approved' } },
  },
  capture_fails_later: {
    numbers: ['4000000000000382'],
    outcome: 'approved; captures are `pending` and fail (`capture_failed`) after 60 s',
    does: { later: { capture: 'capture_failed' } },
  },
  half: {
    numbers: ['4000000000000606'],
    outcome: 'approved for half the amount (rounded down), whether or not `allow_partial` was sent',
    does: { approves: 'half' },
  },
  echoes_amount: {
    numbers: ['4000000000000614'],
    outcome: 'approved with a different amount in the response (amount + 1)',
    does: { echoes: 'another amount' },
  },
  echoes_currency: {
    numbers: ['4000000000000622'],
    outcome: 'approved with a different currency in the response (EUR, or USD for a request in EUR)',
    does: { echoes: 'another currency' },
  },
  echoes_reference: {
    numbers: ['4000000000000630'],
    outcome: 'approved with a different reference in the response',
    does: { echoes: 'another reference' },
  },
  payout_ineligible: {
    numbers: ['4000000000000705'],
    outcome: 'approved; payouts to it are declined `recipient_ineligible`',
    does: { payout: 'ineligible' },
  },
  payout_returns: {
    numbers: ['4000000000000713'],
    outcome: 'approved; payouts to it are paid, and returned (`payout_returned`) after three days',
    does: { payout: 'returns' },
  },
  payout_waits: {
    numbers: ['4000000000000721'],
    outcome: 'approved; payouts to it are pending until they are cancelled, or expire unclaimed after 30 days',
    does: { payout: 'waits' },
  },
  payout_keeps: {
    numbers: ['4000000000000739'],
    outcome: 'approved; payouts to it are pending, are paid after 60 s, and cannot be cancelled (`payout_cancel_declined`)',
    does: { payout: 'keeps' },
  },
  hangs: {
    numbers: ['4000000000000408'],
    outcome: 'hangs without charging; the connection is closed after 60 s',
    does: { fault: 'hang_before' },
  },
  charges_then_hangs: {
    numbers: ['4000000000000416'],
    outcome: 'charges, then hangs in the same way',
    does: { fault: 'hang_after' },
  },
  resets: {
    numbers: ['4000000000000424'],
    outcome: 'resets the connection before charging',
    does: { fault: 'reset_before' },
  },
  charges_then_resets: { numbers: ['4000000000000432'], outcome: 'charges, then resets the connection', does: { fault: 'reset_after' } },
  says_500: { numbers: ['4000000000000440'], outcome: 'responds with 500 (JSON) without charging', does: { fault: '500_before' } },
  charges_then_500: { numbers: ['4000000000000457'], outcome: 'charges, then responds with 500', does: { fault: '500_after' } },
  says_html: {
    numbers: ['4000000000000465'],
    outcome: 'responds with 503 (an HTML page) without charging',
    does: { fault: 'html_before' },
  },
  charges_then_html: {
    numbers: ['4000000000000473'],
    outcome: 'charges, then responds with 200 and an HTML page',
    does: { fault: 'html_after' },
  },
  charges_then_truncates: {
    numbers: ['4000000000000481'],
    outcome: 'charges, then responds with truncated JSON',
    does: { fault: 'truncate_after' },
  },
  charges_then_drips: {
    numbers: ['4000000000000499'],
    outcome: 'charges, then sends one byte per second',
    does: { fault: 'drip_after' },
  },
  charges_then_empty: { numbers: ['4000000000000507'], outcome: 'charges, then responds with `{}`', does: { fault: 'empty_after' } },
  disputed: {
    numbers: ['4000000000000259', '4023898493988028'],
    outcome: 'approved; disputed as fraudulent as soon as an amount is captured',
    does: { disputed: true },
  },
  charges_every_time: {
    numbers: ['4000000000000515'],
    outcome: 'ignores idempotency keys and duplicate references: every request is a new charge',
    does: { fault: 'ignore_idempotency' },
  },
  slow: { numbers: ['4000000000000523'], outcome: 'waits 1 s, then approves', does: { fault: 'latency' } },
  charges_then_huge: {
    numbers: ['4000000000000531'],
    outcome: 'charges, then responds with a body of 8 MB',
    does: { fault: 'huge_after' },
  },
  attempted: {
    numbers: ['4000000000003006'],
    outcome: 'the directory returns an attempted authentication (`trans_status` A); approved',
    does: { authentication: 'A' },
  },
  not_authenticated: {
    numbers: ['4000000000003014'],
    outcome: 'the directory does not authenticate the cardholder (N); otherwise approved',
    does: { authentication: 'N' },
  },
  authentication_unavailable: {
    numbers: ['4000000000003022'],
    outcome: 'the directory cannot currently authenticate the cardholder (U); otherwise approved',
    does: { authentication: 'U' },
  },
  authentication_rejected: {
    numbers: ['4000000000003030'],
    outcome: 'the issuer rejects the authentication (R); otherwise approved',
    does: { authentication: 'R' },
  },
  not_enrolled: {
    numbers: ['4000000000003048'],
    outcome: 'not enrolled in 3-D Secure, so the directory cannot authenticate it; approved',
    does: { authentication: 'not enrolled' },
  },
  exempt: {
    numbers: ['4000000000003055'],
    outcome: 'as the first card with a challenge, but approved without one if the payment has an exemption (`low_value` up to 3000)',
    does: { challenge: 'approved', exempt: true },
  },
} as const satisfies Record<string, Card>

export type CardName = keyof typeof cards

export function luhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

const byNumber = new Map<string, CardName>()
const byEnding = new Map<string, CardName>()
for (const [name, card] of Object.entries(cards)) {
  for (const number of card.numbers) {
    if (!luhn(number)) throw new Error(`card ${name}: ${number} fails Luhn`)
    if (byNumber.has(number)) throw new Error(`card ${name}: ${number} is listed twice`)
    byNumber.set(number, name as CardName)
    const ending = number.slice(-4)
    if ((byEnding.get(ending) ?? name) !== name) throw new Error(`card ${name}: another one ends in ${ending} too`)
    byEnding.set(ending, name as CardName)
  }
}

export function cardOf(number: string): CardName {
  return byNumber.get(number) ?? 'approved'
}

/** Returns the card whose number ends in these four digits; accounts that are not cards behave as this card does. */
export const cardEnding = (digits: string): CardName => byEnding.get(digits) ?? 'approved'

export function behaviourOf(card: CardName): Behaviour {
  return cards[card].does
}

/** Masks a card number: the only part of the number that is ever stored. */
export function mask(number: string): string {
  return `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`
}

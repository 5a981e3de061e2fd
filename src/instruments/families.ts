import type { FamilyName } from '../connectors/instrument.ts'
import { bankDebit } from './bank-debit.ts'
import { bankRedirect } from './bank-redirect.ts'
import { bankTransfer } from './bank-transfer.ts'
import { card } from './card.ts'
import { cardRedirect } from './card-redirect.ts'
import { crypto } from './crypto.ts'
import type { Family } from './family.ts'
import { giftCard } from './gift-card.ts'
import { mobilePayment } from './mobile-payment.ts'
import { networkToken } from './network-token.ts'
import { openBanking } from './open-banking.ts'
import { payLater } from './pay-later.ts'
import { realTimePayment } from './real-time-payment.ts'
import { reward } from './reward.ts'
import { upi } from './upi.ts'
import { voucher } from './voucher.ts'
import { wallet } from './wallet.ts'

/**
 * A new family needs only an entry here and connectors that support it: requests, vault records, answers, digests and
 * the check for card numbers follow (`input.ts`, `payments/authorization/payment-instrument.ts`).
 */
export const families = {
  card,
  wallet,
  pay_later: payLater,
  bank_redirect: bankRedirect,
  bank_debit: bankDebit,
  bank_transfer: bankTransfer,
  card_redirect: cardRedirect,
  crypto,
  upi,
  voucher,
  gift_card: giftCard,
  reward,
  real_time_payment: realTimePayment,
  open_banking: openBanking,
  mobile_payment: mobilePayment,
  network_token: networkToken,
}

/** As stored in a payment's row. */
export type MaskedInstrument = ReturnType<(typeof families)[keyof typeof families]['mask']>

// biome-ignore lint/suspicious/noExplicitAny: what a family reads, it has made itself
export type AnyFamily = Family<any, any, any>

export const familyNamed = (name: string | undefined): AnyFamily | undefined =>
  (families as Partial<Record<FamilyName, AnyFamily>>)[name as FamilyName]

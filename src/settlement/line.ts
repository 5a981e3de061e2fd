import type { Currency } from '../base/currencies.ts'
import type { Time } from '../context.ts'

/**
 * The meanings of lines of processors' reports. Positive amounts are in favour of the merchant, as on its
 * balance at the processor: a refund, a fee and a payout are negative.
 */
export const settlementTypes = {
  charge: 'A payment, a capture or one part of it',
  refund: 'A refund',
  refund_failure: 'A refund that came back',
  chargeback: 'Amount taken by a dispute',
  chargeback_reversal: 'Amount of a dispute that came back',
  transfer: 'Amount sent to a recipient: one of our payouts',
  transfer_failure: 'Amount sent to a recipient that came back',
  fee: 'Fees that belong to no other line: gross is zero',
  payout: 'Amount paid out to the merchant’s bank. Reference and batch are the payout’s id',
  payout_failure: 'A payout that came back from the bank. Reference is its own, or the payout’s id',
  deposit: 'Amount that the merchant paid in, or was debited from its bank',
  reserve: 'Amount that the processor withholds',
  reserve_release: 'Withheld amount that it releases',
  adjustment: 'Correction by the processor, with no other type',
  conversion: 'One currency’s half of a conversion: of two lines with one reference, one is negative',
  invoice: 'An invoice of the processor that it deducts',
  balance_transfer: 'Amount carried from one batch to the next: nothing moves',
  opening_balance: 'The balance with which the report begins: nothing moves',
  closing_balance: 'The balance with which the report ends: nothing moves',
  unknown: 'A type that the reader does not know; `description` is the report’s own word',
} as const
export type SettlementType = keyof typeof settlementTypes

/** One movement in a processor's report. Amounts are in the lowest denomination of `currency`. */
export type SettlementLine = {
  /** Line of the file, for messages. */
  at: number
  type: SettlementType
  /** Ours, where the report repeats it. */
  request_id: string | null
  /**
   * The processor's id of this movement: no other movement of the same type has it, in no report. Null if the report
   * names a movement only by its payment; such movements are told apart by `batch`, currency, amount and how many
   * there are, so a reader of such a report must always give `batch`.
   */
  reference: string | null
  /**
   * The processor's id of the object whose movement it is: the capture, refund, dispute or transfer, as its
   * operation or its dispute here has it; of a payout, what the bank's statement repeats. Several movements may have
   * the same one.
   */
  object_reference: string | null
  /**
   * The processor's id of the payment to which the movement belongs, as authorization, capture or refund returned
   * it.
   */
  payment_reference: string | null
  /** The payout or settlement batch with which it is paid. Null: not known yet. */
  batch: string | null
  /** In which it is settled. */
  currency: Currency
  /** `net` is `gross - fee`. A fee is positive if the processor keeps it. */
  gross: number
  fee: number
  net: number
  /** Before a conversion: the sign is that of `gross`; `rate` as it is written. Null if nothing was converted. */
  original: { amount: number; currency: Currency; rate: string | null } | null
  /** When it was booked on the balance. */
  booked_at: Time | null
  /** When its batch was paid out. Null: not yet, or the report does not say. */
  paid_at: Time | null
  description: string | null
}

/**
 * A line that cannot be read: it is never dropped silently. `text`: as it is written, shortened, without card data.
 */
export type UnreadLine = { at: number; problem: string; text: string }

/** One row of a report: its fields, trimmed. The first row is the first one of the file, titles included. */
export type ReportRow = { at: number; fields: readonly string[] }

/**
 * Turns the rows of one kind of report into lines, one after the other: it holds no more of the file than it needs. It
 * reads all rows, and makes no line that the report does not have. Rows without a movement (titles, totals, trailers)
 * are no lines; a total that does not agree with the lines is an `UnreadLine`.
 */
export type SettlementReader = {
  /** In lower case, for example `stripe_payouts`. */
  name: string
  /** Of whose accounts; null: of any. */
  connector: string | null
  title: string
  /** True if a report that begins with this row is of this kind. */
  matches(header: readonly string[]): boolean
  read(rows: AsyncIterable<ReportRow>): AsyncIterable<SettlementLine | UnreadLine>
}

/** One entry of a statement of the merchant's bank. Amounts are positive if they arrived there. */
export type BankEntry = {
  at: number
  /** The bank's id of the entry: no other entry has it. Null: the statement has none. */
  reference: string | null
  currency: Currency
  amount: number
  booked_at: Time
  /** Everything that the bank repeats of the payment: end-to-end id, remittance information, counterparty. */
  texts: readonly string[]
}

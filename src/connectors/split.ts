/**
 * How what is paid is shared between accounts of a platform at its processor. Each processor shares in a way of its
 * own, so it is said in its words; amounts are in the lowest denomination of the payment's currency.
 */
export type Split =
  | { is: 'stripe'; application_fee: number; destination: string; on_behalf_of: string | null }
  | { is: 'adyen'; store: string | null; items: readonly SplitItem[] }

export type SplitName = Split['is']

/** One share: whose it is, if it is of an account, and how much, if that is known beforehand (of fees it is not). */
export type SplitItem = { split_type: SplitType; reference: string; amount?: number; account?: string; description?: string }

export const splitTypes = [
  'BalanceAccount',
  'AcquiringFees',
  'PaymentFee',
  'AdyenFees',
  'AdyenCommission',
  'AdyenMarkup',
  'Interchange',
  'SchemeFee',
  'Commission',
  'TopUp',
  'Vat',
] as const
export type SplitType = (typeof splitTypes)[number]

/** What of the shares is taken back with a refund. */
export type SplitBack =
  | { is: 'stripe'; reverse_transfer: boolean; refund_application_fee: boolean }
  | { is: 'adyen'; items: readonly SplitItem[] }

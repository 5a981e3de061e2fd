/**
 * The split of a payment between accounts of a platform at its processor. Each processor has its own way of splitting,
 * so the members are in the processor's terms. Amounts are in the lowest denomination of the payment's currency.
 */
export type Split =
  | { is: 'stripe'; application_fee: number; destination: string; on_behalf_of: string | null }
  | { is: 'adyen'; store: string | null; items: readonly SplitItem[] }

export type SplitName = Split['is']

/**
 * One share of a split. `account`: the account that receives it, if it goes to one; `amount`: absent if it is not
 * known beforehand (fees).
 */
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
type SplitType = (typeof splitTypes)[number]

/** The shares that are taken back with a refund. */
export type SplitBack =
  | { is: 'stripe'; reverse_transfer: boolean; refund_application_fee: boolean }
  | { is: 'adyen'; items: readonly SplitItem[] }

/** In the processor's terms: each has its own way. Amounts are in the lowest denomination. */
export type Split =
  | { is: 'stripe'; application_fee: number; destination: string; on_behalf_of: string | null }
  | { is: 'adyen'; store: string | null; items: readonly SplitItem[] }

export type SplitName = Split['is']

/** `account`: the receiver, if there is one; `amount`: absent if not known beforehand (fees). */
export type SplitItem = { split_type: SplitType; reference: string; amount?: number; account?: string; description?: string }

// biome-ignore format: a list reads better in rows
export const splitTypes = [
  'BalanceAccount', 'AcquiringFees', 'PaymentFee', 'AdyenFees', 'AdyenCommission', 'AdyenMarkup', 'Interchange',
  'SchemeFee', 'Commission', 'TopUp', 'Vat',
] as const
type SplitType = (typeof splitTypes)[number]

export type SplitBack =
  | { is: 'stripe'; reverse_transfer: boolean; refund_application_fee: boolean }
  | { is: 'adyen'; items: readonly SplitItem[] }

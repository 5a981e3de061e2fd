// An account's settlement file: every movement of money, with its fee, in the smallest currency unit.

import type { Account } from './books.ts'
import type { Operation } from './records.ts'

const HEADER = 'transaction,merchant_reference,type,currency,gross,fee,net,booked_at'
/** The fee of a refund, in the smallest currency unit. */
export const REFUND_FEE = 15
/** Returns the fee of a movement: 1.4 % plus ten of money taken in, `REFUND_FEE` for a refund, none otherwise. */
export const feeOf = (gross: number, type: Operation['type']): number =>
  gross > 0 ? Math.round(gross * 0.014) + 10 : type === 'refund' ? REFUND_FEE : 0

export function settlementFile(account: Account): string {
  const lines = [...account.operations.values()].flatMap(operation => {
    const gross = movedBy(operation, account)
    if (gross === 0) return []
    const { id, reference, type, currency, updated_at } = operation
    const fee = feeOf(gross, type)
    return [[id, reference, type, currency, gross, fee, gross - fee, updated_at].join(',')]
  })
  return `${[HEADER, ...lines].join('\n')}\n`
}

/** Returns the amount that an operation has moved to the merchant's account; negative for refunds and reversals. */
function movedBy({ type, status, amount, payment }: Operation, account: Account): number {
  if (status !== 'approved') return 0
  if (type === 'capture') return amount
  if (type === 'authorization') return account.payments.get(payment)!.capture === 'automatic' ? amount : 0
  return type === 'refund' || type === 'reversal' ? -amount : 0
}

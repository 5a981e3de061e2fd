import { refuse } from '../../base/refusal.ts'
import type { Payment, PaymentParams } from '../payment.ts'

/** Returns the number of monthly installments that the customer pays in; null if there is only one payment. */
export function installmentsOf({ installment_data: chosen }: PaymentParams): number | null {
  return chosen && chosen.number_of_installments > 1 ? chosen.number_of_installments : null
}

/** Returns the numbers of installments that the merchant offers for cards. */
export const offeredInstallments = ({ installment_options: options = [] }: PaymentParams): number[] => [
  ...new Set(options.flatMap(({ installments }) => installments.flatMap(({ number_of_installments: number }) => number))),
]

/** Refuses (IR_16) a number of installments that is not offered, and a payment that cannot be divided. */
export function checkInstallments({ request, net_amount }: Pick<Payment, 'request' | 'net_amount'>): void {
  const number = installmentsOf(request)
  if (number === null) return
  if (net_amount === 0) refuse('precondition', { problem: 'installment_data requires an amount greater than 0' })
  if (request.off_session === true)
    refuse('precondition', { problem: 'installment_data cannot be used with off_session: true: the customer must choose the installments' })
  if (request.payment_method !== undefined && request.payment_method !== 'card')
    refuse('precondition', { problem: `installment_data is for payment_method card, not ${request.payment_method}` })
  if (request.installment_options && !offeredInstallments(request).includes(number)) refuseChoice(number)
}

/** Refuses (IR_16) a browser's number that the merchant neither offers nor chose itself. */
export function checkBrowsersChoice(before: Payment, more: PaymentParams): void {
  const number = installmentsOf(more)
  if (number === null || number === installmentsOf(before.request) || offeredInstallments(before.request).includes(number)) return
  refuseChoice(number)
}

const refuseChoice = (number: number): never =>
  refuse('precondition', { problem: `installment_data must match one of installment_options: ${number} installments are not offered` })

/** Refuses (IR_04) payment_type installment without the installment_data that the confirm requires. */
export function checkChosen({ payment_type, installment_data }: PaymentParams): void {
  if (payment_type === 'installment' && !installment_data) refuse('missing', { field: 'installment_data' })
}

/** Refuses (IR_06) to offer installments in a request that also confirms: the customer chooses later. */
export function checkNotAtOnce({ payment_type, installment_options }: PaymentParams): void {
  const field = installment_options ? 'installment_options' : payment_type === 'installment' ? 'payment_type' : null
  if (field)
    refuse('unacceptable', {
      field: 'confirm',
      problem: `must not be true at create with ${field} of installments: confirm the payment once the customer has chosen`,
    })
}

import Type, { type Static } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { closed, strictObject } from '../../base/shapes.ts'
import { paymentMethodNames } from '../../instruments/methods.ts'

/** Monthly installments by the card's issuer: the merchant's offer, and the customer's choice. */

const number = Type.Integer({ minimum: 1, maximum: 99 })
const billing_frequency = Type.Enum(['month'])

const option = strictObject({
  number_of_installments: Type.Union([number, Type.Array(number, { minItems: 1, maxItems: 99 })]),
  billing_frequency,
  interest_rate: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: 'Must be 0' })),
})

export const installmentOptions = Type.Array(
  Type.Object(
    { payment_method: Type.Enum(paymentMethodNames), installments: Type.Array(option, { maxItems: 50 }) },
    { ...closed, title: 'InstallmentOption' },
  ),
  { maxItems: 10 },
)
export type InstallmentOptions = Static<typeof installmentOptions>

export const installmentData = Type.Object({ number_of_installments: number, billing_frequency }, { ...closed, title: 'InstallmentData' })

/** Refuses interest, because no interest is charged here, and installments of a method other than card. */
export function checkInstallmentOptions(field: string, options: InstallmentOptions): void {
  for (const [i, { payment_method, installments }] of options.entries()) {
    if (payment_method !== 'card')
      refuse('not_supported', {
        problem: `${field}[${i}].payment_method ${payment_method} is not supported: only cards can be paid in installments`,
      })
    for (const [j, { interest_rate = 0 }] of installments.entries())
      if (interest_rate !== 0)
        refuse('not_supported', {
          problem: `${field}[${i}].installments[${j}].interest_rate must be 0: charging interest is not supported`,
        })
  }
}

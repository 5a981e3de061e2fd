import Type, { type Static } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { country, shortText, strictObject } from '../base/shapes.ts'

/** By the destination of the goods. Merchants that use an external tax service send `order_tax_amount` instead. */

export const taxRatesShape = Type.Array(
  strictObject({
    country,
    state: Type.Optional({ ...shortText, description: 'Limits the rate to this state; it takes precedence over the rate of the country' }),
    rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percentage with up to four decimals' }),
    shipping: Type.Optional(Type.Boolean({ description: 'Whether shipping_cost is taxed too (default false)' })),
  }),
  { maxItems: 500, description: 'Tax rates by shipping address (POST /payments/{payment_id}/calculate_tax); no tax applies elsewhere' },
)
export type TaxRates = Static<typeof taxRatesShape>

const sameState = (a: string | undefined, b: string | undefined): boolean => a?.trim().toLowerCase() === b?.trim().toLowerCase()

export function checkTaxRates(field: string, rates: TaxRates): void {
  for (const [i, { country, state, rate }] of rates.entries()) {
    if (rates.findIndex(other => other.country === country && sameState(other.state, state)) < i)
      refuse('unacceptable', { field: `${field}[${i}]`, problem: `is a duplicate rate for ${[country, state].filter(Boolean).join(', ')}` })
    if (Math.abs(rate * SHARES - Math.round(rate * SHARES)) > 1e-6)
      refuse('unacceptable', { field: `${field}[${i}].rate`, problem: 'has more than four decimals' })
  }
}

/** Units in one percent: rates have four decimals. */
const SHARES = 10_000

/** In the lowest denomination of the currency. Halves are rounded up. */
export function taxOn(
  rates: TaxRates,
  { amount, shipping, country, state }: { amount: number; shipping: number; country: string; state: string | undefined },
): number {
  const there = rates.filter(one => one.country === country)
  const found = there.find(one => one.state !== undefined && sameState(one.state, state)) ?? there.find(one => one.state === undefined)
  if (!found) return 0
  const taxed = BigInt(amount + (found.shipping ? shipping : 0)) * BigInt(Math.round(found.rate * SHARES))
  return Number((taxed + BigInt(50 * SHARES)) / BigInt(100 * SHARES))
}

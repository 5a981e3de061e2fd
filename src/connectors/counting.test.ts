import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { type Currency, currencies } from '../base/currencies.ts'
import { connectors } from './all.ts'
import { type Counting, inProcessorUnits, uncounted } from './counting.ts'

const counting: Counting = { decimals: { ISK: 2, MGA: 0 }, steps: { ISK: 100, KWD: 10 }, currencies: ['USD', 'ISK', 'MGA', 'KWD', 'JPY'] }

// biome-ignore format: a table reads better in columns
const cases: [amount: number, currency: Currency, theirs: number | RegExp][] = [
  [1250, 'USD', 1250],
  [1250, 'JPY', 1250],
  [1250, 'ISK', 125_000],
  [1200, 'MGA', 12],
  [1250, 'MGA', /1250 MGA .* multiple of 100$/],
  [1250, 'KWD', 1250],
  [1255, 'KWD', /1255 KWD .* multiple of 10$/],
  [1250, 'EUR', /EUR is not supported/],
  [Number.MAX_SAFE_INTEGER - 1, 'ISK', /too large/],
]

test('an amount is converted to the smallest unit of the processor, or refused with the reason', () => {
  for (const [amount, currency, expected] of cases) {
    const units = inProcessorUnits(counting, { amount, currency })
    if (expected instanceof RegExp) match(String(units), expected)
    else equal(units, expected, currency)
  }
  equal(uncounted(counting, 125_050, 'ISK'), null, 'a fraction of our unit')
})

for (const [name, { accepts }] of Object.entries(connectors)) {
  test(`${name}: in every currency a converted amount converts back to the same amount, or is refused with the currency`, () => {
    const own = accepts.counting ?? { decimals: {}, steps: {} }
    for (const currency of Object.keys(currencies) as Currency[]) {
      fc.assert(
        fc.property(fc.nat({ max: 99_999_999 }), amount => {
          const units = inProcessorUnits(own, { amount, currency })
          if (typeof units === 'string') match(units, new RegExp(currency))
          else equal(uncounted(own, units, currency)?.amount, amount)
        }),
        { numRuns: 50 },
      )
    }
  })
}

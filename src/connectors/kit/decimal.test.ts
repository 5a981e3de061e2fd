import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Currency, currencies } from '../../base/currencies.ts'
import { majorNumberOf, majorOf, moneyOf } from './decimal.ts'

test('an amount converts to major units and back unchanged, in every currency', () => {
  for (const currency of Object.keys(currencies) as Currency[])
    for (const amount of [0, 1, 10, 99, 1250, 123_456_789, Number.MAX_SAFE_INTEGER - 1]) {
      const money = { amount, currency }
      deepEqual(moneyOf(majorOf(money), currency), money)
      // The amount as a JSON number, read by a parser that reads numbers as numbers.
      deepEqual(moneyOf(JSON.parse(JSON.stringify({ amount: majorNumberOf(money) })).amount, currency), money)
    }
  equal(majorOf({ amount: 1250, currency: 'USD' }), '12.50')
  equal(majorOf({ amount: 5, currency: 'KWD' }), '0.005')
  equal(JSON.stringify({ amount: majorNumberOf({ amount: 1250, currency: 'JPY' }) }), '{"amount":1250}')
})

test('an invalid amount, or one with more decimals than its currency, is not accepted', () => {
  for (const value of ['', '-1', '1.234', 'NaN', '1e3', '0x10', ' 1', '12,50', null, undefined, {}, true, 1e21, 0.001, Number.NaN])
    equal(moneyOf(value, 'USD'), null, String(value))
  equal(moneyOf('1.5', 'JPY'), null)
  equal(moneyOf('1', 'usd'), null)
  deepEqual(moneyOf('1.500', 'USD'), { amount: 150, currency: 'USD' })
})

import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { decimal, money } from '../src/index.ts'

test('an amount in major units is converted to the lowest denomination, and back', () => {
  deepEqual(money('12.50', 'EUR'), { amount: 1250, currency: 'EUR' })
  equal(money('12.5', 'EUR').amount, 1250)
  equal(money('12', 'EUR').amount, 1200)
  equal(money('1.005', 'BHD').amount, 1005)
  equal(money('1250', 'JPY').amount, 1250)
  equal(money('1250.00', 'JPY').amount, 1250)
  equal(money('-0.00', 'EUR').amount, 0)
  equal(money('90071992547409.91', 'EUR').amount, Number.MAX_SAFE_INTEGER)
  equal(decimal(1250, 'EUR'), '12.50')
  equal(decimal(5, 'BHD'), '0.005')
  equal(decimal(-5, 'EUR'), '-0.05')
  equal(decimal(1250, 'JPY'), '1250')
})

test('an invalid amount or currency is refused, never rounded', () => {
  for (const [text, currency] of [
    ['12.505', 'EUR'],
    ['0.5', 'JPY'],
    ['12,50', 'EUR'],
    ['1e3', 'EUR'],
    ['', 'EUR'],
    ['NaN', 'EUR'],
    ['90071992547409.92', 'EUR'],
    ['1', 'XXX'],
    ['1', 'toString'],
  ] as const)
    throws(() => money(text, currency as 'EUR'), RangeError, `${text} ${currency}`)
  throws(() => money(12.5 as never, 'EUR'), RangeError)
  throws(() => decimal(0.5, 'EUR'), RangeError)
})

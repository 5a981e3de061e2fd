// What routing costs a payment: `node launch/run.mjs bench/routing.ts`. Measures, and asserts nothing about time.
//
// One evaluation is what a payment does of it: reading what may be looked at off the payment, deciding, and the text that is kept with the authorization. The kinds of rules take turns, round by round, so that
// whatever else the machine does befalls all of them; figures are medians of the rounds, in processor time of this process.
import type { Merchant } from '../src/accounts/merchant.ts'
import { exampleOf } from '../src/database/table.ts'
import { payments } from '../src/payments/payment.ts'
import { wishOf } from '../src/payments/wish.ts'
import { decide } from '../src/routing/decide.ts'
import type { Health } from '../src/routing/health.ts'
import { routedOf } from '../src/routing/routed.ts'
import { merchantOf, priority, split } from '../test/routes.ts'
import { purchase } from './body.ts'
import { median, table } from './figures.ts'

const ROUNDS = 5
const EVALUATIONS = 100_000

const accounts = ['a', 'b', 'c', 'd']

/** So many rules of three comparisons each, of which only the last holds. */
const rules = (many: number) => ({
  type: 'advanced',
  data: {
    defaultSelection: priority('a'),
    rules: Array.from({ length: many }, (_, i) => ({
      name: `rule ${i}`,
      connectorSelection: i % 2 ? priority('b', 'c') : split(['a', 70], ['b', 30]),
      statements: [
        {
          condition: [
            { lhs: 'currency', comparison: 'equal', value: { type: 'enum_variant_array', value: ['USD', 'EUR', 'GBP'] } },
            { lhs: 'billing_country', comparison: 'not_equal', value: { type: 'enum_variant', value: 'FR' } },
            { lhs: 'amount', comparison: 'greater_than', value: { type: 'number', value: i === many - 1 ? 100 : 1_000_000 + i } },
          ],
        },
      ],
    })),
  },
})

const health: Health = Object.fromEntries(accounts.map((id, i) => [id, { success_rate: 90 + i, payments: 200, breaker: 'closed' }]))

// biome-ignore format: a table reads better in columns
const kinds: Record<string, { merchant: Merchant; health: Health | null }> = {
  'one account, nothing said':    { merchant: merchantOf(['a']), health: null },
  'four accounts, nothing said':  { merchant: merchantOf(accounts), health: null },
  'an order':                     { merchant: merchantOf(accounts, { algorithm: priority('c', 'a') }), health: null },
  'a split':                      { merchant: merchantOf(accounts, { algorithm: split(['a', 50], ['b', 30], ['c', 20]) }), health: null },
  '10 rules':                     { merchant: merchantOf(accounts, { algorithm: rules(10) }), health: null },
  '100 rules':                    { merchant: merchantOf(accounts, { algorithm: rules(100) }), health: null },
  '10 rules, ranked by success':  { merchant: merchantOf(accounts, { algorithm: rules(10), success_based: {}, elimination: {} }), health },
}

const { payment_method, payment_method_type, billing, metadata } = purchase
const payment = exampleOf(payments, {
  profile_id: 'p',
  currency: 'USD',
  net_amount: purchase.amount,
  card: { card_network: 'Visa', card_isin: '424242', card_extended_bin: '42424242' } as never,
  asked: { payment_method, payment_method_type, billing, metadata } as never,
})

/** Microseconds of processor time for one evaluation. */
function measure({ merchant, health: known }: (typeof kinds)[string]): number {
  let kept = 0
  const began = process.cpuUsage()
  for (let i = 0; i < EVALUATIONS; i++) {
    const decision = decide(merchant, wishOf({ ...payment, payment_id: `pay_${i}` }), known)
    kept += JSON.stringify(routedOf(decision)).length
  }
  const { user, system } = process.cpuUsage(began)
  if (kept === 0) throw new Error('nothing was decided')
  return (user + system) / EVALUATIONS
}

const figures = new Map<string, number[]>(Object.keys(kinds).map(name => [name, []]))
for (const kind of Object.values(kinds)) measure(kind)
for (let round = 0; round < ROUNDS; round++) for (const [name, kind] of Object.entries(kinds)) figures.get(name)!.push(measure(kind))

const bare = median(figures.get('one account, nothing said')!)
const rows = [...figures].map(([name, all]) => {
  const us = median(all)
  return [name, us.toFixed(1), (us - bare).toFixed(1), Math.round(1e6 / us).toLocaleString('en')]
})
process.stdout.write(`${table([['', 'µs', 'more than the first', 'a second on one core'], ...rows])}\n`)

// The cost of routing for a payment: `npm run bench -- --routing`. Measures, and asserts nothing about time.
//
// One evaluation is the work that a payment does: reading the routing context from the payment, deciding, and writing
// the text that is stored with the authorization. The kinds of rules take turns, round by round, so that other work of
// the machine affects all of them. Figures are medians of the rounds, in processor time of this process.
import type { Merchant } from '../src/accounts/merchant.ts'
import { exampleOf } from '../src/database/table.ts'
import { payments } from '../src/payments/payment.ts'
import { routingContextOf } from '../src/payments/routing/routing-context.ts'
import { decide, routedOf } from '../src/routing/decide.ts'
import type { Health } from '../src/routing/dynamic/dynamic-routing.ts'
import { merchantOf, priority, split } from '../test/routes.ts'
import { purchase } from './body.ts'
import { median, table } from './figures.ts'

const EVALUATIONS = 100_000

const accounts = ['a', 'b', 'c', 'd']

/** Returns a number of rules with three comparisons each, of which only the last rule applies. */
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

const promised: Health = Object.fromEntries(
  Object.entries(health).map(([id, known], i) => [id, { ...known, contract: { payments: 10 * i, due: 25, target: 1000 } }]),
)

// biome-ignore format: a table reads better in columns
const kinds: Record<string, { merchant: Merchant; health: Health | null }> = {
  'one account, nothing said':    { merchant: merchantOf(['a']), health: null },
  'four accounts, nothing said':  { merchant: merchantOf(accounts), health: null },
  'an order':                     { merchant: merchantOf(accounts, { algorithm: priority('c', 'a') }), health: null },
  'a split':                      { merchant: merchantOf(accounts, { algorithm: split(['a', 50], ['b', 30], ['c', 20]) }), health: null },
  '10 rules':                     { merchant: merchantOf(accounts, { algorithm: rules(10) }), health: null },
  '100 rules':                    { merchant: merchantOf(accounts, { algorithm: rules(100) }), health: null },
  '10 rules, and contracts':     { merchant: merchantOf(accounts, { algorithm: rules(10), contract_based: {} }), health: promised },
  '10 rules, ranked by success':  { merchant: merchantOf(accounts, { algorithm: rules(10), success_based: {}, elimination: {} }), health },
}

const { payment_method, payment_method_type, billing, metadata } = purchase
const payment = exampleOf(payments, {
  profile_id: 'p',
  currency: 'USD',
  net_amount: purchase.amount,
  card: { card_network: 'Visa', card_isin: '424242', card_extended_bin: '42424242' } as never,
  request: { payment_method, payment_method_type, billing, metadata } as never,
})

/** Measures one evaluation. Returns microseconds of processor time. */
function measure({ merchant, health: known }: (typeof kinds)[string]): number {
  let kept = 0
  const began = process.cpuUsage()
  for (let i = 0; i < EVALUATIONS; i++) {
    const decision = decide(merchant, routingContextOf({ ...payment, payment_id: `pay_${i}` }), known)
    kept += JSON.stringify(routedOf(decision)).length
  }
  const { user, system } = process.cpuUsage(began)
  if (kept === 0) throw new Error('No routing decision was made')
  return (user + system) / EVALUATIONS
}

/**
 * The goals: the microseconds that active rules may add to a payment, and the evaluations a second that one core must
 * reach.
 */
const MOST_US = 15
const LEAST_A_SECOND = 10_000

/** Measures each kind of rule. Returns a table of the medians of the rounds, and the verdict. */
export function measureRouting(rounds: number): string {
  const figures = new Map<string, number[]>(Object.keys(kinds).map(name => [name, []]))
  for (const kind of Object.values(kinds)) measure(kind)
  for (let round = 0; round < rounds; round++) for (const [name, kind] of Object.entries(kinds)) figures.get(name)!.push(measure(kind))
  const medians = [...figures].map(([name, all]) => ({ name, us: median(all) }))
  const bare = medians[0]!.us
  const dearest = medians.reduce((most, one) => (one.us > most.us ? one : most))
  const rows = medians.map(({ name, us }) => [name, us.toFixed(1), (us - bare).toFixed(1), Math.round(1e6 / us).toLocaleString('en')])
  const [added, least] = [dearest.us - bare, 1e6 / dearest.us]
  const verdict = (holds: boolean) => (holds ? 'holds' : 'DOES NOT HOLD')
  return [
    table([['', 'µs', 'more than the first', 'a second on one core'], ...rows]),
    '',
    `Active rules add ${added.toFixed(1)} µs at most (${dearest.name}); allowed are ${MOST_US}: ${verdict(added <= MOST_US)}.`,
    `${Math.round(least).toLocaleString('en')} evaluations a second on one core at least; wanted are ${LEAST_A_SECOND.toLocaleString('en')}: ${verdict(least >= LEAST_A_SECOND)}.`,
  ].join('\n')
}

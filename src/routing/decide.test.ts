import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { accountOf, choice, merchantOf, priority, routingContext, split } from '../../test/routes.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { decide, routedOf } from './decide.ts'
import type { Health } from './dynamic/dynamic-routing.ts'
import type { RoutingContext } from './routing-context.ts'

const order = (merchant: Merchant, more: Partial<RoutingContext> = {}, health: Health | null = null) =>
  decide(merchant, routingContext(more), health).order.map(account => account.merchant_connector_id)

test('accounts are tried in the order in which they were added if no routing is configured', () => {
  const decision = decide(merchantOf(['a', 'b']), routingContext(), null)
  deepEqual(routedOf(decision), { approach: 'default', order: ['a', 'b'] })
})

test('the fallback order of the profile comes first, followed by the accounts that it does not name', () => {
  deepEqual(order(merchantOf(['a', 'b', 'c', 'd'], { fallback: ['c', 'gone', 'a'] })), ['c', 'a', 'b', 'd'])
})

test('the accounts chosen by the algorithm come first, then the fallback, and each account once', () => {
  const accounts = ['a', 'b', 'c']
  deepEqual(order(merchantOf(accounts, { algorithm: { type: 'single', data: choice('b') } })), ['b', 'a', 'c'])
  deepEqual(order(merchantOf(accounts, { algorithm: priority('c', 'b', 'c'), fallback: ['b'] })), ['c', 'b', 'a'])
  const byName = { type: 'single', data: 'phonypay' }
  deepEqual(order(merchantOf(accounts, { algorithm: byName, fallback: ['c'] })), ['c', 'a', 'b'], 'a name stands for all of its accounts')
  const routed = routedOf(decide(merchantOf(accounts, { algorithm: priority('b') }), routingContext(), null))
  deepEqual(routed, { approach: 'algorithm', algorithm_id: 'routing_1', order: ['b', 'a', 'c'], chosen: ['b'] })
})

test('the routing of the payment precedes the algorithm of the profile', () => {
  const merchant = merchantOf(['a', 'b', 'c'], { algorithm: priority('b') })
  const routed = routedOf(decide(merchant, routingContext({ routing: { type: 'priority', data: [choice('c')] } }), null))
  deepEqual(routed, { approach: 'request', order: ['c', 'a', 'b'], chosen: ['c'] })
})

test('an account that cannot take the payment is left out with the reason, even if the algorithm names it', () => {
  const off = accountOf('off', { disabled: true })
  const euros = accountOf('euros', {
    details: {
      payment_methods_enabled: [
        {
          payment_method: 'card',
          payment_method_types: [{ payment_method_type: 'credit', accepted_currencies: { type: 'enable_only', list: ['EUR'] } }],
        },
      ],
    },
  })
  const merchant = merchantOf([off, euros, 'a', accountOf('elsewhere', { profile_id: 'q' })], { algorithm: priority('off', 'euros') })
  const decision = decide(merchant, routingContext(), null)
  deepEqual(routedOf(decision), {
    approach: 'algorithm',
    algorithm_id: 'routing_1',
    order: ['a'],
    left_out: { off: 'disabled', euros: 'accepted_currencies' },
  })
  deepEqual(order(merchant, { currency: 'EUR' }), ['euros', 'a'])
})

test('a payment method that an account lists twice is enabled if either entry allows it', () => {
  const method = (more: object) => ({ payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit', ...more }] })
  const account = accountOf('a', {
    details: { payment_methods_enabled: [method({ maximum_amount: 100 }), method({ minimum_amount: 5000 })] },
  })
  deepEqual(
    [50, 1000, 6000].map(amount => order(merchantOf([account]), { amount }).length),
    [1, 0, 1],
  )
})

const PAYMENTS = 100_000

test('a volume split gives each account its share of 100,000 payments, within one percentage point', () => {
  const shares = { a: 50, b: 30, c: 15, d: 5 }
  const merchant = merchantOf(Object.keys(shares), { algorithm: split(...Object.entries(shares)) })
  const counts: Record<string, number> = {}
  for (let i = 0; i < PAYMENTS; i++) {
    const [first] = order(merchant, { payment_id: `pay_${i}` })
    counts[first!] = (counts[first!] ?? 0) + 1
  }
  for (const [id, share] of Object.entries(shares)) {
    const got = (100 * counts[id]!) / PAYMENTS
    ok(Math.abs(got - share) < 1, `${id} has ${got} % instead of ${share}`)
  }
})

test('the account drawn by a split depends only on the payment id and the algorithm; the others keep their order', () => {
  const merchant = merchantOf(['a', 'b', 'c'], { algorithm: split(['a', 1], ['b', 1], ['c', 1]) })
  for (let i = 0; i < 50; i++) {
    const payment_id = `pay_${i}`
    const got = order(merchant, { payment_id })
    deepEqual(order(merchant, { payment_id, amount: 7 }), got)
    deepEqual(
      got.slice(1),
      ['a', 'b', 'c'].filter(one => one !== got[0]),
    )
  }
})

test('the share of an unavailable account goes to the others in proportion; an account with a share of 0 is a fallback', () => {
  const accounts = [accountOf('a', { disabled: true }), 'b', 'c', 'd']
  const merchant = merchantOf(accounts, { algorithm: split(['a', 60], ['b', 30], ['c', 10], ['d', 0]) })
  let b = 0
  for (let i = 0; i < 10_000; i++) {
    const got = order(merchant, { payment_id: `pay_${i}` })
    equal(got.at(-1), 'd')
    if (got[0] === 'b') b++
  }
  ok(Math.abs(b / 100 - 75) < 2, `${b / 100} % instead of 75`)
})

const sound = { success_rate: null, payments: 0, breaker: 'closed' } as const

test('success-based routing puts the best success rate first, and keeps the order on a tie', () => {
  const merchant = merchantOf(['a', 'b', 'c'], {
    algorithm: priority('c', 'a', 'b'),
    success_based: { config: { exploration_percent: 0 } },
  })
  const health: Health = { a: { ...sound, success_rate: 90 }, b: { ...sound, success_rate: 95 }, c: { ...sound, success_rate: 90 } }
  deepEqual(order(merchant, {}, health), ['b', 'c', 'a'])
  deepEqual(order(merchant, {}, { ...health, a: sound }), ['a', 'b', 'c'], 'what is not measured is thought to be good, and so it is tried')
  const dynamic = decide(merchant, routingContext(), health).dynamic
  deepEqual(dynamic, { ranked: true, explored: false, success_based: 'routing_s', elimination: null, share: 100, health })
  const named = { routing: { type: 'single', data: choice('a') } } as const
  deepEqual(order(merchant, named, health), ['a', 'b', 'c'], 'whoever says it himself is not ranked anew')
})

test('the configured percentage of payments is explored: it goes first to an account that is drawn', () => {
  const merchant = merchantOf(['a', 'b'], { success_based: { config: { exploration_percent: 20 } } })
  const health: Health = { a: { ...sound, success_rate: 99 }, b: { ...sound, success_rate: 10 } }
  let explored = 0
  let b = 0
  for (let i = 0; i < 10_000; i++) {
    const decision = decide(merchant, routingContext({ payment_id: `pay_${i}` }), health)
    if (decision.dynamic?.explored) explored++
    if (decision.order[0]!.merchant_connector_id === 'b') b++
  }
  ok(Math.abs(explored / 100 - 20) < 2, `${explored / 100} % explored`)
  ok(Math.abs(b / 100 - 10) < 2, `half of them go to the other one: ${b / 100} %`)
})

test('only the configured share of payments is ranked by success rate', () => {
  const merchant = merchantOf(['a', 'b'], { success_based: { config: { exploration_percent: 0 } }, dynamic_share: 30 })
  const health: Health = { a: { ...sound, success_rate: 10 }, b: { ...sound, success_rate: 99 } }
  let b = 0
  for (let i = 0; i < 10_000; i++) if (order(merchant, { payment_id: `pay_${i}` }, health)[0] === 'b') b++
  ok(Math.abs(b / 100 - 30) < 2, `${b / 100} %`)
})

test('an account with an open breaker is tried last, even if the request names it; a half-open one keeps its position', () => {
  const merchant = merchantOf(['a', 'b', 'c'], { elimination: {} })
  const health = (breaker: 'open' | 'half_open'): Health => ({ a: { ...sound, breaker }, b: sound })
  deepEqual(order(merchant, {}, health('open')), ['b', 'c', 'a'])
  deepEqual(order(merchant, { routing: { type: 'single', data: choice('a') } }, health('open')), ['b', 'c', 'a'])
  deepEqual(order(merchant, {}, health('half_open')), ['a', 'b', 'c'])
  const down = { ...sound, breaker: 'open' } as const
  deepEqual(order(merchant, {}, { a: down, b: down, c: down }), ['a', 'b', 'c'], 'where all are down somebody is still asked')
})

test('dynamic routing with metrics only does not change the order, and still records the measurements', () => {
  const merchant = merchantOf(['a', 'b'], { success_based: {}, elimination: {}, enabled: 'metrics' })
  const health: Health = { a: { success_rate: 0, payments: 100, breaker: 'open' }, b: { ...sound, success_rate: 100 } }
  const decision = decide(merchant, routingContext(), health)
  deepEqual(
    [decision.order.map(one => one.merchant_connector_id), decision.dynamic],
    [['a', 'b'], { ranked: false, explored: false, success_based: null, elimination: null, share: 100, health }],
  )
})

const id = fc.constantFrom('a', 'b', 'c', 'd', 'gone')
const selection = fc.oneof(
  fc.array(id, { minLength: 1, maxLength: 5 }).map(ids => priority(...ids)),
  fc.array(fc.tuple(id, fc.integer({ min: 1, max: 100 })), { minLength: 1, maxLength: 5 }).map(parts => split(...parts)),
)
const algorithm = fc.oneof(
  selection,
  fc.record({
    type: fc.constant('advanced'),
    data: fc.record({
      defaultSelection: selection,
      rules: fc.uniqueArray(
        fc.record({
          name: fc.string({ minLength: 1, maxLength: 8 }),
          connectorSelection: selection,
          statements: fc.array(
            fc.record({
              condition: fc.array(
                fc.record({
                  lhs: fc.constant('amount'),
                  comparison: fc.constantFrom('equal', 'less_than', 'greater_than'),
                  value: fc.record({ type: fc.constant('number'), value: fc.integer({ min: 0, max: 5000 }) }),
                }),
                { minLength: 1, maxLength: 3 },
              ),
            }),
            { minLength: 1, maxLength: 3 },
          ),
        }),
        { maxLength: 4, selector: rule => rule.name },
      ),
    }),
  }),
)
const health = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc.record({
    success_rate: fc.option(fc.integer({ min: 0, max: 100 })),
    payments: fc.nat(),
    breaker: fc.constantFrom('closed' as const, 'open' as const, 'half_open' as const),
    contract: fc.record({ payments: fc.nat(), due: fc.nat(), target: fc.integer({ min: 1 }) }),
  }),
)

test('the same input gives the same order, of exactly the accounts that can take the payment', () => {
  fc.assert(
    fc.property(
      algorithm,
      health,
      fc.string(),
      fc.nat(6000),
      fc.subarray(['a', 'b', 'c', 'd']),
      (given, known, payment_id, amount, off) => {
        const accounts = ['a', 'b', 'c', 'd'].map(name => accountOf(name, { disabled: off.includes(name) }))
        const make = () => merchantOf(accounts, { algorithm: given, success_based: {}, contract_based: {}, elimination: {} })
        const [one, other] = [make(), make()].map(merchant => decide(merchant, routingContext({ payment_id, amount }), known))
        deepEqual(routedOf(one!), routedOf(other!))
        const got = one!.order.map(account => account.merchant_connector_id)
        deepEqual(
          got.toSorted(),
          ['a', 'b', 'c', 'd'].filter(name => !off.includes(name)),
        )
        deepEqual(one!.left_out.map(({ account }) => account.merchant_connector_id).toSorted(), off.toSorted())
      },
    ),
  )
})

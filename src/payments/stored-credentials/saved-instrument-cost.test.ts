import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { card, cards, openPlace, openShop } from '../../../test/shop.ts'
import type { Context } from '../../context.ts'

/**
 * The queries of a payment with a saved card, compared with those of a payment with a card number (issue 11: at most a
 * tenth more work). The benchmark measures times; this test counts.
 */

/** The statements that the process runs periodically, independent of payments. */
const NOW_AND_THEN = ['settings_version', 'write_key_uses', 'use_payment_methods', 'request_logs_write', 'peer_calls_write']
let asked: string[] = []
let uses = 0
const counting = (context: Context): Context => ({
  ...context,
  query: (statement, values) => {
    if (!NOW_AND_THEN.includes(statement.name)) asked.push(statement.name)
    if (statement.name === 'use_payment_methods') uses++
    return context.query(statement, values)
  },
  commit: change => {
    asked.push(`${change.head} ${change.event.type}`)
    return context.commit(change)
  },
})
async function during(work: () => Promise<unknown>): Promise<string[]> {
  asked = []
  await work()
  return asked
}

test('a payment with a saved card runs one more query than one with a card number, and no more writes', async () => {
  await openPlace({}, counting)
  const shop = await openShop()
  const saved = { payment_method: 'card', customer_id: 'cus_grace', card: card(cards.approves).card }
  await shop.post('/customers', { customer_id: 'cus_grace' })
  equal((await shop.post('/payment_methods', saved)).status, 200)
  const list = async () => (await shop.call('GET', '/customers/cus_grace/payment_methods')).body.customer_payment_methods[0]
  const { payment_token, last_used_at } = await list()
  const bySaved = { customer_id: 'cus_grace', payment_method_data: undefined, payment_token }
  // The settings are cached, and do not expire in the middle of the test.
  await shop.service.settings.refresh()
  await shop.pay({ customer_id: 'cus_grace' })

  const number = await during(() => shop.pay({ customer_id: 'cus_grace' }))
  deepEqual(number, ['payments created', 'payments captured'])
  deepEqual(await during(() => shop.pay(bySaved)), ['saved_cards_by_token', ...number])

  const many = await during(() => Promise.all(Array.from({ length: 40 }, () => shop.pay(bySaved))))
  const lookUps = many.filter(name => name === 'saved_cards_by_token').length
  ok(lookUps <= 40, `${lookUps} look-ups for 40 payments at once`)
  deepEqual(
    many.filter(name => name !== 'saved_cards_by_token' && !name.startsWith('payments ')),
    [],
  )
  equal(many.length, lookUps + 80)

  ok((await list()).last_used_at > last_used_at, 'whoever lists is told of what was used until now')
  ok(uses < 20, `${uses} statements note 41 uses`)
})

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { succeed } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { secondAccount } from '../../test/retried.ts'
import { type Body, cards, openPlace, openShop } from '../../test/shop.ts'

test('a payment list with expand_attempts shows the route of each payment with one statement per page, and no route without it', async () => {
  const asked: string[] = []
  await openPlace({}, context => ({
    ...context,
    query: (statement, values) => {
      asked.push(statement.name)
      return context.query(statement, values)
    },
  }))
  const shop = await openShop()
  const { merchant_connector_id: second } = await secondAccount(shop)
  await shop.profile({ is_auto_retries_enabled: true })
  const list = async (query: string): Promise<Body[]> => (await succeed(shop.call('GET', `/payments/list${query}`))).data
  const { payment_id: direct } = await shop.pay()
  await shop.processor.fault('authorize', 'decline')
  const { payment_id: retried } = await shop.pay()
  const { payment_id: silent } = (await shop.tryToPay({ card: cards.hangs })).body
  const { payment_id: unsent } = await shop.create()
  const first = shop.merchant_connector_id
  const { connector_label } = await succeed(shop.call('GET', `/account/${shop.merchant_id}/connectors/${first}`))
  const at = (merchant_connector_id: string, state: string, error_code: string | null = null) => ({
    merchant_connector_id,
    connector_label: merchant_connector_id === first ? connector_label : 'b',
    state,
    error_code,
  })
  asked.length = 0
  deepEqual(
    (await list('?expand_attempts=true')).map(({ payment_id, route }) => [payment_id, route]),
    [
      [unsent, []],
      [silent, [at(first, 'unknown')]],
      [retried, [at(first, 'declined', 'card_declined'), at(second, 'done')]],
      [direct, [at(first, 'done')]],
    ],
  )
  equal(asked.filter(name => name === 'stops_of_objects').length, 1)
  deepEqual(
    (await list('?limit=1&expand_attempts=true&status=succeeded')).map(one => one.payment_id),
    [retried],
  )
  for (const query of ['', '?expand_attempts=false'])
    deepEqual(
      (await list(query)).filter(payment => 'route' in payment),
      [],
    )
  equal((await list(`?starting_after=${silent}&expand_attempts=true`))[0]!.route.length, 2)
  isRefused(await shop.call('GET', '/payments/list?expand_attempts=perhaps'), 400, 'IR_06', /expand_attempts/)
})

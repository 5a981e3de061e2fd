import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { cards, openShop, type Shop } from './shop.ts'

/** A merchant with a Braintree account, at the sandbox's dialect of it. */

const open = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'braintree', webhooks: 'on', ...more })

test("Braintree's test card pays; what the network said of it is shown", async () => {
  const shop = await open()
  const paid = await shop.pay()
  deepEqual([paid.status, paid.amount_received, paid.connector, paid.error_code], ['succeeded', 1250, 'braintree', null])
  match(paid.connector_transaction_id, /^[A-Za-z0-9+/]{20,}$/)
  match(paid.network_transaction_id, /^\w{15}$/)
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.status]),
    [[1250, 'captured']],
  )
})

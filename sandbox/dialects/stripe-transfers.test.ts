import { deepEqual, equal, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import Stripe from 'stripe'
import { openShop, openTestSandbox } from '../test-shop.ts'

/** Transfers to connected accounts, as Stripe's own client library finds them. */

const { url } = await openTestSandbox()

function openClient() {
  const key = `sk_test_${randomUUID()}`
  const at = new URL(url)
  const config = { host: at.hostname, port: at.port, protocol: 'http', maxNetworkRetries: 0, telemetry: false } as const
  // The library knows no base path: it is put before what it asks for.
  const fetched: typeof fetch = (input, init) => fetch(String(input).replace(at.origin, `${at.origin}/stripe`), init)
  return { stripe: new Stripe(key, { ...config, httpClient: Stripe.createFetchHttpClient(fetched) }), sandbox: openShop(url, { key }) }
}

test('a transfer is made once per idempotency key, and found by its id and its transfer group', async () => {
  const { stripe, sandbox } = openClient()
  const asked = {
    amount: 1250,
    currency: 'usd',
    destination: 'acct_1Nnlp9GPxmnHQRkJ',
    transfer_group: 'payout-1',
    metadata: { request_id: 'payout-1' },
  }
  const made = await stripe.transfers.create(asked, { idempotencyKey: 'key-1' })
  deepEqual([made.amount, made.reversed, made.destination], [1250, false, asked.destination])
  equal((await stripe.transfers.create(asked, { idempotencyKey: 'key-1' })).id, made.id)
  deepEqual((await stripe.transfers.retrieve(made.id)).metadata, asked.metadata)
  const listed = async (transfer_group: string) => (await stripe.transfers.list({ transfer_group })).data.map(({ id }) => id)
  deepEqual([await listed('payout-1'), await listed('payout-2')], [[made.id], []])
  equal((await sandbox.call('GET', '/control/ledger')).json.payouts.length, 1)
})

test('an invalid transfer is refused with the error code of Stripe, and nothing is paid', async () => {
  const { stripe, sandbox } = openClient()
  const asked = { amount: 1250, currency: 'usd', destination: 'acct_1Nnlp9GPxmnHQRkJ' }
  for (const [more, code] of [
    [{ bogus: 1 }, 'parameter_unknown'],
    [{ amount: 0 }, 'parameter_invalid_integer'],
    [{ destination: 'ba_1' }, 'resource_missing'],
    [{ destination: 'acct_1Nnlp9GPxmnH9995' }, 'balance_insufficient'],
    [{ destination: 'acct_1Nnlp9GPxmnH0705' }, 'insufficient_capabilities_for_transfer'],
  ] as const)
    await rejects(stripe.transfers.create({ ...asked, ...more }), { code })
  await rejects(stripe.transfers.retrieve('tr_none'), { statusCode: 404 })
  deepEqual((await sandbox.call('GET', '/control/ledger')).json.payouts, [])
})

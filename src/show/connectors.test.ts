import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openShop } from '../../test/shop.ts'
import { connectors } from '../connectors/all.ts'
import { connectorCatalogue } from './connectors.ts'

test('the catalogue lists for each connector the settings that its accounts need, and its capabilities', async () => {
  const shop = await openShop()
  const { status, body } = await http('GET', `${shop.url}/connectors`, undefined, { 'api-key': shop.api_key })
  equal(status, 200)
  equal(body.size, body.data.length)
  const byName = Object.fromEntries(body.data.map((one: Body) => [one.name, one]))
  // Each connector name appears once: as a connector, or as another name of one.
  deepEqual(body.data.flatMap((one: Body) => [one.name, ...one.also_called]).sort(), Object.keys(connectors).sort())
  deepEqual(byName.adyen.credentials, {
    auth_type: 'BodyKey',
    fields: [
      { name: 'api_key', label: 'API key', secret: true },
      { name: 'key1', label: 'Merchant account', secret: false },
    ],
  })
  deepEqual(
    byName.adyen.metadata.map(({ name, required }: Body) => [name, required]),
    [
      ['base_url', false],
      ['first_settlement_batch', false],
      ['endpoint_prefix', false],
      ['native_3ds', false],
    ],
  )
  deepEqual(byName.adyen.evidence.texts, [])
  deepEqual(byName.adyen.evidence.files, [
    { content_type: 'application/pdf', most_bytes: 2_000_000 },
    { content_type: 'image/jpeg', most_bytes: 5_000_000 },
  ])
  deepEqual(
    byName.adyen.payment_methods.map((one: Body) => one.payment_method),
    byName.adyen.methods.filter((name: string) => !['stored_card', 'network_transaction_id'].includes(name)),
  )
  deepEqual(byName.phonypay.payment_methods[0], { payment_method: 'card', payment_method_types: ['credit', 'debit'] })
  ok(!byName.stripe.evidence.evidence_types.includes('recurring_transaction_agreement'))
  ok(byName.stripe.currencies.length > 100)
  equal(byName.payadmit.evidence, null)
  ok(!byName.payadmit.verbs.includes('capture'))
  deepEqual(byName.bridge.metadata, [{ name: 'base_url', label: byName.bridge.metadata[0].label, required: false, connector_type: null }])
  deepEqual([byName.adyen.founded, byName.milkypay.founded, byName.bridge.founded], ['partly', 'partly', 'own'])
  deepEqual([byName.adyen.webhook, byName.phonypay.finds_earlier], [{ registers_itself: false }, 'by request id'])
})

test('base_url is required only if neither the connector nor the deployment has a default', () => {
  const needs = (baseUrls: Record<string, string>) =>
    connectorCatalogue({ baseUrls })
      .filter(({ metadata }) => metadata.some(({ name, required }) => name === 'base_url' && required))
      .map(({ name }) => name)
  deepEqual(needs({}), ['bridge', 'phonypay'])
  deepEqual(needs({ phonypay: 'http://127.0.0.1:8081' }), ['bridge'])
})

test('an account created with the fields that the catalogue requires is accepted, for each connector', async () => {
  const shop = await openShop()
  const admin = { 'api-key': ADMIN_KEY }
  const { body } = await http('GET', `${shop.url}/connectors`, undefined, admin)
  const required = {
    amount_unit: 'minor',
    base_url: 'https://adapter.example',
    merchant_accounts: 'USD=shop_usd',
    source_balance_account: 'BA1',
  }
  for (const { name, credentials, metadata, verbs } of body.data as Body[]) {
    const connector_type = verbs.includes('authorize') ? 'payment_processor' : 'payout_processor'
    const settings = Object.fromEntries(
      metadata
        .filter((one: Body) => one.required && (one.connector_type ?? connector_type) === connector_type)
        .map((one: Body) => [one.name, required[one.name as keyof typeof required]]),
    )
    const details = Object.fromEntries(credentials.fields.map((field: Body) => [field.name, 'sandbox_of_the_catalogue']))
    const made = await http(
      'POST',
      `${shop.url}/account/${shop.merchant_id}/connectors`,
      {
        connector_type,
        connector_name: name,
        connector_label: `catalogue ${name}`,
        connector_account_details: { auth_type: credentials.auth_type, ...details },
        metadata: settings,
      },
      admin,
    )
    equal(made.status, 200, `${name}: ${JSON.stringify(made.body)}`)
  }
})

test('the connectors page of the documentation includes each connector of the catalogue', () => {
  const page = readFileSync(new URL('../../docs/generated/connectors.md', import.meta.url), 'utf8')
  for (const connector of Object.keys(connectors)) ok(page.includes(`\`${connector}\``), connector)
})

test('a publishable key cannot list connectors', async () => {
  const shop = await openShop()
  isRefused(await http('GET', `${shop.url}/connectors`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  isRefused(await http('GET', `${shop.url}/connectors`), 401, 'IR_01')
  isRefused(
    await http('GET', `${shop.url}/connectors`, undefined, { 'api-key': shop.api_key, 'x-profile-id': 'pro_unknown' }),
    400,
    'IR_16',
  )
})

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { admits } from '../src/http/auth.ts'
import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { attach, files } from './disputes.ts'
import { examples, queryOf } from './examples.ts'
import { formOf } from './form.ts'
import { payOutBody } from './payout-shop.ts'
import { openOwner } from './people.ts'
import { areTheSame } from './refused.ts'
import { ADMIN_KEY, type Body, http, openShop, type Shop } from './shop.ts'
import { addAccount } from './two-accounts.ts'

/**
 * An object of another merchant is as absent as one that never existed, at every operation: the table of endpoints is
 * the list, and each parameter of an address is filled with an id of the other merchant.
 */

/**
 * Makes one of every object with an id in this shop; gives the ids by parameter. A parameter of an address that is
 * missing here fails the test.
 */
async function holdings(shop: Shop): Promise<Record<string, string>> {
  const made = async (path: string, body: Body) => {
    const answer = await shop.post(path, body)
    ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.body
  }
  const payment = await shop.pay()
  const dispute = await made('/disputes', { payment_id: payment.payment_id, amount: 100 })
  const { file_id } = (await attach(shop, { dispute_id: dispute.dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf })).body
  const refund = (await shop.refund(payment.payment_id, 100)).body
  const payout = await made('/payouts/create', payOutBody({ confirm: false }))
  const { customer_id } = await made('/customers', { name: 'Kari' })
  const { payment_method_data } = shop.payBody({})
  const method = await made('/payment_methods', { payment_method: 'card', customer_id, card: payment_method_data.card })
  const customer_acceptance = { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'x' } }
  const mandated = await shop.pay({
    customer_id,
    setup_future_usage: 'off_session',
    mandate_data: { customer_acceptance, mandate_type: { multi_use: { amount: 5000, currency: 'USD' } } },
  })
  const account = await addAccount(shop, { connector_label: 'other' }, `sandbox_${shop.merchant_id}_other`)
  const algorithm = { type: 'single', data: { connector: 'phonypay', merchant_connector_id: account.merchant_connector_id } }
  const { profile_id } = payment
  const routing = await made('/routing', { name: 'r', description: 'd', profile_id, algorithm })
  const dynamic = `/account/${shop.merchant_id}/business_profile/${profile_id}/dynamic_routing/success_based/create?enable=metrics`
  const [event] = await shop.events(payment.payment_id)
  const key = await http('POST', `${shop.url}/api_keys/${shop.merchant_id}`, { name: 'k', expiration: 'never' }, { 'api-key': ADMIN_KEY })
  const file = new FormData()
  file.append('file', new Blob(['type,data\ncard_bin,411111\n'], { type: 'text/csv' }), 'list.csv')
  const sent = await fetch(`${shop.url}/blocklist/batch`, { method: 'POST', body: file, headers: { 'api-key': shop.api_key } })
  const report = formOf({ file: 'reference,currency,gross\nstrange,USD,1.00\n', merchant_connector_id: shop.merchant_connector_id })
  const { settlement_file_id } = (await shop.call('POST', '/reconciliation/files', report.body, report.headers)).body
  const owner = await openOwner(shop)
  ok((await owner.post('/approvals/settings', { above: { USD: 0 } })).status === 200)
  const { approval_id } = (await owner.post('/refunds', { payment_id: payment.payment_id, amount: 100 })).body
  await shop.service.tick()
  const [request] = (await shop.call('GET', '/logs?limit=1')).body.data
  const [{ difference_id }] = (await shop.call('GET', '/reconciliation/differences')).body.data
  const [operation] = (await shop.call('GET', `/payments/${payment.payment_id}/operations`)).body.data
  return {
    approval_id,
    log_id: request.log_id,
    request_id: operation.request_id,
    payment_id: payment.payment_id,
    payout_id: payout.payout_id,
    refund_id: refund.refund_id,
    dispute_id: dispute.dispute_id,
    settlement_file_id,
    difference_id,
    file_id,
    customer_id,
    payment_method_id: method.payment_method_id,
    merchant_connector_id: account.merchant_connector_id,
    connector_id: account.merchant_connector_id,
    profile_id,
    routing_algorithm_id: routing.id,
    algorithm_id: (await made(dynamic, {})).id,
    ephemeral_key_id: (await made('/ephemeral_keys', { customer_id })).id,
    endpoint_id: (await made('/webhook_endpoints', { url: 'https://shop.example/hooks' })).endpoint_id,
    event_id: event!.event_id,
    key_id: key.body.key_id,
    listener_id: (await made('/event_listeners', { name: 'ada', machine: 'laptop', forward_to: 'http://localhost:3000/hooks' }))
      .listener_id,
    mandate_id: mandated.mandate_id,
    payment_link_id: (await made('/payments', { amount: 1250, currency: 'USD', payment_link: true })).payment_link.payment_link_id,
    job_id: ((await sent.json()) as Body).job_id,
  }
}

const partsOf = ({ path }: Endpoint): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
const nobodys = (id: string): string => id.slice(0, -6) + '0'.repeat(6)

/** Gives an answer without the requested id. */
const without = <A extends { text: string; body: unknown }>(answer: A, id: string): A => ({
  ...answer,
  body: answer.body === null ? null : JSON.parse(answer.text.replaceAll(id, 'ID')),
})

/** Gives the number of rows of this merchant in every table, except those that each request writes by itself. */
async function rowsOf(shop: Shop): Promise<Record<string, number>> {
  const tables = await shop.query(
    "select table_name from information_schema.columns where column_name = 'merchant_id' and table_schema = 'public'",
  )
  const counts: Record<string, number> = {}
  // The API request log is written a moment after the answer.
  for (const { table_name } of tables.filter(({ table_name }) => table_name !== 'request_logs'))
    counts[table_name] = (await shop.query(`select count(*)::int as n from ${table_name} where merchant_id = $1`, [shop.merchant_id]))[0]!.n
  return counts
}

test('an id of another merchant, anywhere in the path of any operation, is answered as an unknown id', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const [own, otherIds] = [await holdings(shop), await holdings(other)]
  // Periodic writes of the service are made before the rows are counted.
  await other.service.tick()
  const before = await rowsOf(other)
  let tried = 0
  for (const endpoint of endpoints.filter(({ auth }) => auth.credential !== 'nothing')) {
    // A BIN or a platform belongs to no merchant.
    const parts = partsOf(endpoint).filter(name => !['merchant_id', 'organization_id', 'bin', 'platform'].includes(name))
    const keys = [
      admits(endpoint.auth, 'secret') && shop.api_key,
      endpoint.path.includes('{merchant_id}') && admits(endpoint.auth, 'admin') && ADMIN_KEY,
    ]
    for (const foreign of parts)
      for (const key of keys.filter(one => one !== false)) {
        const knock = async (id: string) => {
          const ids: Record<string, string> = { ...own, merchant_id: shop.merchant_id, [foreign]: id }
          const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `missing_${name}`) + queryOf(endpoint, ids)
          const form = endpoint.form && formOf({ file: 'x', part: '1' })
          const body = endpoint.method === 'GET' ? undefined : (form?.body ?? examples[endpoint.name]?.value ?? {})
          return without(await http(endpoint.method, shop.url + path, body, { 'api-key': key, ...form?.headers }), id)
        }
        ok(otherIds[foreign], `${endpoint.path}: what is a ${foreign}?`)
        const [missing, answer] = [await knock(nobodys(otherIds[foreign]!)), await knock(otherIds[foreign]!)]
        // A connector's name may be used in place of an account's id, so an id that is neither is refused as a wrong
        // value.
        equal(answer.status, foreign === 'connector_id' ? 400 : 404, `${endpoint.name} (${foreign}) is not absent: ${answer.text}`)
        areTheSame(answer, missing)
        tried++
      }
  }
  ok(tried >= 50, `${tried} operations`)
  deepEqual(await rowsOf(other), before, 'and nothing of theirs has changed')
  equal((await other.get(otherIds.payment_id!)).status, 'succeeded')
})

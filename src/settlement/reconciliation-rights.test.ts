import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from '../../test/form.ts'
import { type Browser, openOwner, PASSWORD } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { settlementFile } from '../../test/settlement-file.ts'
import { type Answer, type Body, http, openShop, type Shop } from '../../test/shop.ts'
import { endpoints } from '../http/endpoints.ts'

/** Each operation of reconciliation: with its right, without it, for another merchant, and with a wrong value. */

const columns = JSON.stringify({
  columns: { request_id: 'merchant_reference', reference: 'transaction', type: 'type', currency: 'currency', gross: 'gross' },
  amounts: 'minor',
})

type Call = { method: 'GET' | 'POST'; path: string; form?: Record<string, string>; body?: Body }

async function send(url: string, key: string, { method, path, form, body }: Call): Promise<Answer> {
  const of = form && formOf(form)
  return http(method, url + path, of?.body ?? body, { 'api-key': key, ...of?.headers })
}

/** Ids of what a shop has of each kind, none of which is another's. */
type Ids = { account: string; done: string; partial: string; held: string; other: string; difference: string; payment: string }

/** The operations, in an order in which all succeed. */
const calls = {
  uploadSettlementFile: ({ account }) => ({
    ...{ method: 'POST', path: '/reconciliation/files' },
    form: { file: 'reference,currency,gross\nr1,USD,1.00\n', merchant_connector_id: account },
  }),
  addSettlementFilePart: ({ partial }) => ({
    ...{ method: 'POST', path: `/reconciliation/files/${partial}/parts` },
    form: { file: 'r2,USD,2.00\n', part: '1' },
  }),
  previewSettlementFile: ({ account }) => ({
    ...{ method: 'POST', path: '/reconciliation/preview' },
    form: { file: 'reference,currency,gross\nr1,USD,1.00\n', merchant_connector_id: account },
  }),
  listSettlementFiles: ({ account }) => ({ method: 'GET', path: `/reconciliation/files?merchant_connector_id=${account}` }),
  retrieveSettlementFile: ({ done }) => ({ method: 'GET', path: `/reconciliation/files/${done}` }),
  takeSettlementFile: ({ held }) => ({ method: 'POST', path: `/reconciliation/files/${held}/take` }),
  discardSettlementFile: ({ other }) => ({ method: 'POST', path: `/reconciliation/files/${other}/discard` }),
  exportSettlementLines: ({ done }) => ({ method: 'GET', path: `/reconciliation/files/${done}/export?format=csv` }),
  listSettlementDifferences: ({ account }) => ({ method: 'GET', path: `/reconciliation/differences?merchant_connector_id=${account}` }),
  exportSettlementDifferences: () => ({ method: 'GET', path: '/reconciliation/differences/export?format=jsonl' }),
  retrieveSettlementDifference: ({ difference }) => ({ method: 'GET', path: `/reconciliation/differences/${difference}` }),
  resolveSettlementDifference: ({ difference }) => ({
    ...{ method: 'POST', path: `/reconciliation/differences/${difference}/resolve` },
    body: { resolution: 'accept', reason: 'asked the processor' },
  }),
  retrievePaymentSettlement: ({ payment }) => ({ method: 'GET', path: `/reconciliation/payments/${payment}` }),
  retrieveSettlementAgeing: ({ account }) => ({ method: 'GET', path: `/reconciliation/ageing?merchant_connector_id=${account}` }),
  listProcessorPayouts: ({ account }) => ({ method: 'GET', path: `/reconciliation/payouts?merchant_connector_id=${account}` }),
  listBankEntries: () => ({ method: 'GET', path: '/reconciliation/bank_entries' }),
  listSettlementPeriods: ({ account }) => ({ method: 'GET', path: `/reconciliation/periods?merchant_connector_id=${account}` }),
  closeSettlementPeriod: ({ account }) => ({
    ...{ method: 'POST', path: '/reconciliation/periods/close' },
    body: { merchant_connector_id: account, period: '2026-01' },
  }),
  listSettlementFetches: () => ({ method: 'GET', path: '/reconciliation/fetches' }),
  setSettlementFetch: ({ account }) => ({
    ...{ method: 'POST', path: '/reconciliation/fetches' },
    body: { merchant_connector_id: account, fetch: 'daily' },
  }),
} satisfies Record<string, (ids: Ids) => Call>
type Name = keyof typeof calls
const names = Object.keys(calls) as Name[]
const callOf = (name: Name, ids: Ids): Call => (calls[name] as (ids: Ids) => Call)(ids)
const writes: readonly Name[] = [
  ...(['uploadSettlementFile', 'addSettlementFilePart', 'previewSettlementFile', 'takeSettlementFile'] as const),
  ...(['discardSettlementFile', 'resolveSettlementDifference', 'closeSettlementPeriod', 'setSettlementFetch'] as const),
]

/** Makes a shop with a report that was read, one that is arriving, two that are held, and a difference. */
async function reconciled(): Promise<{ shop: Shop; ids: Ids }> {
  const shop = await openShop()
  const { merchant_connector_id: account } = shop
  const { payment_id: payment } = await shop.pay({ amount: 1000 })
  const upload = async (file: string, more: Record<string, string> = {}): Promise<string> => {
    const form = { file, merchant_connector_id: account, columns, ...more }
    const { body, text } = await send(shop.url, shop.api_key, { method: 'POST', path: '/reconciliation/files', form })
    ok(body.settlement_file_id, text)
    // Reports of one account are read one after the other.
    await shop.wait('3 seconds')
    return body.settlement_file_id
  }
  const strange = 'transaction,merchant_reference,type,currency,gross\nt1,nobody_sent,charge,USD,'
  const done = await upload(`${await settlementFile(shop)}tx_9,nobody_sent,capture,USD,50,0,50,\n`)
  const partial = await upload('reference,currency,gross\nr1,USD,1.00\n', { more: 'true' })
  const held = await upload(`${strange}70\n`, { mode: 'all or nothing' })
  const other = await upload(`${strange}80\n`, { mode: 'all or nothing' })
  const [{ difference_id: difference }] = (await shop.call('GET', '/reconciliation/differences')).body.data
  return { shop, ids: { account, done, partial, held, other, difference, payment } }
}

/** Makes a key with these scopes. */
async function keyWith(owner: Browser, { merchant_id }: Shop, scopes: readonly string[]): Promise<string> {
  const made = await owner.post(`/api_keys/${merchant_id}`, { name: scopes.join(), expiration: 'never', scopes, password: PASSWORD })
  equal(made.status, 200, made.text)
  return made.body.api_key
}

test('these are all operations of reconciliation', () => {
  const all = endpoints.filter(({ path }) => path.startsWith('/reconciliation')).map(({ name }) => name)
  deepEqual(all.toSorted(), names.toSorted())
})

test('a key that may read the ledger reads files, differences, payouts, entries and periods, and writes none of them', async () => {
  const { shop, ids } = await reconciled()
  const owner = await openOwner(shop)
  const [reads, writer, neither] = [
    await keyWith(owner, shop, ['ledger:read']),
    await keyWith(owner, shop, ['ledger:write']),
    await keyWith(owner, shop, ['payments:read', 'payments:write']),
  ]
  for (const name of names) {
    const isWritten = writes.includes(name)
    const call = callOf(name, ids)
    isRefused(await send(shop.url, neither, call), 403, 'IR_22', isWritten ? /ledger:write/ : /ledger:read/)
    if (isWritten) isRefused(await send(shop.url, reads, call), 403, 'IR_22', /ledger:write/)
    const { status, text } = await send(shop.url, isWritten ? writer : reads, call)
    ok([200, 202].includes(status), `${name}: ${text}`)
  }
})

test('what another merchant has of reconciliation is unknown to this one, and stays as it is', async () => {
  const [{ shop, ids }, stranger] = [await reconciled(), await openShop()]
  const rows = () =>
    shop.query(
      `select (select json_agg(f order by file_id) from settlement_files f where merchant_id = $1) as files,
        (select json_agg(d order by difference_id) from settlement_differences d where merchant_id = $1) as differences`,
      [shop.merchant_id],
    )
  const before = await rows()
  for (const name of names) {
    const answer = await send(stranger.url, stranger.api_key, callOf(name, ids))
    // Lists, and filters by a foreign account, show nothing of it.
    if (answer.status === 200)
      ok(
        Object.values(ids).every(id => !answer.text.includes(id)),
        `${name}: ${answer.text}`,
      )
    else isRefused(answer, 404, 'HE_02')
  }
  deepEqual(await rows(), before)
})

/** Wrong values, each with the field that its refusal names. */
const wrong: Record<Name, readonly [more: { query?: string; form?: Record<string, string>; body?: Body }, field: RegExp][]> = {
  uploadSettlementFile: [
    [{ form: { mode: 'some of it' } }, /mode/],
    [{ form: { columns: '[' } }, /columns/],
    [{ form: { more: 'perhaps' } }, /more/],
    [{ form: { colour: 'red' } }, /colour/],
  ],
  addSettlementFilePart: [
    [{ form: { part: 'one' } }, /part/],
    [{ form: { part: '3' } }, /part/i],
  ],
  previewSettlementFile: [[{ form: { columns: 'gross=Amount' } }, /columns/]],
  listSettlementFiles: [
    [{ query: 'state=sleeping' }, /state/],
    [{ query: 'limit=0' }, /limit/],
  ],
  retrieveSettlementFile: [],
  takeSettlementFile: [],
  discardSettlementFile: [],
  exportSettlementLines: [[{ query: 'format=xml' }, /format/]],
  listSettlementDifferences: [
    [{ query: 'cause=bad_luck' }, /cause/],
    [{ query: 'state=shut' }, /state/],
    [{ query: 'limit=101' }, /limit/],
  ],
  exportSettlementDifferences: [[{ query: 'format=pdf' }, /format/]],
  retrieveSettlementDifference: [],
  resolveSettlementDifference: [
    [{ body: { resolution: 'forget', reason: 'x' } }, /resolution/],
    [{ body: { resolution: 'accept', reason: '' } }, /reason/],
    [{ body: { resolution: 'link', reason: 'x' } }, /payment_id/],
  ],
  retrievePaymentSettlement: [],
  retrieveSettlementAgeing: [[{ query: 'since=2026' }, /since/]],
  listProcessorPayouts: [[{ query: 'arrived=perhaps' }, /arrived/]],
  listBankEntries: [
    [{ query: 'matched=perhaps' }, /matched/],
    [{ query: 'limit=x' }, /limit/],
  ],
  listSettlementPeriods: [[{ query: 'merchant_connector_id=' }, /merchant_connector_id/]],
  closeSettlementPeriod: [
    [{ body: { period: '2026-02' } }, /merchant_connector_id/],
    [{ body: { merchant_connector_id: 'x', period: 20260201 } }, /period/],
  ],
  listSettlementFetches: [],
  setSettlementFetch: [
    [{ body: { merchant_connector_id: 'x', fetch: 'hourly' } }, /fetch/],
    [{ body: { merchant_connector_id: 'x', fetch: 'daily', from: 'monday' } }, /from/],
  ],
}

test('a wrong value is refused by the name of its field, and an unknown object is absent', async () => {
  const { shop, ids } = await reconciled()
  for (const name of names) {
    const call = callOf(name, ids)
    for (const [{ query, form, body }, field] of wrong[name]) {
      const path = query === undefined ? call.path : `${call.path.split('?')[0]}?${query}`
      const asked = { ...call, path, ...(body && { body }), ...(form && { form: { ...call.form, ...form } }) }
      const answer = await send(shop.url, shop.api_key, asked)
      ok(answer.status === 400 || answer.status === 422, `${name} ${field}: ${answer.text}`)
      ok(field.test(`${answer.body.error.message} ${answer.body.error.help}`), `${name} names ${field}: ${answer.text}`)
    }
    const unknown = Object.fromEntries(Object.keys(ids).map(key => [key, `none_${key}`])) as Ids
    const gone = callOf(name, unknown)
    const answer = await send(shop.url, shop.api_key, gone)
    if (JSON.stringify(gone) === JSON.stringify(call)) continue
    if (answer.status === 200) deepEqual(answer.body.data, [], name)
    else isRefused(answer, 404, 'HE_02')
  }
})

test('a file that was read is not held, one that arrives is not read, and books close once', async () => {
  const { shop, ids } = await reconciled()
  const post = (path: string, body: Body = {}) => shop.post(`/reconciliation${path}`, body)
  for (const [id, state] of [
    [ids.done, /done/],
    [ids.partial, /receiving/],
  ] as const)
    for (const to of ['take', 'discard']) isRefused(await post(`/files/${id}/${to}`), 400, 'IR_16', state)
  const period = { merchant_connector_id: ids.account, period: '2026-01' }
  equal((await post('/periods/close', period)).status, 200)
  isRefused(await post('/periods/close', period), 400, 'IR_16', /2026-01-31/)
  isRefused(await post('/periods/close', { ...period, period: '2026-02-30' }), 422, 'IR_05', /period/)
  const accept = { resolution: 'accept', reason: 'x' }
  equal((await post(`/differences/${ids.difference}/resolve`, accept)).status, 200)
  isRefused(await post(`/differences/${ids.difference}/resolve`, accept), 400, 'IR_16', /accepted/)
})

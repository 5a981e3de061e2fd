import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from '../../test/form.ts'
import { join, openOwner } from '../../test/people.ts'
import { isRefused } from '../../test/refused.ts'
import { balances, proven } from '../../test/settlement.ts'
import { settlementFile } from '../../test/settlement-file.ts'
import { type Answer, type Body, openShop, type Shop } from '../../test/shop.ts'

/** The interface of reconciliation: files, differences, payouts, periods. */

const columns = JSON.stringify({
  columns: {
    request_id: 'merchant_reference',
    reference: 'transaction',
    type: 'type',
    currency: 'currency',
    gross: 'gross',
    fee: 'fee',
    booked_at: 'booked_at',
  },
  ...{ amounts: 'minor', types: { authorization: 'charge', reversal: 'refund' } },
})

type Caller = Pick<Shop, 'call'>

/** Sends a file in a form. */
function sendForm(caller: Caller, path: string, file: string, members: Record<string, string> = {}): Promise<Answer> {
  const { body, headers } = formOf({ file, ...members })
  return caller.call('POST', path, body, headers)
}

/** Uploads a report of the shop's processor and waits until it is read. */
async function upload(shop: Shop, report: string, members: Record<string, string> = {}): Promise<Body> {
  const given = await sendForm(shop, '/reconciliation/files', report, {
    merchant_connector_id: shop.merchant_connector_id,
    columns,
    ...members,
  })
  equal(given.status, 202, given.text)
  return fileOf(shop, given.body.settlement_file_id)
}
async function fileOf(shop: Shop, id: string): Promise<Body> {
  await shop.service.tick()
  return (await shop.call('GET', `/reconciliation/files/${id}`)).body
}
const list = async (shop: Shop, path: string): Promise<Body[]> => (await shop.call('GET', path)).body.data
/** Gives a report with one line changed. */
const altered = (report: string, at: number, change: (fields: string[]) => string[]): string =>
  report
    .split('\n')
    .map((line, i) => (i === at ? change(line.split(',')).join(',') : line))
    .join('\n')
const ofGross = (gross: number) => (fields: string[]) => [...fields.slice(0, 4), String(gross), '0', String(gross), ...fields.slice(7)]

test('an uploaded report is read in the background, and the same file again says that it changed nothing', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  const report = await settlementFile(shop)
  const first = await upload(shop, report)
  deepEqual([first.state, first.reader, first.counts.matched, first.counts.open], ['done', 'general', 1, 0])
  const again = await upload(shop, report)
  deepEqual([again.state, again.counts.matched, again.counts.known, again.digest], ['done', 0, 1, first.digest])
  deepEqual(
    (await list(shop, '/reconciliation/files')).map(({ settlement_file_id }) => settlement_file_id),
    [again.settlement_file_id, first.settlement_file_id],
  )
  const { body } = await shop.call('GET', `/reconciliation/payments/${payment_id}`)
  deepEqual([body.settled, body.lines.length], [[{ currency: 'USD', gross: 1000, fee: 24, net: 976 }], 1])
  const file = await shop.call('GET', `/reconciliation/files/${first.settlement_file_id}/export?format=csv`)
  match(file.text, new RegExp(`^merchant_connector_id,.*\\r?\\n.*charge.*1000.*${payment_id}`))
  await proven(shop)
})

test('a file comes in parts, in order, and a part that is sent again is taken once', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  await shop.pay({ amount: 2000 })
  const report = await settlementFile(shop)
  const members = { merchant_connector_id: shop.merchant_connector_id, columns, more: 'true' }
  const { body } = await sendForm(shop, '/reconciliation/files', report.slice(0, 100), members)
  const parts = `/reconciliation/files/${body.settlement_file_id}/parts`
  isRefused(await sendForm(shop, parts, report.slice(130), { part: '2' }), 400, 'IR_16', /Part 1/)
  for (const _ of [1, 2]) equal((await sendForm(shop, parts, report.slice(100, 130), { part: '1', more: 'true' })).status, 202)
  equal((await sendForm(shop, parts, report.slice(130), { part: '2' })).status, 202)
  equal((await fileOf(shop, body.settlement_file_id)).counts.matched, 2)
  isRefused(await sendForm(shop, parts, 'more', { part: '3' }), 400, 'IR_16', /complete/)
})

test('a held file is taken in part by choice, or discarded', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  await shop.pay({ amount: 2000 })
  const report = altered(await settlementFile(shop), 1, ofGross(999))
  const held = await upload(shop, report, { mode: 'all or nothing' })
  deepEqual(
    [held.state, held.examples.map(({ cause, ours, theirs }: Body) => [cause, ours, theirs])],
    ['held', [['amount_differs', 1000, 999]]],
  )
  equal((await balances(shop)).processor, 3000)
  equal((await shop.post(`/reconciliation/files/${held.settlement_file_id}/take`, {})).status, 202)
  deepEqual((await fileOf(shop, held.settlement_file_id)).counts.matched, 1)
  isRefused(await shop.post(`/reconciliation/files/${held.settlement_file_id}/discard`, {}), 400, 'IR_16', /done/)
  const other = await upload(shop, altered(report, 2, ofGross(5)), { mode: 'all or nothing' })
  equal((await shop.post(`/reconciliation/files/${other.settlement_file_id}/discard`, {})).body.state, 'discarded')
  await proven(shop)
})

/** Makes a shop with a difference of one cent of a payment, and an amount that is unknown here. */
async function differing() {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  const report = altered(await settlementFile(shop), 1, ofGross(999))
  await upload(shop, `${report}tx_9,nobody_sent,capture,USD,50,0,50,\n`)
  const [short, strange] = (await list(shop, '/reconciliation/differences')).sort((a, b) => b.theirs - a.theirs)
  deepEqual([short!.cause, short!.object_id, short!.ours, short!.theirs], ['amount_differs', payment_id, 1000, 999])
  deepEqual([strange!.cause, strange!.theirs, strange!.currency], ['missing_here', 50, 'USD'])
  const resolve = (difference: Body, body: Body) => shop.post(`/reconciliation/differences/${difference.difference_id}/resolve`, body)
  return { shop, short: short!, strange: strange!, payment_id, resolve, report }
}

test('a difference that is accepted posts what the processor says: a cent stays owed, strange money is in suspense', async () => {
  const { shop, short, strange, resolve, report } = await differing()
  equal((await resolve(short, { resolution: 'accept', reason: 'the cent follows' })).body.state, 'accepted')
  equal((await resolve(strange, { resolution: 'accept', reason: 'asked the processor' })).body.state, 'accepted')
  deepEqual(await balances(shop), { processor: 1, sales: -1000, settled: 1049, suspense: -50 })
  isRefused(await resolve(short, { resolution: 'accept', reason: 'again' }), 400, 'IR_16', /accepted already/)
  deepEqual((await upload(shop, report)).counts, { lines: 1, matched: 0, known: 1, open: 0, unread: 0, causes: {} })
  deepEqual(await list(shop, '/reconciliation/differences?state=open'), [])
  await proven(shop)
})

test('a line is linked to the payment that a person names, and then its difference is over', async () => {
  const { shop, strange, resolve } = await differing()
  const { payment_id } = await shop.pay({ amount: 50 })
  isRefused(await resolve(strange, { resolution: 'link', reason: 'by hand' }), 400, 'IR_04', /payment_id/)
  isRefused(await resolve(strange, { resolution: 'link', reason: 'by hand', payment_id: 'pay_unknown' }), 400, 'IR_16', /nothing/)
  const { body } = await resolve(strange, { resolution: 'link', reason: 'by hand', payment_id })
  deepEqual([body.state, body.object_id, body.reason], ['linked', payment_id, 'by hand'])
  equal((await shop.call('GET', `/reconciliation/payments/${payment_id}`)).body.settled[0].gross, 50)
  await proven(shop)
})

test('to write off needs a second person above the limit, is audited, and leaves nothing owed', async () => {
  const { shop, short, strange } = await differing()
  const owner = await openOwner(shop)
  equal((await owner.post('/approvals/settings', { above: { USD: 10 } })).status, 200)
  const other = await join(shop, owner, 'admin')
  const path = (difference: Body) => `/reconciliation/differences/${difference.difference_id}/resolve`
  equal((await owner.post(path(short), { resolution: 'write_off', reason: 'a cent' })).body.state, 'written_off')
  const asked = await owner.post(path(strange), { resolution: 'write_off', reason: 'theirs' })
  deepEqual([asked.status, asked.body.object_kind, asked.body.amount], [202, 'settlement_difference', 50])
  const approved = await other.post(`/approvals/${asked.body.approval_id}/approve`)
  deepEqual([approved.body.status, approved.body.result_id], ['executed', strange.difference_id])
  deepEqual(await balances(shop), { sales: -1000, settled: 1049, write_offs: -49 })
  const [entry] = await list(shop, '/audit?object_kind=settlement_difference').catch(() => [])
  match(String(entry?.by), /^user /)
  await proven(shop)
})

test('who may only read cannot upload, resolve or close; a role without the ledger sees nothing', async () => {
  const { shop, short } = await differing()
  const owner = await openOwner(shop)
  const viewer = await join(shop, owner, 'viewer')
  equal((await viewer.get('/reconciliation/differences')).status, 200)
  for (const [path, body] of [
    [`/reconciliation/differences/${short.difference_id}/resolve`, { resolution: 'accept', reason: 'x' }],
    ['/reconciliation/periods/close', { merchant_connector_id: shop.merchant_connector_id, period: '2026-01' }],
  ] as const)
    isRefused(await viewer.post(path, body), 403, 'IR_22', /ledger:write/)
  isRefused(await sendForm({ call: viewer.call }, '/reconciliation/files', 'x'), 403, 'IR_22', /ledger:write/)
  const stranger = await openShop()
  isRefused(await stranger.call('GET', `/reconciliation/differences/${short.difference_id}`), 404, 'HE_02')
  isRefused(await stranger.call('GET', `/reconciliation/payments/${short.object_id}`), 404, 'HE_02')
})

test('what processors owe is told by age; after a report of it nothing is owed', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  await shop.wait('3 days')
  await shop.pay({ amount: 500 })
  await shop.wait('6 days')
  const [before] = await list(shop, '/reconciliation/ageing')
  deepEqual(
    [before!.usual_days, before!.owed.map(({ amount, movements, late_amount }: Body) => [amount, movements, late_amount])],
    [7, [[1500, 2, 1000]]],
  )
  deepEqual(
    before!.owed[0].ages.filter(({ movements }: Body) => movements > 0).map(({ from_days, amount }: Body) => [from_days, amount]),
    [
      [4, 500],
      [8, 1000],
    ],
  )
  await upload(shop, await settlementFile(shop))
  deepEqual((await list(shop, '/reconciliation/ageing'))[0]!.owed, [])
})

test('a closed period keeps its figure: what is read later belongs to the next open day', async () => {
  const shop = await openShop()
  const { merchant_connector_id } = shop
  await shop.pay({ amount: 1000 })
  await shop.pay({ amount: 500 })
  const booked = shop.service.context.now().slice(0, 10)
  const report = (await settlementFile(shop)).replaceAll(/\d{4}-\d\d-\d\dT[^,\n]*/g, `${booked}T10:00:00Z`)
  const lines = report.trim().split('\n')
  await upload(shop, `${lines.slice(0, 2).join('\n')}\n`)
  isRefused(await shop.post('/reconciliation/periods/close', { merchant_connector_id, period: booked }), 400, 'IR_16', /not over/)
  await shop.wait('2 days')
  const closed = await shop.post('/reconciliation/periods/close', { merchant_connector_id, period: booked })
  deepEqual([closed.status, closed.body.figures], [200, { USD: { lines: 1, gross: 1000, fee: 24, net: 976, open: 0 } }])
  await upload(shop, report)
  const { body } = await shop.call('GET', `/reconciliation/periods?merchant_connector_id=${merchant_connector_id}`)
  deepEqual(body.data[0].figures, closed.body.figures)
  deepEqual([body.open.after, body.open.figures.USD.gross], [booked, 500])
  isRefused(await shop.post('/reconciliation/periods/close', { merchant_connector_id, period: booked }), 400, 'IR_16', /closed through/)
  isRefused(await shop.post('/reconciliation/periods/close', { merchant_connector_id, period: '2026-13' }), 422, 'IR_05')
})

test('a payout in transit arrives with the entry of the bank statement that names it, once', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  const paid = await settlementFile(shop)
  const [header, line] = paid.trim().split('\n')
  const report = `${header},batch\n${line},po_77\npo_77,,payout,USD,-976,0,-976,2026-11-02T00:00:00Z,po_77\n`
  const withBatch = JSON.stringify({ ...JSON.parse(columns), columns: { ...JSON.parse(columns).columns, batch: 'batch' } })
  await upload(shop, report, { columns: withBatch })
  deepEqual(await balances(shop), { sales: -1000, fees: 24, in_transit: 976 })
  const statement = 'date,amount,currency,reference,text\n2026-11-04,9.76,USD,b1,PAYOUT po_77 SANDBOX\n2026-11-04,5.00,USD,b2,RENT\n'
  for (const matched of [1, 0]) {
    const given = await sendForm(shop, '/reconciliation/files', statement)
    equal(given.status, 202, given.text)
    const { counts, state } = await fileOf(shop, given.body.settlement_file_id)
    deepEqual([state, counts.lines, counts.matched], ['done', 2, matched])
  }
  deepEqual(await balances(shop), { sales: -1000, fees: 24, bank: 976 })
  const [payout] = await list(shop, '/reconciliation/payouts?arrived=true')
  deepEqual([payout!.batch, payout!.lines_net, payout!.stated, payout!.arrived], ['po_77', 976, 976, 976])
  deepEqual(
    (await list(shop, '/reconciliation/bank_entries?matched=false')).map(({ amount }) => amount),
    [500],
  )
  await proven(shop)
})

test('payouts of a processor are listed by the day on which they were paid, the latest first, in pages', async () => {
  const shop = await openShop()
  const paid = (id: string, day: number) => `${id},,payout,USD,-100,0,-100,2026-11-0${day}T00:00:00Z,${id}`
  const titles = 'transaction,merchant_reference,type,currency,gross,fee,net,booked_at,batch'
  const withBatch = JSON.stringify({ ...JSON.parse(columns), columns: { ...JSON.parse(columns).columns, batch: 'batch' } })
  await upload(shop, `${[titles, paid('po_1', 2), paid('po_3', 9), paid('po_2', 4)].join('\n')}\n`, { columns: withBatch })
  const seen: string[] = []
  for (let after = ''; seen.length < 3; ) {
    const [one] = await list(shop, `/reconciliation/payouts?limit=1${after}`)
    seen.push(one!.batch)
    after = `&starting_after=${one!.batch_id}`
  }
  deepEqual(seen, ['po_3', 'po_2', 'po_1'])
})

test('a preview tells how a report is understood, and stores nothing', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  const { body } = await sendForm(shop, '/reconciliation/preview', await settlementFile(shop), { columns })
  deepEqual([body.reader, body.counts.lines, body.lines[0].gross], ['general', 1, 1000])
  isRefused(await sendForm(shop, '/reconciliation/preview', 'x', { columns: '[' }), 422, 'IR_05', /columns/)
  deepEqual(await list(shop, '/reconciliation/files'), [])
  const file = await shop.call('GET', '/reconciliation/differences/export?format=csv')
  match(file.text, /^difference_id,/)
})

test('a file of which no line can be read has failed, says why, and leaves no difference', async () => {
  const shop = await openShop()
  for (const text of ['Datum;Verwendungszweck\n1.1.2026;Miete\n', '{"object":"list"}']) {
    const given = await sendForm(shop, '/reconciliation/files', text, { merchant_connector_id: shop.merchant_connector_id })
    const { state, problem, counts } = await fileOf(shop, given.body.settlement_file_id)
    deepEqual([state, counts.lines, /no column currency, gross/.test(problem)], ['failed', 0, true])
  }
  deepEqual(await list(shop, '/reconciliation/differences'), [])
})

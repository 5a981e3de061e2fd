import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { formOf } from '../form.ts'
import { join } from '../people.ts'
import { settlementFile } from '../settlement-file.ts'
import { type Body, openShop, type Shop } from '../shop.ts'
import { builtFirst, ownerOf, signedIn, signIn, wide } from './dashboard.ts'
import { barriers, isNotWider, see } from './look.ts'
import { phone, visit } from './visit.ts'

// Reconciliation in the dashboard: reports and bank statements are dropped, and each cent is matched or has a cause.

builtFirst()

type Row = { request_id: string; reference: string; type: string; gross: number; fee: number }

/** Gives what the sandbox settles with a shop, in EUR. */
async function settledRows(shop: Shop): Promise<Row[]> {
  const [, ...rows] = (await settlementFile(shop)).trim().split('\n')
  return rows.map(row => {
    const [transaction, request_id, kind, , gross, fee] = row.split(',')
    const type = Number(gross) < 0 ? 'refund' : 'charge'
    return { request_id: request_id!, reference: `${transaction}_${kind}`, type, gross: Number(gross), fee: Number(fee) }
  })
}

const major = (amount: number): string => (amount / 100).toFixed(2)

/** Writes a report with these titles, all of one payout that was paid. */
function reportOf(rows: readonly Row[], titles = 'request_id,reference,batch,type,currency,gross,fee,booked_at,paid_at'): string {
  const day = new Date().toISOString().slice(0, 10)
  const lines = rows.map(({ request_id, reference, type, gross, fee }) =>
    [request_id, reference, 'po_331', type, 'EUR', major(gross), major(fee), day, day].join(','),
  )
  return `${[titles, ...lines].join('\n')}\n`
}

const strange: Row = { request_id: 'UQ7X-118', reference: 'tx_7', type: 'charge', gross: 4400, fee: 0 }

/** Opens a shop with two payments, one of them refunded in part, and a report that has a cent less and a line more. */
async function openSettledShop() {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 24_900 })
  await shop.pay({ currency: 'EUR', amount: 10_000 })
  await shop.refund(payment_id, 5000)
  const rows = await settledRows(shop)
  const differing = [...rows.map(row => (row.gross === 10_000 ? { ...row, gross: 9999 } : row)), strange]
  return { shop, payment_id, rows, report: reportOf(differing) }
}

const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const choose = (page: Page, name: string, text: string) => page.getByLabel('Report or bank statement').setInputFiles(file(name, text))

/** Says whose file was chosen. */
async function belongsTo(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: 'Whose file is it?' }).click()
  await page.getByRole('option', { name }).click()
}

/** Chooses a file, has it read, and waits for the sentence about it. */
async function read(page: Page, shop: Shop, [name, text]: [string, string], says: string | RegExp): Promise<void> {
  await choose(page, name, text)
  await page.getByRole('button', { name: 'Read it' }).click()
  const status = page.getByRole('status').filter({ hasText: name })
  await status.waitFor()
  await shop.service.tick()
  await status.getByText(says).waitFor()
  await status.getByRole('button', { name: 'Done' }).click()
  await page.waitForLoadState('networkidle')
}

/** Uploads a report without the page. */
async function upload(shop: Shop, report: string): Promise<void> {
  const { body, headers } = formOf({ file: report, merchant_connector_id: shop.merchant_connector_id })
  equal((await shop.call('POST', '/reconciliation/files', body, headers)).status, 202)
  await shop.service.tick()
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const balanceOf = async (shop: Shop, account: string): Promise<number> =>
  ((await shop.call('GET', '/ledger/balances')).body.data as Body[])
    .filter(one => one.account === account && one.currency === 'EUR')
    .reduce((sum, { balance }) => sum + balance, 0)
const scanned = async (shop: Shop, what: string, from: string): Promise<number> =>
  Number((await shop.query(`select sum(${what}) as sum from ${from} and merchant_id = $1`, [shop.merchant_id]))[0]!.sum)
const inWords = (amount: number): string => `${amount < 0 ? '−' : ''}${major(Math.abs(amount)).replace(/\B(?=(\d{3})+\.)/g, ',')} EUR`

test('a report is dropped, read and booked: what matches folds away, each cent that differs has its cause, and the sums are those of the lines', async () => {
  const { shop, report } = await openSettledShop()
  const { page, problems } = await signedIn(shop, '/reconciliation')
  await page.getByRole('heading', { name: 'No report yet.' }).waitFor()
  deepEqual(await barriers(page), [])
  const dropped = await page.evaluateHandle(`(() => {
    const data = new DataTransfer()
    data.items.add(new File([${JSON.stringify(report)}], 'november.csv', { type: 'text/csv' }))
    return data
  })()`)
  await page.getByRole('region', { name: 'Upload a file' }).dispatchEvent('drop', { dataTransfer: dropped })
  const first = page.getByRole('table', { name: 'First lines as they are read' })
  await first.getByText('44.00 EUR').first().waitFor()
  deepEqual(await barriers(page), [])
  await see(page, 'reconciliation-chosen')
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByText('november.csv: It is being read.').waitFor()
  await shop.service.tick()
  await page.getByText('november.csv: 2 lines matched and 2 differ.').waitFor()
  const differences = panel(page, 'What differs')
  await differences.getByText('2 differences: +43.99 EUR').waitFor()
  match(await differences.getByRole('row', { name: /Another amount/ }).innerText(), /100\.00 EUR\s+99\.99 EUR\s+−0\.01 EUR/)
  match(await differences.getByRole('row', { name: /Unknown here/ }).innerText(), /none\s+44\.00 EUR\s+\+44\.00 EUR/)
  const posted = 'settlement_lines where chunk > 0'
  const [gross, fee, net] = [await scanned(shop, 'gross', posted), await scanned(shop, 'fee', posted), await scanned(shop, 'net', posted)]
  equal(gross, 24_900 - 5000)
  const books = panel(page, 'Books of phonypay').or(page.getByRole('region', { name: /^Books of/ }))
  match(await books.innerText(), new RegExp(`2 lines\\s+${inWords(gross)}\\s+less fees\\s+${inWords(-fee)}\\s+settled\\s+${inWords(net)}`))
  const where = panel(page, 'Where your money is')
  match(
    await where.innerText(),
    new RegExp(`${inWords(await balanceOf(shop, 'in_transit'))}[\\s\\S]*${inWords(await balanceOf(shop, 'fees'))}`),
  )
  match(await panel(page, 'What processors owe you').innerText(), new RegExp(`EUR\\s+${inWords(await balanceOf(shop, 'processor'))}`))
  await page.getByRole('button', { name: 'november.csv' }).click()
  const lines = page.getByRole('table', { name: 'Lines of the file' })
  await lines.getByText('249.00 EUR').first().waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export its lines as CSV' }).click()])
  equal(
    readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n').length,
    5,
  )
  deepEqual(await barriers(page), [])
  await see(page, 'reconciliation')
  await page.setViewportSize(phone)
  await isNotWider(page, phone.width)
  deepEqual(problems, [])
})

test('the same report again changes nothing and says so; a bank statement finds the payout that arrived, and the books are closed', async () => {
  const { shop, rows } = await openSettledShop()
  const report = reportOf(rows)
  const { page, problems } = await signedIn(shop, '/reconciliation')
  await read(page, shop, ['november.csv', report], '3 lines matched.')
  await read(page, shop, ['november (1).csv', report], 'All 3 lines were read before: nothing changed.')
  await panel(page, 'What differs').getByText('Nothing: every cent that was read is matched or settled.').waitFor()
  const paid = rows.reduce((sum, { gross, fee }) => sum + gross - fee, 0)
  const payouts = panel(page, 'Payouts to your bank')
  match(
    await payouts.getByRole('row', { name: /po_331/ }).innerText(),
    new RegExp(`${inWords(paid)}\\s+${inWords(paid)}[\\s\\S]*on its way`),
  )
  const day = new Date().toISOString().slice(0, 10)
  const statement = `date,amount,currency,text\n${day},${major(paid)},EUR,phonypay po_331\n${day},-1200.00,EUR,Rent\n`
  await choose(page, 'bank.csv', statement)
  await belongsTo(page, 'My bank’s statement')
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByText('bank.csv: It is being read.').waitFor()
  await shop.service.tick()
  await page.getByText('bank.csv: 2 new entries of the bank and 1 payout found to have arrived.').waitFor()
  await payouts.getByRole('cell', { name: /arrived \d/ }).waitFor()
  equal(await balanceOf(shop, 'bank'), paid)
  await payouts.getByText('Bank entries that belong to no payout').click()
  await payouts.getByText('Rent').waitFor()
  deepEqual(await barriers(page), [])
  await page.getByRole('button', { name: 'Close…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'A day' }).check()
  match(await dialog.getByTestId('consequence').innerText(), /do not move any more/)
  deepEqual(await barriers(page), [])
  await dialog.getByRole('button', { name: /^Close \d/ }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('1 period closed').click()
  await page.getByText(/^Closed through/).waitFor()
  deepEqual(problems, [])
})

test('a difference is settled by keyboard alone: moved to, opened, decided with a reason, and booked once', async () => {
  const { shop, report } = await openSettledShop()
  await upload(shop, report)
  const { page, problems } = await signedIn(shop, '/reconciliation')
  await page.getByText('2 differences: +43.99 EUR').waitFor()
  const isShort = async () => (await page.locator('tr:focus-within').innerText()).includes('Another amount')
  await page.locator('body').press('j')
  if (!(await isShort())) await page.keyboard.press('j')
  equal(await isShort(), true)
  await page.keyboard.press('Enter')
  await page.getByText('Settled so far').waitFor()
  await page.keyboard.press('b')
  const dialog = page.getByRole('dialog', { name: 'What became of this difference?' })
  await dialog.getByText('Here: 100.00 EUR. In Phonypay’s report: 99.99 EUR.').waitFor()
  equal(await dialog.getByRole('button', { name: 'Accept' }).isDisabled(), true, 'a reason is missing')
  await page.keyboard.type('The cent follows')
  match(
    await dialog.getByTestId('consequence').innerText(),
    /^99\.99 EUR is booked as settled, as Phonypay says\. 0\.01 EUR stays owed by Phonypay\.$/,
  )
  deepEqual(await barriers(page), [])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('1 difference: +44.00 EUR').waitFor()
  equal(await balanceOf(shop, 'processor'), 1)
  const [resolved] = (await shop.call('GET', '/reconciliation/differences?state=accepted')).body.data
  deepEqual([resolved.theirs, resolved.reason], [9999, 'The cent follows'])
  deepEqual(problems, [])
})

test('money that is unknown here is linked to its payment; to give up more than the limit waits for a second person', async () => {
  const { shop, report } = await openSettledShop()
  const owner = await ownerOf(shop)
  equal((await owner.post('/approvals/settings', { above: { EUR: 1000 } })).status, 200)
  await upload(shop, report)
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 4400 })
  const { page, problems } = await signedIn(shop, '/reconciliation')
  const row = panel(page, 'What differs').getByRole('row', { name: /Unknown here/ })
  await row.getByRole('button', { name: 'Link…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Give the difference up' }).check()
  await dialog.getByLabel('Reason').fill('Agreed with them')
  await dialog.getByText('A second person has to approve it first.').waitFor()
  await dialog.getByRole('button', { name: 'Write off 44.00 EUR' }).click()
  await page.getByText('It waits for a second person.').waitFor()
  await page.getByRole('cell', { name: 'Write off 44.00 EUR', exact: true }).waitFor()
  await page.goBack()
  await row.getByRole('button', { name: 'Link…' }).click()
  await dialog.getByRole('textbox', { name: 'Payment or payout' }).fill(payment_id)
  await dialog.getByLabel('Reason').fill('Found it')
  await dialog.getByRole('button', { name: 'Link', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('1 difference: −0.01 EUR').waitFor()
  equal((await shop.call('GET', `/reconciliation/payments/${payment_id}`)).body.settled[0].gross, 4400)
  await page.goto(`${shop.url}/dashboard/payments/${payment_id}`)
  await page.getByText('How it was settled').click()
  await page.getByText('44.00 EUR came to your balance; 0.00 EUR was kept as fees.').waitFor()
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('a file that cannot be read says what is wrong and what to do, and a report of other columns is read after they are named', async () => {
  const { shop, rows } = await openSettledShop()
  const { page, problems } = await signedIn(shop, '/reconciliation')
  for (const [name, text, says] of [
    ['report.pdf', '%PDF-1.7 a report', 'Download the same report as CSV.'],
    ['report.xlsx', 'PK\u0003\u0004', 'Save it as CSV'],
    ['report.csv', '', 'The file is empty.'],
    ['letter.txt', 'Dear merchant\nplease find\n', 'Its first line has no columns'],
  ] as const) {
    await choose(page, name, text)
    await page.getByRole('alert').getByText(says).waitFor()
    deepEqual(await barriers(page), [])
    await page.getByRole('button', { name: 'Choose another' }).click()
  }
  await choose(page, 'columns.csv', reportOf(rows, 'order,their number,lot,sort,coin,total,kept,on,paid'))
  equal(await page.getByRole('button', { name: 'Read it' }).isDisabled(), true, 'it may be a statement of the bank')
  await belongsTo(page, /^phonypay/)
  await page.getByText('It is not known which column is the currency, the amount, their reference.').waitFor()
  equal(await page.getByRole('button', { name: 'Read it' }).isDisabled(), true)
  for (const [label, title] of [
    ['Amount', 'total'],
    ['Currency', 'coin'],
    ['Their reference', 'their number'],
    ['Our request id', 'order'],
    ['Fee', 'kept'],
  ] as const) {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: title, exact: true }).click()
  }
  await page.getByRole('table', { name: 'First lines as they are read' }).getByText('249.00 EUR').first().waitFor()
  deepEqual(await barriers(page), [])
  await see(page, 'reconciliation-columns')
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByText('columns.csv: It is being read.').waitFor()
  await shop.service.tick()
  await page.getByText('columns.csv: 3 lines matched.').waitFor()
  equal(await balanceOf(shop, 'processor'), 0)
  deepEqual(problems, [])
})

test('a file that failed says why in its row, and reports are fetched each day once that is switched on', async () => {
  const { shop } = await openSettledShop()
  await upload(shop, 'Datum;Verwendungszweck\n1.1.2026;Miete\n')
  const { page, problems } = await signedIn(shop, '/reconciliation')
  await page.getByRole('cell', { name: /^It could not be read: the report has no column currency, gross/ }).waitFor()
  const fetched = panel(page, 'Reports fetched each day')
  const toggle = fetched.getByRole('switch', { name: /^phonypay/ })
  equal(await toggle.isChecked(), false)
  await toggle.click()
  await fetched.getByText(/being asked|asked just now/).waitFor()
  equal((await shop.call('GET', '/reconciliation/fetches')).body.data[0].fetch, 'daily')
  deepEqual(await barriers(page), [])
  await toggle.click()
  await fetched.getByText(/being asked|asked just now/).waitFor({ state: 'detached' })
  equal((await shop.call('GET', '/reconciliation/fetches')).body.data[0].fetch, 'off')
  deepEqual(problems, [])
})

test('taken as a whole, a report that differs is held with its differences, and then booked in part by choice', async () => {
  const { shop, report } = await openSettledShop()
  const { page, problems } = await signedIn(shop, '/reconciliation')
  await choose(page, 'whole.csv', report)
  await page.getByRole('switch', { name: 'All or nothing' }).click()
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByText('whole.csv: It is being read.').waitFor()
  await shop.service.tick()
  await page.getByText('whole.csv: Nothing of it was booked, because 2 lines differ.').waitFor()
  equal(await balanceOf(shop, 'processor'), 24_900 + 10_000 - 5000)
  await page.getByRole('button', { name: 'whole.csv' }).click()
  await page.getByRole('table', { name: 'First differences' }).getByText('Unknown here').waitFor()
  deepEqual(await barriers(page), [])
  await page.getByRole('button', { name: 'Book what matches' }).first().click()
  await page.getByText('It is being read.').first().waitFor()
  await shop.service.tick()
  await page.getByText('2 lines matched and 2 differ.').first().waitFor()
  deepEqual(problems, [])
})

test('a viewer sees what was reconciled, and is offered nothing that would be refused', async () => {
  const { shop, report } = await openSettledShop()
  await upload(shop, report)
  const found = await visit(shop.url, '/dashboard/reconciliation', wide, { colorScheme: 'dark' })
  await signIn(found, shop, await join(shop, await ownerOf(shop), 'viewer'))
  const { page, problems } = found
  await page.getByText('2 differences: +43.99 EUR').waitFor()
  await page.getByText('Your role, viewer, sees what was reconciled, and takes no files.').waitFor()
  for (const name of ['Choose a file…', 'Accept…', 'Link…', 'Close…'])
    equal(await page.getByRole('button', { name }).first().isDisabled(), true, name)
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('of many differences the latest are shown with their sum, more come on demand, and a part that cannot be read says so in its place', async () => {
  const { shop, rows } = await openSettledShop()
  const many = Array.from({ length: 120 }, (_, n) => ({ ...strange, request_id: `none_${n}`, reference: `tx_${n}`, gross: 1_234_567 + n }))
  await upload(shop, reportOf([...rows, ...many]))
  const { page, problems } = await signedIn(shop, '/reconciliation', phone)
  const differences = panel(page, 'What differs')
  await differences.getByText(/^50 differences shown/).waitFor()
  await isNotWider(page, phone.width)
  for (const _ of [1, 2]) await differences.getByRole('button', { name: 'Show more' }).click()
  const all = await scanned(shop, 'theirs', "settlement_differences where state = 'open'")
  await differences.getByText(`120 differences: +${inWords(all)}`).waitFor()
  equal(
    await page.evaluate(`[...document.querySelectorAll('.money')].filter(one => one.scrollWidth > one.clientWidth + 1).length`),
    0,
    'no amount is cut',
  )
  deepEqual(await barriers(page), [])
  await page.route('**/reconciliation/ageing*', route =>
    route.fulfill({ status: 500, json: { error: { code: 'HE_00', message: 'Something went wrong' } } }),
  )
  await page.reload()
  await page.getByText('What processors owe could not be read.').waitFor()
  await differences.getByText(/^50 differences shown/).waitFor()
  ok(
    problems.every(one => one.includes('500')),
    String(problems),
  )
})

test('what processors owe of very many movements says of when it is while it is counted again', async () => {
  const { shop } = await openSettledShop()
  const before = new Date(Date.now() - 3 * 3_600_000).toISOString()
  const ages = [{ from_days: 0, movements: 90_000, amount: 123_456 }]
  const owed = [{ currency: 'EUR', movements: 90_000, amount: 123_456, since: before, late_movements: 0, late_amount: 0, ages }]
  await shop.query('insert into settlement_ageings (merchant_id, merchant_connector_id, counted) values ($1, $2, $3)', [
    shop.merchant_id,
    shop.merchant_connector_id,
    { as_of: before, after: null, events: 90_000, owed },
  ])
  const { page, problems } = await signedIn(shop, '/reconciliation')
  const owes = panel(page, 'What processors owe you')
  await owes.getByText('as of 3 h ago, and being counted again').waitFor()
  await owes.getByText('1,234.56').first().waitFor()
  deepEqual(await barriers(page), [])
  await shop.service.tick()
  await page.reload()
  await owes.getByText('299.00').first().waitFor()
  equal(await owes.getByText('as of').count(), 0)
  deepEqual(problems, [])
})

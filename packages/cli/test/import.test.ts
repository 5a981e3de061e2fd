import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { addAccount } from '../../../test/merchant.ts'
import { type Body, cards, openShop } from '../../../test/shop.ts'
import { openTerminal } from './run.ts'

/** The way to the service: counts what is asked, and can be told to answer for it, or to lose answers. */
async function openWire(target: string) {
  const asked: { path: string; key: string }[] = []
  let before: (n: number) => 'busy' | 'lost' | 'through' = () => 'through'
  const server = createServer((request, response) => {
    const path = request.url!
    asked.push({ path, key: String(request.headers['idempotency-key']) })
    const what = before(asked.length)
    if (what === 'busy') {
      request.resume()
      return void response.writeHead(503, { 'retry-after': '0', 'content-type': 'application/json' }).end('{"error":{"code":"HE_00"}}')
    }
    const onward = ask(new URL(path, target), { method: request.method, headers: request.headers }, answer => {
      if (what === 'lost') {
        answer.resume().on('end', () => response.destroy())
        return
      }
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    does(what: typeof before): void {
      before = what
    },
  }
}

async function open() {
  const shop = await openShop()
  const wire = await openWire(shop.url)
  const terminal = await openTerminal({ SWITCHYARD: wire.url, SWITCHYARD_KEY: shop.api_key })
  const file = (name: string, text: string) => {
    const path = join(terminal.folder, name)
    writeFileSync(path, text)
    return path
  }
  const said = (path: string) => readFileSync(path, 'utf8')
  const reported = (path: string): Body[] =>
    said(path)
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
  const saved = async (customer: string): Promise<Body[]> =>
    (await shop.call('GET', `/customers/${customer}/payment_methods`)).body.customer_payment_methods
  return { shop, wire, terminal, file, said, reported, saved }
}

/** Valid numbers, one for each line. */
function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const body = `424242${String(i).padStart(9, '0')}`
    const sum = [...body].toReversed().reduce((all, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
      return all + (value > 9 ? value - 9 : value)
    }, 0)
    return `${body}${(10 - (sum % 10)) % 10}`
  })
}

const HEAD = 'customer_id,card_number,card_exp_month,card_exp_year'

test('customers in a CSV file are created with all their fields, and each line is reported', async () => {
  const { shop, terminal, file, reported } = await open()
  await shop.post('/customers', { customer_id: 'cus_there', name: 'Old Name' })
  const path = file(
    'customers.csv',
    `\ufeffcustomer_id,name,email,phone,phone_country_code,address_line1,address_country,metadata.Tier
cus_1,"Hopper, Grace",grace@example.com,65123456,+65,"1 Main Street",US,gold
cus_2,Ada Lovelace,ada@example.com,,,,,
cus_there,New Name,,,,,,
cus_4,Nobody,not an address,,,,,
cus 5,Nobody,,,,,,
cus_6,too few
`,
  )
  const { code, out, err } = await terminal.run('import', 'customers', path)
  equal(code, 1, err)
  match(out, /created +2\nexists +1\nrefused +3/)
  match(err, /line 5: email is no e-mail address\n/)
  match(err, /line 6: customer_id must be/)
  match(err, /line 7: the line has 2 columns, and the header 8\n/)
  const { name, email, phone, address, metadata } = (await shop.call('GET', '/customers/cus_1')).body
  deepEqual([name, email, phone], ['Hopper, Grace', 'grace@example.com', '65123456'])
  deepEqual([address.line1, address.country, metadata], ['1 Main Street', 'US', { Tier: 'gold' }])
  equal((await shop.call('GET', '/customers/cus_there')).body.name, 'Old Name')
  const lines = reported(`${path}.report.jsonl`)
  deepEqual(lines.map(one => [one.line, one.result]).toSorted(), [
    [2, 'created'],
    [3, 'created'],
    [4, 'exists'],
    [5, 'refused'],
    [6, 'refused'],
    [7, 'refused'],
  ])
  equal(lines.find(one => one.line === 5)!.field, 'email')
  equal(statSync(`${path}.report.jsonl`).mode & 0o777, 0o600)
  const again = await terminal.run('import', 'customers', path)
  equal(again.code, 2)
  match(again.err, /is there already: --resume goes on with it/)
})

test('a dry run reports every error by line and column, and sends no request', async () => {
  const { wire, terminal, file, reported } = await open()
  const path = file(
    'cards.csv',
    `${HEAD},network_transaction_id,connector_mandate_id
cus_1,${cards.approves},12,2040,,
cus_2,4242424242424241,12,2040,,
cus_3,${cards.approves},13,2040,,
cus_4,${cards.approves},12,2020,,
,${cards.approves},12,2040,,
cus_6,${cards.approves},12,2040,${cards.approves},
${cards.approves},cus_7,12,2040,,
cus_8,${cards.approves},12,2040,,mdt_1
`,
  )
  const { code, out, err } = await terminal.run('import', 'cards', path, '--dry-run')
  equal(code, 1)
  match(out, /valid +1\nrefused +7/)
  deepEqual(
    reported(`${path}.dry-run.jsonl`)
      .filter(one => one.result === 'refused')
      .map(one => [one.line, one.field]),
    [
      [3, 'card_number'],
      [4, 'card_exp_month'],
      [5, 'card_exp_year'],
      [6, 'customer_id'],
      [7, 'network_transaction_id'],
      [8, 'card_number'],
      [9, 'merchant_connector_id'],
    ],
  )
  for (const text of [out, err, readFileSync(`${path}.dry-run.jsonl`, 'utf8')]) ok(!/\d{12}/.test(text), text)
  equal(wire.asked.length, 0)
  equal((await terminal.run('import', 'cards', path, '--dry-run')).code, 1, 'a dry run can be repeated')
  equal(reported(`${path}.dry-run.jsonl`).length, 8)
  const wrong = await terminal.run('import', 'cards', file('wrong.csv', `${HEAD},colour\n`))
  deepEqual([wrong.code, /there is no column colour/.test(wrong.err)], [2, true])
  const short = await terminal.run('import', 'cards', file('short.csv', 'customer_id,card_number\n'))
  match(short.err, /the file has no column card_exp_month, card_exp_year/)
  const broken = await terminal.run('import', 'cards', file('broken.csv', `${HEAD}\ncus_1,"${cards.approves}" x,1,40\n`))
  deepEqual([broken.code, /line 2 of the file is no CSV/.test(broken.err)], [2, true])
  ok(!/\d{12}/.test(broken.err))
})

test('a card imported with its network transaction id can be charged off-session', async () => {
  const { shop, terminal, file, reported, saved } = await open()
  await shop.profile({ is_connector_agnostic_mit_enabled: true })
  const { network_transaction_id } = await shop.pay({
    customer_id: 'cus_first',
    setup_future_usage: 'off_session',
    customer_acceptance: { acceptance_type: 'offline' },
  })
  for (const customer_id of ['cus_1', 'cus_2']) await shop.post('/customers', { customer_id })
  const [first, second] = numbers(2)
  const path = file(
    'cards.csv',
    `${HEAD},card_holder_name,network_transaction_id,is_default,billing_country
cus_1,${cards.approves},12,40,Grace Hopper,${network_transaction_id},,US
cus_2,${first},1,2040,,,,
cus_2,${second},1,2040,,,true,
cus_none,${second},1,2040,,,,
`,
  )
  const { code, out, err } = await terminal.run('import', 'cards', path, '--concurrency', '1')
  equal(code, 1, err)
  match(out, /saved +3\nrefused +1/)
  match(err, /line 5: HE_02/)
  const [card] = await saved('cus_1')
  deepEqual([card!.card.card_holder_name, card!.billing.address.country], ['Grace Hopper', 'US'])
  const ids = reported(`${path}.report.jsonl`).filter(one => one.customer_id === 'cus_2')
  equal((await shop.call('GET', '/customers/cus_2')).body.default_payment_method_id, ids.at(-1)!.id)
  const charged = await shop.pay({
    customer_id: 'cus_1',
    off_session: true,
    payment_method: undefined,
    payment_method_data: undefined,
    recurring_details: { type: 'payment_method_id', data: card!.payment_method_id },
  })
  equal(charged.status, 'succeeded')
})

test('a card imported with only its network token can be charged off-session', async () => {
  const { shop, terminal, file, saved } = await open()
  await shop.profile({ is_connector_agnostic_mit_enabled: true })
  const [token, other, number] = numbers(3)
  for (const customer_id of ['cus_1', 'cus_2']) await shop.post('/customers', { customer_id })
  const path = file(
    'tokens.csv',
    `${HEAD},network_token,token_exp_month,token_exp_year,card_holder_name,network_transaction_id,connector_mandate_id,merchant_connector_id
cus_1,,,,${token},12,2040,Grace Hopper,016150703802094,,
cus_1,${number},12,2040,${token},12,2040,Grace Hopper,016150703802094,,
cus_2,,,,${other},12,2040,,,,
cus_2,,,,${other},12,2020,,016150703802094,,
cus_2,,,,${other},,2040,,016150703802094,,
cus_2,,,,${other},12,2040,,016150703802094,mdt_1,mca_1
`,
  )
  const { code, out, err } = await terminal.run('import', 'cards', path, '--concurrency', '1')
  equal(code, 1, err)
  match(out, /saved +2\nrefused +4/)
  for (const problem of [
    /line 4: network_transaction_id is missing/,
    /line 5: token_exp_year: the card has expired/,
    /line 6: token_exp_month is missing/,
    /line 7: connector_mandate_id cannot be imported with a network token/,
  ])
    match(err, problem)
  ok(!/\d{16}/.test(out + err))
  const all = await saved('cus_1')
  deepEqual(all.map(one => one.payment_method).toSorted(), ['card', 'network_token'])
  for (const { payment_method_id } of all) {
    const recurring_details = { type: 'payment_method_id', data: payment_method_id }
    const without = { payment_method: undefined, payment_method_data: undefined }
    equal((await shop.pay({ customer_id: 'cus_1', off_session: true, ...without, recurring_details })).status, 'succeeded')
  }
  deepEqual(await saved('cus_2'), [])
})

test('rows of a Hyperswitch file with only a network token are imported as network tokens', async () => {
  const { shop, terminal, file, saved } = await open()
  await shop.profile({ is_connector_agnostic_mit_enabled: true })
  const path = file(
    'methods.csv',
    `name,email,customer_id,payment_method,payment_method_type,nick_name,original_transaction_id,network_token_number,network_token_expiry_month,network_token_expiry_year,network_token_requestor_ref_id,raw_card_number
Grace Hopper,grace@example.com,cus_grace,card,credit,Work,016150703802094,${numbers(1)[0]},12,2040,ref_1,
`,
  )
  const { code, err } = await terminal.run('import', 'cards', path, '--from', 'hyperswitch')
  equal(code, 0, err)
  const [token] = await saved('cus_grace')
  const { card_holder_name, nick_name } = token!.payment_method_data.network_token
  deepEqual([token!.payment_method, card_holder_name, nick_name], ['network_token', 'Grace Hopper', 'Work'])
})

test('an import that is killed midway can be resumed, and every card is saved once', async () => {
  const { shop, wire, terminal, file, said, saved } = await open()
  const COUNT = 40
  const list = numbers(COUNT)
  for (let i = 0; i < COUNT; i++) await shop.post('/customers', { customer_id: `cus_${i}` })
  const path = file('cards.csv', `${HEAD}\n${list.map((number, i) => `cus_${i},${number},12,2040\n`).join('')}`)
  const report = join(terminal.folder, 'out.jsonl')
  // Answers are lost from some line on: those cards are saved, and the program does not know it.
  wire.does(n => (n > 15 ? 'lost' : 'through'))
  const cut = terminal.begin('import', 'cards', path, '--report', report, '--concurrency', '4')
  await eventually(async () => wire.asked.length > 18, 'the import is in the middle')
  await cut.stop('SIGKILL')
  const before = said(report).trim().split('\n').length
  ok(before >= 10 && before <= 15, String(before))
  wire.does(() => 'through')
  const { code, out, err } = await terminal.run('import', 'cards', path, '--report', report, '--resume', '--json')
  equal(code, 0, err)
  const summary = JSON.parse(out)
  deepEqual([summary.lines, summary.done, summary.saved, summary.is_complete], [COUNT, before, COUNT - before, true])
  for (let i = 0; i < COUNT; i++) equal((await saved(`cus_${i}`)).length, 1, `cus_${i}`)
  equal(new Set(wire.asked.map(({ key }) => key)).size, COUNT, 'a line that is sent again has the same key')
  const written = said(report) + said(`${report}.state`)
  for (const number of list) ok(!written.includes(number))
  ok(!said(`${report}.state`).includes('cus_'))
})

test('a deleted card is saved again when it is imported again', async () => {
  const { shop, terminal, file, saved } = await open()
  await shop.post('/customers', { customer_id: 'cus_1' })
  const path = file('cards.csv', `${HEAD}\ncus_1,${cards.approves},12,2040\n`)
  equal((await terminal.run('import', 'cards', path)).code, 0)
  await shop.call('DELETE', `/payment_methods/${(await saved('cus_1'))[0]!.payment_method_id}`)
  equal((await terminal.run('import', 'cards', path, '--report', `${path}.again`)).code, 0)
  equal((await saved('cus_1')).length, 1)
})

test('an interrupted import explains how to resume, and an import with a wrong key stops', async () => {
  const { shop, wire, terminal, file } = await open()
  const path = file('customers.csv', `customer_id\n${Array.from({ length: 200 }, (_, i) => `cus_${i}\n`).join('')}`)
  const begun = terminal.begin('import', 'customers', path, '--concurrency', '1')
  await eventually(async () => wire.asked.length > 5, 'it has begun')
  const { code, err } = await begun.stop('SIGINT')
  equal(code, 130)
  match(err, /go on with --resume/)
  const wrong = await terminal.run('import', 'customers', path, '--resume', '--key', 'snd_wrong')
  deepEqual([wrong.code, /go on with --resume/.test(wrong.err)], [4, true])
  const { code: done, out } = await terminal.run('import', 'customers', path, '--resume', '--json')
  equal(done, 0)
  equal(JSON.parse(out).lines, 200)
  equal((await shop.call('GET', '/customers/list_with_count?limit=1')).body.total_count, 200)
})

test('a request that a busy service answers with 503 is sent again', async () => {
  const { wire, terminal, file } = await open()
  wire.does(n => (n % 3 === 0 ? 'through' : 'busy'))
  const path = file('customers.csv', 'customer_id\ncus_1\ncus_2\n')
  const { code, out } = await terminal.run('import', 'customers', path, '--concurrency', '1', '--json')
  deepEqual([code, JSON.parse(out).created], [0, 2])
})

test('Stripe exports are imported: customers from its dashboard and its API, and cards enabled for recurring payments', async () => {
  const { shop, terminal, file, reported, saved } = await open()
  const dashboard = file(
    'customers.csv',
    `id,Description,Email,Name,Created (UTC),Card Last4,Card Address Line1,Card Address Country,Tier (metadata)
cus_A,A friend,grace@example.com,Grace Hopper,2024-01-01 10:00,4242,1 Main Street,US,gold
`,
  )
  const { code, err } = await terminal.run('import', 'customers', dashboard, '--from', 'stripe')
  equal(code, 0, err)
  match(err, /Not imported: created \(utc\), card last4/)
  const grace = (await shop.call('GET', '/customers/cus_A')).body
  deepEqual(
    [grace.name, grace.description, grace.address.line1, grace.metadata],
    ['Grace Hopper', 'A friend', '1 Main Street', { Tier: 'gold' }],
  )
  const listed = {
    id: 'cus_B',
    object: 'customer',
    name: 'Ada',
    email: null,
    address: { postal_code: '1010', country: 'AT' },
    metadata: { k: 'v' },
  }
  const api = file('customers.json', JSON.stringify({ object: 'list', data: [listed] }))
  equal((await terminal.run('import', 'customers', api, '--from', 'stripe')).code, 0)
  const ada = (await shop.call('GET', '/customers/cus_B')).body
  deepEqual([ada.name, ada.address.zip, ada.metadata], ['Ada', '1010', { k: 'v' }])

  const { merchant_connector_id } = await addAccount(shop, 'stripe')
  const export_ = file(
    'cards.csv',
    `DESCRIPTION,NAME,EMAIL,ID,CARD.ADDRESS_CITY,CARD.ADDRESS_COUNTRY,CARD.ADDRESS_LINE1,CARD.ADDRESS_LINE2,CARD.ADDRESS_STATE,CARD.ADDRESS_ZIP,CARD.EXP_MONTH,CARD.EXP_YEAR,CARD.ID,CARD.NAME,CARD.NUMBER,DEFAULT_SOURCE,CARD.TRANSACTION_IDS
,Alan Turing,alan@example.com,cus_C,London,GB,1 High Street,,,N1,9,2040,card_1,A M Turing,${cards.approves},card_1,
`,
  )
  const cardsCode = await terminal.run('import', 'cards', export_, '--from', 'stripe', '--account', merchant_connector_id)
  equal(cardsCode.code, 0, cardsCode.err)
  const [card] = await saved('cus_C')
  deepEqual([card!.card.card_holder_name, card!.recurring_enabled, card!.default_payment_method_set], ['A M Turing', true, true])
  equal(reported(`${export_}.report.jsonl`)[0]!.id, card!.payment_method_id)
  equal((await shop.call('GET', '/customers/cus_C')).body.name, 'Alan Turing')
})

test('a Hyperswitch migration file is imported: its customers and its payment methods', async () => {
  const { shop, terminal, file, saved } = await open()
  const account = (await shop.call('GET', `/account/${shop.merchant_id}/connectors`)).body[0].merchant_connector_id
  const head = `name,email,phone,phone_country_code,customer_id,payment_method,payment_method_type,nick_name,payment_instrument_id,card_number_masked,card_expiry_month,card_expiry_year,card_scheme,original_transaction_id,billing_address_zip,billing_address_country,billing_address_line1,merchant_connector_id,raw_card_number,network_token_number`
  const path = file(
    'methods.csv',
    `${head}
Grace Hopper,grace@example.com,65123456,+65,cus_1,card,credit,Work,mdt_1,424242******4242,12,2040,Visa,,10001,US,1 Main Street,mca_old,${cards.approves},
Ada,,,,cus_2,card,credit,,mdt_2,424242******4242,12,2040,Visa,,,,,mca_old,,
`,
  )
  const unknown = await terminal.run('import', 'cards', path, '--from', 'hyperswitch', '--dry-run')
  match(unknown.err, /line 2: merchant_connector_id is an account of another deployment: --account OLD=NEW/)
  match(unknown.err, /line 3: raw_card_number is missing/)
  equal((await terminal.run('import', 'customers', path, '--from', 'hyperswitch', '--report', `${path}.customers`)).code, 0)
  equal((await shop.call('GET', '/customers/cus_2')).body.name, 'Ada')
  const { code, out } = await terminal.run('import', 'cards', path, '--from', 'hyperswitch', '--account', `mca_old=${account}`)
  equal(code, 1)
  match(out, /saved +1\nrefused +1/)
  const [card] = await saved('cus_1')
  deepEqual([card!.card.nick_name, card!.recurring_enabled, card!.billing.address.line1], ['Work', true, '1 Main Street'])
  equal((await shop.call('GET', '/customers/cus_1')).body.email, 'grace@example.com')
})

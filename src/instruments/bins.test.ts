import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Body, card, openShop } from '../../test/shop.ts'
import { importBins } from './bins.ts'
import { readBins } from './read-bins.ts'

const VISA_DEBIT = '4000056655665556'
const CO_BADGED = '4000002500001001'
const seen = (payment: Body): unknown[] => {
  const { card_network, card_networks = null, card_type, card_issuer, card_issuing_country } = payment.payment_method_data.card
  return [card_network, card_networks, card_type, card_issuer, card_issuing_country]
}

test('test card numbers have a built-in network, type, issuer and country; other numbers have only a network', async () => {
  const shop = await openShop()
  deepEqual(seen(await shop.pay({ card: '4242424242424242' })), ['Visa', null, 'CREDIT', 'TEST BANK', 'US'])
  deepEqual(seen(await shop.pay({ card: VISA_DEBIT })), ['Visa', null, 'DEBIT', 'TEST BANK', 'US'])
  deepEqual(seen(await shop.pay({ card: '4000000000000002' })), ['Visa', null, null, null, null])
})

test('a co-badged card uses its default network unless the customer chooses another; payments and saved cards show both', async () => {
  const shop = await openShop()
  deepEqual(seen(await shop.pay({ card: CO_BADGED })), ['CartesBancaires', ['CartesBancaires', 'Visa'], 'CREDIT', 'TEST BANK', 'FR'])
  const chosen = { card: { ...card(CO_BADGED).card, card_network: 'Visa' } }
  deepEqual(seen(await shop.pay({ payment_method_data: chosen }))[0], 'Visa')
  await shop.post('/customers', { customer_id: 'cus_grace' })
  const saved = (await shop.post('/payment_methods', { payment_method: 'card', customer_id: 'cus_grace', ...card(CO_BADGED) })).body
  deepEqual(
    [saved.card.scheme, saved.card.card_networks, saved.card.card_type, saved.card.card_issuer, saved.card.issuer_country_code],
    ['CartesBancaires', ['CartesBancaires', 'Visa'], 'CREDIT', 'TEST BANK', 'FR'],
  )
})

test('card details in the request take precedence over the BIN data', async () => {
  const shop = await openShop()
  const details = { card_issuer: 'Another Bank', card_type: 'debit', card_issuing_country: 'DE' }
  const paid = await shop.pay({ payment_method_data: { card: { ...card().card, ...details } } })
  deepEqual(seen(paid), ['Visa', null, 'debit', 'Another Bank', 'DE'])
})

test('routing rules can use the issuer country of the card', async () => {
  const shop = await openShop()
  const rule = (lhs: string, value: string) => ({
    algorithm: {
      type: 'advanced',
      data: {
        defaultSelection: { type: 'priority', data: [{ connector: 'phonypay' }] },
        metadata: {},
        rules: [
          {
            name: 'known',
            connectorSelection: { type: 'priority', data: [{ connector: 'phonypay' }] },
            statements: [{ condition: [{ lhs, comparison: 'equal', value: { type: 'enum_variant', value }, metadata: {} }] }],
          },
        ],
      },
    },
  })
  const { payment_id } = await shop.pay({ card: CO_BADGED })
  const by = async (lhs: string, value: string) => (await shop.post('/routing/evaluate', { payment_id, ...rule(lhs, value) })).body.rule
  deepEqual([await by('issuer_country', 'France'), await by('issuer_country', 'Germany')], ['known', null])
})

test('imported BINs take precedence over the built-in ones, and the longest matching BIN wins', async () => {
  const shop = await openShop()
  const of = async (number: string) => seen(await shop.pay({ card: number }))
  deepEqual((await of('4242424242424242'))[3], 'TEST BANK')
  const { rows, unknown } = await readBins(
    [
      'BIN,Brand,Type,Category,Issuer,isoCode2',
      '424242,VISA,DEBIT,CLASSIC,"First, Bank",gb',
      '42424243,cb|visa,CREDIT,,,FR',
      '400000,Visa,prepaid,,Third Bank,',
      '650000,PRIVATE LABEL,CREDIT,,Shop,US',
    ].join('\r\n'),
  )
  equal(unknown, 1)
  const done: number[] = []
  await importBins(shop.service.context, rows, n => done.push(n))
  deepEqual(done, [3])
  await shop.service.settings.refresh()
  deepEqual(await of('4242424242424242'), ['Visa', null, 'DEBIT', 'First, Bank', 'GB'])
  deepEqual(await of('4242424300000009'), ['CartesBancaires', ['CartesBancaires', 'Visa'], 'CREDIT', null, 'FR'])
  deepEqual(await of('4000000000000077'), ['Visa', null, 'PREPAID', 'Third Bank', null])
  deepEqual((await of('5555555555554444'))[3], 'TEST BANK', 'what the file does not name is known as before')
  await importBins(shop.service.context, (await readBins('bin,network,issuer\n424242,Visa,Second Bank')).rows, () => {})
  await shop.service.settings.refresh()
  deepEqual((await of('4242424242424242')).slice(2), [null, 'Second Bank', null])
  await shop.query('delete from card_bins')
})

test('a BIN file with country names and codes is imported: payments show the name, saved cards show both', async () => {
  const shop = await openShop()
  const file = [
    'card_iin,card_issuer,card_network,card_type,card_subtype,card_issuing_country,bank_code_id,bank_code,country_code,date_created,last_updated,last_updated_provider',
    '417141,Known Bank,Visa,DEBIT,Classic,UNITED STATES OF AMERICA,1,X,US,2024-01-01 00:00:00,,',
  ].join('\n')
  await importBins(shop.service.context, (await readBins(file)).rows, () => {})
  await shop.service.settings.refresh()
  const customer_id = 'cus_grace'
  await shop.post('/customers', { customer_id })
  const number = '4171410000000006'
  deepEqual(seen(await shop.pay({ card: number })), ['Visa', null, 'DEBIT', 'Known Bank', 'UNITED STATES OF AMERICA'])
  const saved = (await shop.post('/payment_methods', { payment_method: 'card', customer_id, ...card(number) })).body
  deepEqual([saved.card.issuer_country, saved.card.issuer_country_code], ['UNITED STATES OF AMERICA', 'US'])
  await shop.query('delete from card_bins')
  await shop.service.settings.refresh()
})

const faults: [string, RegExp][] = [
  ['', /header that contains bin and network/],
  ['bin,issuer\n424242,Bank', /header that contains bin and network/],
  ['bin,network\n42424,Visa', /line 2: bin must have 6 to 8 digits/],
  ['bin,network\n424242424,Visa', /line 2/],
  ['bin,network,country\n424242,Visa,XX', /line 2: country/],
  ['bin,network\n\n"424243,Visa', /line 3: is not valid CSV/],
  [`bin,network\n${'x,Visa\n'.repeat(25)}`, /line 21: .*; and 5 more/],
]

test('a BIN file without a valid line is refused, with the line numbers', async () => {
  for (const [text, why] of faults) await rejects(readBins(text), why, text)
  match(String((await readBins('iin,scheme\n424242,American Express')).rows[0]!.networks), /^AmericanExpress$/)
})

test('an invalid line of a BIN file is skipped, counted and named, and all other lines are imported', async () => {
  const many = Array.from({ length: 3000 }, (_, n) => `${41_000_000 + n},Visa,DEBIT`)
  many[999] = '4100099,Visa' // 7 digits: valid
  many[1000] = '4,Visa,DEBIT'
  many[2000] = '"41002000,Visa,DEBIT'
  const { rows, unknown, invalid, faults } = await readBins(['bin,network,type', ...many].join('\n'))
  deepEqual([rows.length, unknown, invalid], [2998, 0, 2])
  deepEqual(faults, ['line 1002: bin must have 6 to 8 digits', 'line 2002: is not valid CSV'])
})

test('a prepaid debit card is read as prepaid, and a deferred debit card as deferred', async () => {
  const written = ['PREPAID DEBIT', 'Deferred debit', 'Debit', 'CREDIT', 'Charge card', 'prepaid', 'Debit/Prepaid', 'gift']
  const { rows } = await readBins(['bin,network,type', ...written.map((type, i) => `41000${i},Visa,${type}`)].join('\n'))
  deepEqual(
    rows.map(({ card_type }) => card_type),
    ['PREPAID', 'DEFERRED', 'DEBIT', 'CREDIT', 'CHARGE', 'PREPAID', 'PREPAID', null],
  )
})

test('the entry with the longest prefix says what a card is, whether it was imported or is built in', async () => {
  const shop = await openShop()
  const use = async (file: string) => {
    await importBins(shop.service.context, (await readBins(file)).rows, () => {})
    await shop.service.settings.refresh()
  }
  await use('bin,network,type,issuer,country\n400000,Visa,DEBIT,Six Digits,GB')
  deepEqual(seen(await shop.pay({ card: CO_BADGED })), ['CartesBancaires', ['CartesBancaires', 'Visa'], 'CREDIT', 'TEST BANK', 'FR'])
  deepEqual(seen(await shop.pay({ card: '4000000000000002' })).slice(2), ['DEBIT', 'Six Digits', 'GB'])
  await use('bin,network,type,issuer,country\n40000025,Visa,DEBIT,Eight Digits,GB')
  deepEqual(seen(await shop.pay({ card: CO_BADGED })), ['Visa', null, 'DEBIT', 'Eight Digits', 'GB'])
  await use('bin,network,type,issuer,country\n4242424,Visa,DEBIT,Seven Digits,GB')
  deepEqual(seen(await shop.pay({ card: '4242424242424242' })).slice(2), ['DEBIT', 'Seven Digits', 'GB'])
  await shop.query('delete from card_bins')
  await shop.service.settings.refresh()
})

const checks: [Body, number, string, RegExp][] = [
  [{ card_number: '4242424242424241', card_cvc: '12', card_exp_month: '13' }, 400, 'IR_06', /card_number/],
  [{ card_number: '4242 424', card_cvc: '12' }, 400, 'IR_06', /card_number/],
  [{ card_number: '42424242424242424242' }, 400, 'IR_06', /card_number/],
  [{ card_cvc: '12x', card_exp_month: '13' }, 400, 'IR_07', /card_cvc/],
  [{ card_cvc: '12', card_exp_month: '13' }, 400, 'IR_16', /card_cvc/],
  [{ card_exp_month: 'May', card_exp_year: '1999' }, 400, 'IR_07', /card_exp_month/],
  [{ card_exp_month: '13', card_exp_year: '1999' }, 400, 'IR_16', /card_exp_month/],
  [{ card_exp_month: '00' }, 400, 'IR_16', /card_exp_month/],
  [{ card_exp_year: '199' }, 400, 'IR_16', /card_exp_year/],
  [{ card_exp_year: '2020' }, 400, 'IR_16', /expired/],
]

test('card number, security code, month, year and expiry are validated in this order, each with its error code', async () => {
  const shop = await openShop()
  const good = card().card
  for (const [more, status, code, message] of checks)
    isRefused(await shop.tryToPay({ payment_method_data: { card: { ...good, ...more } } }), status, code, message)
})

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { example, readAll } from '../../../test/settlement/read.ts'
import { movementIdentity } from '../identity.ts'
import type { SettlementLine } from '../line.ts'
import { readers } from './all.ts'

/** What a line says of money and names, written by hand from the example and the vendor's document. */
type Short = readonly [
  type: string,
  gross: number,
  fee: number,
  net: number,
  currency: string,
  reference: string | null,
  object: string | null,
  payment: string | null,
  request: string | null,
]
const short = (line: SettlementLine): Short => [
  line.type,
  line.gross,
  line.fee,
  line.net,
  line.currency,
  line.reference,
  line.object_reference,
  line.payment_reference,
  line.request_id,
]

test('Stripe: charges, conversions, refunds, disputes, fees and reserves of a payout are lines that add up to it', async () => {
  const { reader, lines, unread } = await readAll(example('stripe-payout.csv'))
  equal(reader, 'stripe_balance')
  deepEqual(unread, [])
  // biome-ignore format: a table reads better in columns
  deepEqual(lines.map(short), [
    ['charge',              10_000,  175,   9_825, 'EUR', 'txn_a1', 'pi_1', 'pi_1', 'req_a'],
    ['charge',               4_615,  160,   4_455, 'EUR', 'txn_a2', 'pi_2', 'pi_2', 'req_b'],
    ['refund',              -2_000,    0,  -2_000, 'EUR', 'txn_a3', 're_1', 'pi_1', 'req_r1'],
    ['charge',              -3_000,    0,  -3_000, 'EUR', 'txn_a4', 'pi_1', 'pi_1', 'req_a'],
    ['chargeback',          -4_615, 2_000, -6_615, 'EUR', 'txn_a5', 'du_1', 'pi_2', 'req_b'],
    ['chargeback_reversal',  4_615, -2_000, 6_615, 'EUR', 'txn_a6', 'du_1', 'pi_2', 'req_b'],
    ['fee',                      0,   42,     -42, 'EUR', 'txn_a7', null,   null,   null],
    ['reserve',               -500,    0,    -500, 'EUR', 'txn_a8', null,   null,   null],
    ['refund_failure',       2_000,    0,   2_000, 'EUR', 'txn_a9', 're_1', 'pi_1', 'req_r1'],
    ['unknown',                 11,    0,      11, 'EUR', 'txn_b1', null,   null,   null],
  ])
  deepEqual(new Set(lines.map(line => `${line.batch} ${line.paid_at}`)), new Set(['po_1P1 2026-05-06T00:00:00.000Z']))
  equal(lines[0]!.booked_at, '2026-05-03T22:15:00.000Z')
  deepEqual(lines[1]!.original, { amount: 5_000, currency: 'USD', rate: null })
  deepEqual(lines[4]!.original, { amount: -5_000, currency: 'USD', rate: null })
  equal(lines[9]!.description, 'moon_yield: A new thing')
})

/** By docs.stripe.com/reports/reporting-categories and docs.stripe.com/reports/balance-transaction-types. */
const stripeTypes = `advance advance_funding anticipation_repayment charge charge_failure climate_order_purchase climate_order_refund
  connect_collection_transfer connect_reserved_funds contribution dispute dispute_reversal fee financing_paydown financing_paydown_reversal
  financing_payout financing_payout_reversal issuing_authorization_hold issuing_authorization_release issuing_dispute issuing_transaction
  network_cost other_adjustment partial_capture_reversal payout payout_reversal platform_earning platform_earning_refund refund
  refund_failure risk_reserved_funds tax topup topup_reversal transfer transfer_reversal unreconciled_customer_funds adjustment
  application_fee application_fee_refund obligation_outbound obligation_reversal_inbound payment payment_failure_refund
  payment_network_reserve_hold payment_network_reserve_release payment_refund payment_reversal payment_unreconciled payout_cancel
  payout_failure payout_minimum_balance_hold payout_minimum_balance_release reserve_transaction reserved_funds reserve_hold
  reserve_release stripe_balance_payment_debit stripe_balance_payment_debit_reversal stripe_fee stripe_fx_fee tax_fee transfer_cancel
  transfer_failure transfer_refund inbound_transfer inbound_transfer_reversal fee_credit_funding`.split(/\s+/)

test('Stripe: each category and type that is documented has a meaning here', async () => {
  const row = (type: string, i: number) => `txn_${i},2026-05-03 22:15:00,eur,1.00,0.00,1.00,${type},src_${i}`
  const titles = 'balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id'
  const { lines } = await readAll([titles, ...stripeTypes.map(row)].join('\n'))
  equal(lines.length, stripeTypes.length)
  deepEqual(
    lines.filter(({ type }) => type === 'unknown').map(({ description }) => description),
    [],
  )
})

test('Adyen: a batch has gross, fees and net of each payment, and what Adyen keeps or carries over, down to its payout', async () => {
  const { reader, lines, unread } = await readAll(example('adyen-settlement.csv'))
  equal(reader, 'adyen_settlement_details')
  deepEqual(unread, [])
  const [psp, mod] = ['PSP000000000000', 'MOD000000000000']
  const payout = 'AcmeEU/7/EUR'
  // biome-ignore format: a table reads better in columns
  deepEqual(lines.map(short), [
    ['charge',              10_000,  140,  9_860, 'EUR', `${mod}1`, `${mod}1`, `${psp}1`, 'req_c1'],
    ['charge',               4_616,  116,  4_500, 'EUR', `${mod}2`, `${mod}2`, `${psp}2`, 'req_b'],
    ['refund',              -2_000,    0, -2_000, 'EUR', `${mod}3`, `${mod}3`, `${psp}1`, 'req_r1'],
    ['chargeback',          -3_000,  750, -3_750, 'EUR', `${mod}4`, `${mod}4`, `${psp}3`, 'req_x'],
    ['chargeback_reversal',  1_200,   11,  1_189, 'EUR', `${mod}5`, `${mod}5`, `${psp}4`, 'req_y'],
    ['chargeback',          -3_000,    0, -3_000, 'EUR', `${mod}4/second`, `${mod}4`, `${psp}3`, 'req_x'],
    ['fee',                      0,  180,   -180, 'EUR', null, null, null, null],
    ['invoice',               -200,    0,   -200, 'EUR', null, null, null, null],
    ['reserve',             -1_000,    0, -1_000, 'EUR', null, null, null, null],
    ['balance_transfer',       500,    0,    500, 'EUR', null, null, null, null],
    ['payout',              -5_919,    0, -5_919, 'EUR', payout, 'TX1234567890XT', null, null],
  ])
  deepEqual(new Set(lines.map(line => line.batch)), new Set([payout]))
  deepEqual(lines[1]!.original, { amount: 5_000, currency: 'USD', rate: '0.9231' })
  // The night in which summer time began.
  deepEqual(
    lines.slice(0, 2).map(line => line.booked_at),
    ['2026-03-28T22:30:00.000Z', '2026-03-29T10:00:00.000Z'],
  )
  equal(lines[6]!.description, 'Fee: Transaction Fees March 2026')
})

test('Adyen: the payments accounting report has the same movements, between statuses that move nothing', async () => {
  const { reader, lines, unread } = await readAll(example('adyen-accounting.csv'))
  equal(reader, 'adyen_payments_accounting')
  deepEqual(unread, [])
  // biome-ignore format: a table reads better in columns
  deepEqual(lines.map(short), [
    ['charge', 10_000, 140,  9_860, 'EUR', 'MOD0000000000001', 'MOD0000000000001', 'PSP0000000000001', 'req_c1'],
    ['refund', -2_000,   0, -2_000, 'EUR', 'MOD0000000000003', 'MOD0000000000003', 'PSP0000000000001', 'req_r1'],
  ])
})

test('PayPal: records of a settlement report are lines by their codes, its balances too, and its totals agree', async () => {
  const { reader, lines, unread } = await readAll(example('paypal-stl.csv'))
  equal(reader, 'paypal_settlement')
  deepEqual(unread, [])
  // biome-ignore format: a table reads better in columns
  deepEqual(lines.map(short), [
    ['charge',          10_000, 349,  9_651, 'USD', 'CAP1', 'CAP1', 'CAP1', 'req_a'],
    ['refund',          -2_500, -40, -2_460, 'USD', 'REF1', 'REF1', 'CAP1', 'req_r1'],
    ['chargeback',      -3_000,   0, -3_000, 'USD', 'CBK1', 'CBK1', 'CAP0', null],
    ['fee',                  0, 2_000, -2_000, 'USD', 'FEE1', 'FEE1', 'CBK1', null],
    ['conversion',      -5_000,   0, -5_000, 'JPY', 'CAP9', 'CNV1', 'CAP9', null],
    ['conversion',       3_200,   0,  3_200, 'USD', 'CAP9', 'CNV2', 'CAP9', null],
    ['charge',           5_200, 200,  5_000, 'JPY', 'CAP9', 'CAP9', 'CAP9', 'req_j'],
    ['reserve',         -1_000,   0, -1_000, 'USD', 'HLD1', 'HLD1', 'CAP1', null],
    ['payout',          -4_000,   0, -4_000, 'USD', 'WDR1', '1047428557493', null, null],
    ['unknown',              5,   0,      5, 'USD', 'ODD1', 'ODD1', null, null],
    ['opening_balance',  1_000,   0,  1_000, 'USD', null, null, null, null],
    ['closing_balance',  1_396,   0,  1_396, 'USD', null, null, null, null],
    ['opening_balance',      0,   0,      0, 'JPY', null, null, null, null],
    ['closing_balance',      0,   0,      0, 'JPY', null, null, null, null],
  ])
  equal(lines[0]!.booked_at, '2026-05-04T07:00:30.000Z')
  equal(lines[10]!.batch, 'ACME123456789/2026/05/04')
})

test('PayPal: a footer that does not agree with its transactions is a difference of its own', async () => {
  const text = example('paypal-stl.csv').toString().replace('"SF","USD",13205', '"SF","USD",13206').replace('"RC",10', '"RC",11')
  const { unread } = await readAll(text)
  deepEqual(
    unread.map(line => line.problem),
    ['total credits of “USD” are 13206, and the lines add up to 13205', 'the footer counts “11” transactions, the file has 10'],
  )
})

test('PayPal: transactions of the API are the movements of the settlement report; what is pending or denied moves nothing', async () => {
  const { reader, lines, unread } = await readAll(example('paypal-api.jsonl'))
  equal(reader, 'paypal_api_transactions')
  deepEqual(unread, [])
  // biome-ignore format: a table reads better in columns
  deepEqual(lines.map(short), [
    ['charge',          10_000, 349,  9_651, 'USD', 'CAP1', 'CAP1', 'CAP1', 'req_a'],
    ['refund',          -2_500, -40, -2_460, 'USD', 'REF1', 'REF1', 'CAP1', 'req_r1'],
    ['chargeback',      -3_000,   0, -3_000, 'USD', 'CBK1', 'CBK1', 'CAP0', null],
    ['fee',                  0, 2_000, -2_000, 'USD', 'FEE1', 'FEE1', 'CBK1', null],
    ['conversion',      -5_000,   0, -5_000, 'JPY', 'CAP9', 'CNV1', 'CAP9', null],
    ['conversion',       3_200,   0,  3_200, 'USD', 'CAP9', 'CNV2', 'CAP9', null],
    ['charge',           5_200, 200,  5_000, 'JPY', 'CAP9', 'CAP9', 'CAP9', 'req_j'],
    ['reserve',         -1_000,   0, -1_000, 'USD', 'HLD1', 'HLD1', 'CAP1', null],
    ['payout',          -4_000,   0, -4_000, 'USD', 'WDR1', '1047428557493', null, null],
    ['unknown',              5,   0,      5, 'USD', 'ODD1', 'ODD1', null, null],
    ['charge',           1_200,  77,  1_123, 'EUR', 'CAP5', 'CAP5', 'CAP5', 'req_v'],
    ['refund',          -1_200, -35, -1_165, 'EUR', 'REF5', 'REF5', 'CAP5', 'req_r5'],
    ['charge',             800,   0,    800, 'HUF', 'CAP6', 'CAP6', 'CAP6', 'req_h'],
  ])
  const settled = (await readAll(example('paypal-stl.csv'))).lines.slice(0, 10)
  deepEqual(lines.slice(0, 10).map(movementIdentity), settled.map(movementIdentity))
  deepEqual(
    lines.slice(0, 10).map(({ at: _, ...line }) => line),
    settled.map(({ at: _, ...line }) => line),
  )
  // A later refund changes the payment, which was booked before.
  deepEqual(
    lines.slice(10).map(line => line.booked_at),
    ['2026-05-05T06:40:00.000Z', '2026-05-05T09:10:00.000Z', '2026-05-05T06:55:00.000Z'],
  )
})

test('PayPal: a transaction of the API that cannot be read is unread, and the others are lines', async () => {
  const info = { transaction_id: 'A1', transaction_event_code: 'T0006', transaction_status: 'S' }
  const amount = { currency_code: 'USD', value: '1.00' }
  const details = [
    { transaction_info: { ...info, transaction_amount: amount, fee_amount: { currency_code: 'EUR', value: '-0.10' } } },
    { transaction_info: { ...info, transaction_amount: { ...amount, value: '1.001' } } },
    { transaction_info: { ...info, transaction_amount: { ...amount, currency_code: 'XXX' } } },
    { transaction_info: { ...info, transaction_id: undefined, transaction_amount: amount } },
    {},
    { transaction_info: { ...info, transaction_amount: amount } },
  ]
  const { lines, unread } = await readAll(`${JSON.stringify({ transaction_details: details })}\n{"problem":1}\n`)
  deepEqual(lines.map(short), [['charge', 100, 0, 100, 'USD', 'A1', 'A1', 'A1', null]])
  deepEqual(
    unread.map(({ at, problem }) => `${at} ${problem}`),
    [
      '1 the fee is in EUR, the amount in USD',
      '1 “1.001” is not an amount in USD',
      '1 has no valid transaction_amount',
      '1 has no transaction id',
      '1 has no amount',
      '2 is no list of transactions',
    ],
  )
})

test('PayPal: a report of transactions has those that were reversed or refunded in part, and not those that are pending', async () => {
  const [head, ...rest] = example('paypal-stl.csv').toString().split('\n').slice(3)
  const rows = [['S', 'CAP1'], ['V', 'CAP2'], ['F', 'CAP3'], ['P', 'CAP4'], ['D', 'CAP5']] // biome-ignore format: a table
  const text = rows.map(([status, id]) => `${rest[0]!.replace('CAP1', id!)},"${status}"`)
  const { lines, unread } = await readAll([`${head},"Transactional Status"`, ...text].join('\n'))
  deepEqual([lines.map(line => line.reference), unread], [['CAP1', 'CAP2', 'CAP3'], []])
})

test('Checkout.com: parts of actions are lines, and fractions of cents add up to one more line', async () => {
  const { reader, lines, unread } = await readAll(example('checkout-actions.csv'))
  equal(reader, 'checkout_financial_actions')
  deepEqual(unread, [])
  // biome-ignore format: a table reads better in columns
  deepEqual(lines.map(short), [
    ['fee',                      0,    4,     -4, 'EUR', 'act_auth1/Gateway Fixed Fee', 'act_auth1', 'pay_1', 'req_a'],
    ['charge',              10_000,    0, 10_000, 'EUR', 'act_cap1/Capture', 'act_cap1', 'pay_1', 'req_c1'],
    ['fee',                      0,  125,   -125, 'EUR', 'act_cap1/Premium Variable Fee', 'act_cap1', 'pay_1', 'req_c1'],
    ['charge',               4_616,    0,  4_616, 'EUR', 'act_cap2/Capture', 'act_cap2', 'pay_2', 'req_c2'],
    ['refund',              -2_000,    0, -2_000, 'EUR', 'act_ref1/Refund', 'act_ref1', 'pay_1', 'req_r1'],
    ['chargeback',          -3_000,    0, -3_000, 'EUR', 'act_cb1/Chargeback (ADJM)', 'act_cb1', 'pay_3', 'req_x'],
    ['fee',                      0, 1_500, -1_500, 'EUR', 'act_cb1/Chargeback Fixed Fee', 'act_cb1', 'pay_3', 'req_x'],
    ['chargeback_reversal',  1_200,    0,  1_200, 'EUR', 'act_cb2/Chargeback (RPDW)', 'act_cb2', 'pay_4', 'req_y'],
    ['reserve',               -450,    0,   -450, 'EUR', 'adj_1/Rolling Reserve Held', 'adj_1', null, null],
    ['payout',              -8_736,    0, -8_736, 'EUR', 'P00001', 'P00001', null, null],
    ['unknown',                  1,    0,      1, 'EUR', 'adj_2/Moonlight', 'adj_2', null, null],
    ['fee',                      0,    1,     -1, 'EUR', 'P00001/EUR/rounding of fees', null, null, null],
  ])
  deepEqual(lines[3]!.original, { amount: 5_000, currency: 'USD', rate: '0.92314567' })
})

test('Checkout.com: the settlement breakdown is not read beside the financial actions, whose fees it would post again', async () => {
  const { reader, lines, unread } = await readAll(example('checkout-breakdown.csv'))
  equal(reader, 'checkout_settlement_breakdown')
  deepEqual([lines, unread.map(line => line.at)], [[], [2, 3, 4, 5]])
})

test('Mollie: movements by their ids, and costs in total', async () => {
  const { reader, lines, unread } = await readAll(example('mollie-settlement.csv'))
  equal(reader, 'mollie_settlement')
  deepEqual(unread, [])
  // biome-ignore format: a table reads better in columns
  deepEqual(lines.map(short), [
    ['charge',     10_000,   0, 10_000, 'EUR', 'tr_aaa111',  'tr_aaa111',  'tr_aaa111', null],
    ['charge',      4_615,   0,  4_615, 'EUR', 'tr_bbb222',  'tr_bbb222',  'tr_bbb222', null],
    ['refund',     -2_000,   0, -2_000, 'EUR', 're_ccc333',  're_ccc333',  null, null],
    ['chargeback', -3_000,   0, -3_000, 'EUR', 'chb_ddd444', 'chb_ddd444', null, null],
    ['fee',             0, 288,   -288, 'EUR', null, null, null, null],
  ])
  deepEqual(lines[1]!.original, { amount: 5_000, currency: 'USD', rate: null })
  equal(lines[0]!.booked_at, '2026-05-01T08:12:00.000Z')
  deepEqual(new Set(lines.map(line => line.batch)), new Set(['1234567.2605.01']))
})

test('Mollie: the export in Dutch, saved again by a spreadsheet, is the same', async () => {
  const rows = example('mollie-settlement.csv').toString().trimEnd().split('\n')
  const titles = 'Datum;Betaalmethode;Valuta;Bedrag;Status;ID;Omschrijving;Naam consument;Rekening consument;BIC consument'
  const dutch = `${titles};Uitbetalingsvaluta;Uitbetalingsbedrag;Uitbetalingsreferentie;Teruggestort bedrag`
  const again = rows.slice(1).map(row =>
    row
      .replace('"Order 2, gift"', 'Order 2 gift')
      .replace(/^(\d{4})-(\d\d)-(\d\d)/, '$3-$2-$1')
      .replaceAll(',', ';')
      .replace(/(?<=;)(-?\d+)\.(\d\d)(?=;|$)/g, '$1,$2'),
  )
  const { lines, unread } = await readAll([dutch, ...again].join('\r\n'))
  deepEqual(unread, [])
  const { lines: english } = await readAll(example('mollie-settlement.csv'))
  const money = (line: SettlementLine) => [...short(line), line.booked_at, line.batch, line.original]
  deepEqual(lines.map(money), english.map(money))
})

test('Mollie: pages of the API are the same movements, a captured hold by its capture, and all costs one fee', async () => {
  const text = example('mollie-api.jsonl').toString()
  const { reader, lines, unread } = await readAll(text)
  equal(reader, 'mollie_api_settlement')
  deepEqual(unread, [])
  // biome-ignore format: a table reads better in columns
  deepEqual(lines.map(short), [
    ['fee',             0, 339,   -339, 'EUR', '1234567.2605.01/fees', null,                null,        null],
    ['payout',     -9_261,   0, -9_261, 'EUR', '1234567.2605.01', '1234567.2605.01',        null,        null],
    ['charge',     10_000,   0, 10_000, 'EUR', 'tr_aaa111',  'tr_aaa111',                   'tr_aaa111', 'req_a'],
    ['charge',      4_615,   0,  4_615, 'EUR', 'tr_bbb222',  'tr_bbb222',                   'tr_bbb222', null],
    ['charge',      3_000,   0,  3_000, 'EUR', 'cpt_iii999', 'cpt_iii999',                  'tr_hhh888', 'req_c'],
    ['refund',     -2_000,   0, -2_000, 'EUR', 're_ccc333',  're_ccc333',                   'tr_aaa111', 'req_r1'],
    ['chargeback', -6_015,   0, -6_015, 'EUR', 'chb_ddd444', 'tr_eee555/chb_ddd444',        'tr_eee555', null],
  ])
  deepEqual(lines[3]!.original, { amount: 5_000, currency: 'USD', rate: null })
  deepEqual(new Set(lines.map(line => `${line.batch} ${line.paid_at}`)), new Set(['1234567.2605.01 2026-05-04T09:41:44.000Z']))
  equal(
    lines.reduce((sum, line) => sum + line.net, 0),
    0,
  )
  const pages = text.trim().split('\n')
  const order = (one: SettlementLine) => `${one.type} ${one.reference}`
  for (const other of [
    [pages[0]!, ...pages.slice(1).toReversed()].join(''),
    `[${pages.join(',\n')}]`,
    pages.map(page => JSON.stringify(JSON.parse(page), null, 2)).join('\n\n'),
  ])
    deepEqual((await readAll(other, {}, 1000)).lines.map(order).sort(), lines.map(order).sort())
})

test('JSON that is cut off, closes what was not opened, or is of another kind, is told and costs no other line', async () => {
  const [settlement, payments] = example('mollie-api.jsonl').toString().split('\n')
  const { lines, unread } = await readAll(
    `${settlement}}\n${payments}{"resource":"invoice","id":"inv_1"}[{"resource":"payment","id":"tr_x"`,
  )
  deepEqual(
    lines.map(({ reference }) => reference),
    ['1234567.2605.01/fees', '1234567.2605.01', 'tr_aaa111', 'tr_bbb222', 'tr_hhh888'],
  )
  deepEqual(
    unread.map(({ problem }) => problem),
    ['is not JSON', 'is of an unknown kind, “invoice”', 'is not complete'],
  )
})

test('Braintree: transactions with their fees by disbursement, named as the API names them', async () => {
  const { reader, lines, unread } = await readAll(example('braintree-fees.csv'))
  equal(reader, 'braintree_transactions')
  deepEqual(unread, [])
  // Base64 of transaction_aaaa1111 and refund_bbbb2222.
  const [sale, refund] = ['dHJhbnNhY3Rpb25fYWFhYTExMTE', 'cmVmdW5kX2JiYmIyMjIy']
  // biome-ignore format: a table reads better in columns
  deepEqual(lines.map(short), [
    ['charge', 10_000, 198,  9_802, 'USD', 'aaaa1111', sale,   sale, 'req_a'],
    ['refund', -2_000,   0, -2_000, 'USD', 'bbbb2222', refund, sale, 'req_r1'],
  ])
  deepEqual(
    lines.map(line => [line.batch, line.paid_at]),
    [
      ['acme_usd/2026-05-05/USD', '2026-05-05T00:00:00.000Z'],
      ['acme_usd/2026-05-05/USD', '2026-05-05T00:00:00.000Z'],
    ],
  )
})

test('Braintree: what the API says was disbursed, and disputes on the days of their events', async () => {
  const { reader, lines, unread } = await readAll(example('braintree-api.jsonl'))
  equal(reader, 'braintree_api_disbursements')
  deepEqual(unread, [])
  const [sale, other, refund] = ['dHJhbnNhY3Rpb25fYWFhYTExMTE', 'dHJhbnNhY3Rpb25fY2NjYzMzMzM', 'cmVmdW5kX2JiYmIyMjIy']
  const dispute = 'ZGlzcHV0ZV9lZWVlNTU1NQ'
  // biome-ignore format: a table reads better in columns
  deepEqual(lines.map(short), [
    ['charge',              10_000, 0, 10_000, 'USD', 'aaaa1111', sale,    sale,  'req_a'],
    ['charge',               5_410, 0,  5_410, 'USD', 'cccc3333', other,   other, 'req_c'],
    ['refund',              -2_000, 0, -2_000, 'USD', 'bbbb2222', refund,  sale,  'req_r1'],
    ['chargeback',          -3_000, 0, -3_000, 'USD', 'eeee5555', dispute, sale,  'req_a'],
    ['chargeback_reversal',  3_000, 0,  3_000, 'USD', 'eeee5555', dispute, sale,  'req_a'],
  ])
  deepEqual(
    lines.map(line => [line.batch, line.paid_at?.slice(0, 10) ?? null]),
    [
      ['acme_usd/2026-05-05/USD', '2026-05-05'],
      ['acme_usd/2026-05-05/USD', null],
      ['acme_usd/2026-05-05/USD', '2026-05-05'],
      ['acme_usd/2026-05-02/USD', '2026-05-02'],
      ['acme_usd/2026-05-05/USD', '2026-05-05'],
    ],
  )
  deepEqual(lines[1]!.original, { amount: 5_000, currency: 'EUR', rate: '1.082' })
})

test('Braintree: the batch summary has totals only, and says so', async () => {
  const { reader, lines, unread } = await readAll(example('braintree-summary.csv'))
  equal(reader, 'braintree_batch_summary')
  deepEqual(lines, [])
  deepEqual(
    unread.map(({ at, problem }) => `${at} ${problem}`),
    [
      '2 is a total of 12 transactions: the report of transactions has their lines',
      '3 is a total of 1 transactions: the report of transactions has their lines',
    ],
  )
})

test('each reader has a name and a title of its own, and an example that no other reader takes', async () => {
  equal(new Set(readers.map(reader => reader.name)).size, readers.length)
  const titles = (name: string) => example(`${name}.csv`).toString().split('\n')[0]!.replaceAll('"', '').split(',')
  const first = (name: string) => [example(`${name}.jsonl`).toString().split('\n')[0]!]
  const all = [
    ...['stripe-payout', 'adyen-settlement', 'adyen-accounting', 'paypal-stl'].map(titles),
    first('paypal-api'),
    ...['checkout-actions', 'checkout-breakdown', 'mollie-settlement'].map(titles),
    first('mollie-api'),
    ...['braintree-fees', 'braintree-summary'].map(titles),
    first('braintree-api'),
  ]
  deepEqual(
    all.map(header => readers.filter(reader => reader.matches(header)).map(reader => reader.name)),
    readers.map(reader => [reader.name]),
  )
})

test('a report without a column that is needed is refused whole, with the names of what it lacks', async () => {
  const text = example('stripe-payout.csv').toString().replace('"gross"', '"grand"')
  const { lines, unread, reader } = await readAll(text, { connector: 'stripe' })
  equal(reader, 'general')
  deepEqual(lines, [])
  equal(unread.length, 1)
})

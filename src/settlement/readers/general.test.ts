import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { example, inPieces, readAll } from '../../../test/settlement/read.ts'
import { previewReport } from './read-report.ts'

const preview = (text: string | Buffer, options = {}) => previewReport(inPieces(Buffer.from(text as never)), options)

test('a CSV with our own titles needs no words: a missing fee is nothing, a missing net gross less fee', async () => {
  const { reader, lines, unread } = await readAll(
    'request_id,reference,currency,gross,fee,net\nreq_a,ref_1,USD,12.50,0.40,12.10\n,ref_2,JPY,-300,,\n',
  )
  equal(reader, 'general')
  deepEqual(unread, [])
  deepEqual(
    lines.map(({ type, request_id, reference, gross, fee, net }) => [type, request_id, reference, gross, fee, net]),
    [
      ['charge', 'req_a', 'ref_1', 1_250, 40, 1_210],
      ['refund', null, 'ref_2', -300, 0, -300],
    ],
  )
})

test('a merchant names the columns of debit and credit, minor units, dates and words for types', async () => {
  const text =
    'Ref|Soll|Haben|Entgelt|Tag|Art\nA1||1250|-40|03.05.2026|Umsatz\nA2|300|||04.05.2026|Gutschrift\nA3|7|||04.05.2026|Sonstiges\n'
  const form = {
    columns: { reference: 'Ref', debit: 'Soll', credit: 'Haben', fee: 'Entgelt', booked_at: 'Tag', type: 'Art' },
    ...({ currency: 'EUR', amounts: 'minor', types: { Umsatz: 'charge', Gutschrift: 'refund' } } as const),
  }
  const { lines, unread } = await readAll(text, { form })
  deepEqual(unread, [])
  deepEqual(
    lines.map(({ type, reference, gross, fee, net, booked_at }) => [type, reference, gross, fee, net, booked_at?.slice(0, 10)]),
    [
      ['charge', 'A1', 1_250, -40, 1_290, '2026-05-03'],
      ['refund', 'A2', -300, 0, -300, '2026-05-04'],
      ['unknown', 'A3', -7, 0, -7, '2026-05-04'],
    ],
  )
})

test('fees that a report writes as negative are known by its net', async () => {
  const { lines } = await readAll(
    'reference,currency,gross,fee,net\na,EUR,10.00,-0.30,9.70\nb,EUR,10.00,0.30,9.70\nc,EUR,10.00,0.30,10.30\n',
  )
  deepEqual(
    lines.map(({ fee, net }) => [fee, net]),
    [
      [30, 970],
      [30, 970],
      [-30, 1_030],
    ],
  )
})

test('what cannot be read is told with its line and its words, and costs no other line', async () => {
  const text =
    'reference,currency,gross,fee,net\na,EUR,1.234,,\nb,XXX,1.00,,\n,EUR,1.00,,\nd,EUR,1.00,0.10,0.80\ne,EUR,=1+1,,\nf,EUR,,,\n"g,EUR,1.00\nh,EUR,1.00,,\n'
  const { lines, unread } = await readAll(text)
  deepEqual(
    lines.map(line => line.reference),
    ['h'],
  )
  deepEqual(unread.map(({ at, problem }) => `${at} ${problem}`).toSorted(), [
    '2 “1.234” is not an amount in EUR',
    '3 “XXX” is not a currency',
    '4 has neither a request id, a reference nor a batch',
    '5 net 80 is not gross 100 less fee 10',
    '6 “=1+1” is not an amount in EUR',
    '7 has no amount',
    '8 a quote is never closed',
  ])
})

test('a card number in a line that cannot be read is not repeated', async () => {
  const { unread } = await readAll('reference,currency,gross\n4111111111111111,XXX,1.00\na,4111111111111111,1.00\n')
  equal(unread.length, 2)
  for (const { problem, text } of unread) equal(/4111111111111111/.test(`${problem} ${text}`), false)
})

test('a preview says how a report is understood, and shows its first lines and each problem', async () => {
  const text = 'Datum;Id;Betrag;Gebühr;Währung\n03.05.2026;A1;1.250,00;2,50;EUR\n04.05.2026;A2;x;;EUR\n'
  const seen = await preview(Buffer.from(text, 'latin1'))
  deepEqual(
    [seen.reader, seen.file, seen.mark, seen.dates, seen.missing],
    ['general', { encoding: 'windows-1252', separator: ';' }, ',', 'dmy', []],
  )
  deepEqual(seen.columns, { booked_at: 'Datum', reference: 'Id', gross: 'Betrag', fee: 'Gebühr', currency: 'Währung' })
  deepEqual(
    seen.lines.map(({ gross, fee, booked_at }) => [gross, fee, booked_at]),
    [[125_000, 250, '2026-05-03T00:00:00.000Z']],
  )
  deepEqual(
    seen.problems.map(({ at, problem }) => `${at} ${problem}`),
    ['3 “x” is not an amount in EUR'],
  )
  deepEqual(seen.counts, { lines: 1, unread: 1, isWhole: true })
  // Without a person who looks, a guess is not taken.
  const { lines, unread } = await readAll(text)
  deepEqual(lines, [])
  match(unread[0]!.problem, /no column currency, gross, reference/)
})

test('a preview names the vendor’s report, and reads no more of it than it shows', async () => {
  const seen = await preview(example('stripe-payout.csv'))
  deepEqual([seen.reader, seen.counts], ['stripe_balance', { lines: 10, unread: 0, isWhole: true }])
  let read = 0
  async function* endless() {
    yield Buffer.from('reference,currency,gross\n')
    for (;;) {
      read += 18_000
      yield Buffer.from('ref_1,EUR,100.00\r\n'.repeat(1000))
    }
  }
  const { counts, lines } = await previewReport(endless())
  deepEqual([counts.isWhole, counts.lines, lines.length], [false, 1000, 20])
  equal(read < 400_000, true)
})

test('an empty file, and one without a report, say so', async () => {
  deepEqual(
    (await readAll('')).unread.map(({ problem }) => problem),
    ['the file is empty'],
  )
  deepEqual(
    (await readAll('\n\n')).unread.map(({ problem }) => problem),
    ['the file is empty'],
  )
  match((await readAll('hello\nworld\n')).unread[0]!.problem, /no column currency/)
})

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from '../../../test/fast-check.ts'
import { forms, written } from '../../../test/settlement/forms.ts'
import { example, readAll } from '../../../test/settlement/read.ts'
import { CsvSplitter } from '../../base/split-csv.ts'
import type { SettlementLine } from '../line.ts'
import { openReport } from './read-report.ts'

/** Reports of one movement a row, whose order means nothing. */
const tables = ['stripe-payout', 'adyen-settlement', 'adyen-accounting', 'checkout-actions', 'mollie-settlement', 'braintree-fees'] as const
const all = [...tables, 'paypal-stl'] as const

const rowsOf = (name: string): string[][] => {
  const splitter = new CsvSplitter(',')
  return [...splitter.push(example(`${name}.csv`).toString()), ...splitter.push('', true)].map(row => row.fields)
}

/** Everything that a line says, without the place where it stood. */
const said = ({ at: _at, ...line }: SettlementLine): string => JSON.stringify(line)
const sorted = (lines: readonly SettlementLine[]): string[] => lines.map(said).toSorted()

test('a report that is saved again, in any encoding, with any separator, has the same lines', async () => {
  for (const name of all) {
    const expected = (await readAll(example(`${name}.csv`))).lines.map(said)
    await fc.assert(
      fc.asyncProperty(forms, fc.integer({ min: 1, max: 5000 }), async (how, piece) => {
        const { lines, unread } = await readAll(written(rowsOf(name), how), {}, piece)
        deepEqual([lines.map(said), unread], [expected, []], name)
      }),
      { numRuns: 40 },
    )
  }
})

test('the rows and columns of a report in any order, and with columns that nobody knows, are the same lines', async () => {
  for (const name of tables) {
    const [header, ...body] = rowsOf(name)
    const expected = sorted((await readAll(example(`${name}.csv`))).lines)
    const columns = header!.map((_, i) => i)
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(columns, { minLength: columns.length }),
        fc.shuffledSubarray(body, { minLength: body.length }),
        fc.nat(columns.length),
        async (order, rows, at) => {
          const grown = (row: readonly string[], text: string) => order.map(i => row[i] ?? '').toSpliced(at, 0, text)
          const table = [grown(header!, 'A New Column'), ...rows.map(row => grown(row, 'x,y'))]
          const { lines, unread } = await readAll(written(table, { separator: ',', end: '\n', encoding: 'utf8', quotes: false }))
          deepEqual([sorted(lines), unread], [expected, []], name)
        },
      ),
      { numRuns: 30 },
    )
  }
})

test('a part of a report has the same lines as the whole has for its rows: a line depends on no other', async () => {
  for (const name of tables.filter(name => name !== 'checkout-actions')) {
    const [header, ...body] = rowsOf(name)
    const whole = new Set(sorted((await readAll(example(`${name}.csv`))).lines))
    await fc.assert(
      fc.asyncProperty(fc.subarray(body), async rows => {
        const { lines } = await readAll(written([header!, ...rows], { separator: ',', end: '\n', encoding: 'utf8', quotes: true }))
        for (const line of lines) ok(whole.has(said(line)), `${name}: ${said(line)}`)
      }),
      { numRuns: 30 },
    )
  }
})

test('a report with one cell of anything is read: each row is a line or an unread line, and nothing throws', async () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '=HYPERLINK("http://x")',
      `1${'0'.repeat(400)}`,
      '\0',
      '"',
      'a"b',
      '1,234.5.6',
      '__proto__',
      'constructor',
      '-',
      'NaN',
      '9'.repeat(20),
    ),
  )
  for (const name of all) {
    const rows = rowsOf(name)
    await fc.assert(
      fc.asyncProperty(fc.nat(rows.length - 1), fc.nat(40), anything, forms, async (at, column, text, how) => {
        const changed = rows.map((row, i) => (i === at ? row.with(column % row.length, text) : row))
        const { lines, unread } = await readAll(written(changed, how))
        ok(lines.length + unread.length > 0)
        for (const { gross, fee, net } of lines) equal(net, gross - fee)
        for (const one of unread) ok(one.problem.length < 400 && one.text.length <= 200 && one.at >= 1)
      }),
      { numRuns: 25 },
    )
  }
})

test('a line of ten megabytes and quotes that are never closed are problems with their lines', async () => {
  const rows = [
    'reference,currency,gross',
    'a,EUR,1.00',
    `"${'x'.repeat(10_000_000)}`,
    'b,EUR,1.00',
    `c,${'y'.repeat(10_000_000)}`,
    'd,EUR,1.00',
  ]
  const { lines, unread } = await readAll(rows.join('\n'), {}, 65_536)
  deepEqual([lines.map(line => line.reference), unread.map(line => line.at)], [['a', 'b', 'd'], [3, 5]]) // biome-ignore format: a table
  const many = await readAll(`reference,currency,gross\n${'"x\n'.repeat(50_000)}a,EUR,1.00\n`)
  deepEqual(
    many.lines.map(line => line.reference),
    ['a'],
  )
  ok(many.unread.length <= 1001)
})

const collect = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Rows of a long report, and by how much what is held may grow while it is read, in bytes. */
const [MANY, MOST_GROWTH] = [40_000, 5_000_000]

test('a long report is read with constant memory', async () => {
  const [header, ...body] = example('stripe-payout.csv').toString().trimEnd().split('\n')
  async function* source() {
    yield Buffer.from(`${header}\n`)
    for (let i = 0; i < MANY; i += 100)
      yield Buffer.from(Array.from({ length: 100 }, (_, n) => `${body[n % 9]!.replace('txn_', `txn_${i + n}`)}\n`).join(''))
  }
  const held: number[] = []
  const { lines } = await openReport(source())
  for await (const line of lines) {
    ok(!('problem' in line), JSON.stringify(line))
    if (held.length === 0 || line.at % 10_000 === 0) {
      collect()
      held.push(process.memoryUsage().heapUsed)
    }
  }
  equal(held.length, 1 + MANY / 10_000)
  ok(held.at(-1)! - held[0]! < MOST_GROWTH, held.join(', '))
})

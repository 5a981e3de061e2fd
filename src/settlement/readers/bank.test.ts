import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { example, inPieces } from '../../../test/settlement/read.ts'
import type { BankEntry, UnreadLine } from '../line.ts'
import { type BankForm, readBankStatement } from './bank.ts'

async function readStatement(bytes: Buffer | string, form: BankForm = {}, piece?: number) {
  const [entries, unread]: [BankEntry[], UnreadLine[]] = [[], []]
  for await (const entry of readBankStatement(inPieces(Buffer.from(bytes as never), piece), form)) {
    if ('problem' in entry) unread.push(entry)
    else entries.push(entry)
  }
  return { entries, unread }
}

const expected: BankEntry[] = [
  {
    at: 10,
    reference: 'BANK-0001',
    currency: 'EUR',
    amount: 5_919,
    booked_at: '2026-05-06T00:00:00.000Z',
    texts: ['1', 'TX1234567890XT', 'Adyen N.V. & Co', 'TX1234567890XT batch 7, AcmeEU'],
  },
  { at: 23, reference: null, currency: 'EUR', amount: -1_250, booked_at: '2026-05-06T16:30:00.000Z', texts: ['Account fees'] },
]

test('booked entries of a camt.053 statement are read, with all that the bank repeats of a payment', async () => {
  const { entries, unread } = await readStatement(example('bank.camt053.xml'))
  deepEqual(unread, [])
  deepEqual(entries, expected)
})

test('a camt.053 statement is the same in pieces, on one line, with a prefix, and in UTF-16', async () => {
  const text = example('bank.camt053.xml').toString()
  for (const piece of [1, 7, 1000]) deepEqual(await readStatement(text, {}, piece), { entries: expected, unread: [] })
  const flat = await readStatement(text.replace(/\n\s*/g, ''))
  deepEqual([flat.entries.map(entry => ({ ...entry, at: 0 })), flat.unread], [expected.map(entry => ({ ...entry, at: 0 })), []])
  const prefixed = text.replace(/<(\/?)(?=[A-Z])/g, '<$1ns2:')
  deepEqual((await readStatement(prefixed)).entries, expected)
  deepEqual((await readStatement(Buffer.from(`\ufeff${text}`, 'utf16le'))).entries, expected)
})

test('a statement that does not add up, and an entry that cannot be read, are told with their lines', async () => {
  const text = example('bank.camt053.xml').toString()
  const wrong = await readStatement(text.replace('1046.69', '1046.70'))
  deepEqual(
    wrong.unread.map(({ at, problem }) => `${at} ${problem}`),
    ['9 the statement does not add up: it begins with 100000, its entries are 4669, and it ends with 104670'],
  )
  const odd = await readStatement(text.replace('<Amt Ccy="EUR">59.19</Amt>', '<Amt Ccy="EUR">59.195</Amt>').replace('>DBIT<', '>?<'))
  deepEqual(odd.entries, [])
  deepEqual(
    odd.unread.slice(0, 2).map(({ at, problem }) => `${at} ${problem}`),
    ['10 “59.195” is not an amount in EUR', '23 “?” is neither CRDT nor DBIT'],
  )
})

test('XML that does not end, has entities of its own or is deep, is an unread line', async () => {
  const entry = '<Document><Stmt><Ntry><Amt Ccy="EUR">1</Amt>'
  for (const text of [entry, `<!DOCTYPE d [<!ENTITY a "aa">]>${entry}<X>&a;</X></Ntry>`, `${entry}${'<a>'.repeat(100_000)}</Ntry>`]) {
    const { entries, unread } = await readStatement(text)
    deepEqual(entries, [])
    equal(unread.length, 1)
    match(unread[0]!.problem, /is not valid XML|does not end/)
  }
})

test('a German bank’s CSV in Windows-1252 is read, below the lines that name the account', async () => {
  const { entries, unread } = await readStatement(example('bank-german.csv'))
  deepEqual(unread, [])
  deepEqual(entries, [
    {
      ...{ at: 5, reference: null, currency: 'EUR', amount: 123_456, booked_at: '2026-05-06T00:00:00.000Z' },
      texts: ['06.05.2026', 'Gutschrift', 'Stripe Payments Europe', 'STRIPE PO_1P1'],
    },
    {
      ...{ at: 6, reference: null, currency: 'EUR', amount: -1_250, booked_at: '2026-05-06T00:00:00.000Z' },
      texts: ['06.05.2026', 'Entgelt', 'Bank', 'Kontoführung'],
    },
  ])
})

test('a bank’s CSV with a side, or with columns of debit and credit, has signed amounts', async () => {
  const sided = 'Date,Amount,Entry type,Currency,Description\n2026-05-06,10.00,CREDIT,EUR,a\n2026-05-06,2.50,DEBIT,EUR,b\n'
  deepEqual(
    (await readStatement(sided)).entries.map(entry => entry.amount),
    [1_000, -250],
  )
  const two = 'Date\tPaid out\tPaid in\tText\n05/06/2026\t\t1,000.00\ta\n05/16/2026\t2.50\t\tb\n'
  const { entries, unread } = await readStatement(two, { currency: 'GBP' })
  deepEqual(unread, [])
  deepEqual(
    entries.map(entry => [entry.amount, entry.booked_at.slice(0, 10)]),
    [
      [100_000, '2026-05-06'],
      [-250, '2026-05-16'],
    ],
  )
  match((await readStatement('a,b\n1,2\n')).unread[0]!.problem, /no titles of a date and an amount/)
})

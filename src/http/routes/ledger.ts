import Type from 'typebox'
import { dateTime, minor, orNull, strictObject, anyText as text } from '../../base/shapes.ts'
import { ledgerAccounts } from '../../database/ledger.ts'
import { balancesQuery, findBalances } from '../../ledger/balances.ts'
import { type Entry, entriesQuery, everyEntry, exportShape, listEntries } from '../../ledger/entries.ts'
import { listSchema, schema, sized, wordOf } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { roleHoldsFor } from '../profile-header.ts'
import { fileOf, fileTypes, formatShape } from './lists.ts'

const account = wordOf(ledgerAccounts)
const at = { profile_id: text, merchant_connector_id: orNull(text), currency: text }
const side = (description: string) => Type.Integer({ description })

const balanceAnswer = schema('LedgerBalance', {
  account,
  ...at,
  debit: side('Total debits, in the lowest denomination'),
  credit: side('Total credits'),
  balance: side('Debits minus credits: positive for amounts owed to the merchant, negative for its income'),
})
const entryAnswer = schema('LedgerEntry', {
  entry_id: Type.String({ description: 'The event_id of the change that moved the money' }),
  object_kind: text,
  object_id: text,
  version: Type.Integer({ description: 'Version of the object after the change' }),
  type: text,
  request_id: orNull(Type.String({ description: 'This service’s reference in the processor request; null if no request was sent' })),
  ...at,
  lines: Type.Array(Type.Object({ account, debit: minor, credit: minor }), { description: 'Debits and credits are equal' }),
  created: dateTime,
})

/** The columns of a CSV file. Each side of an entry is a line of the file. */
const columns = [
  ...['entry_id', 'created', 'type', 'object_kind', 'object_id', 'account', 'debit', 'credit', 'currency'],
  ...['profile_id', 'merchant_connector_id', 'request_id', 'version'],
]

async function* sidesOf(entries: AsyncIterable<Entry[]>): AsyncGenerator<object[]> {
  for await (const page of entries) yield page.flatMap(({ lines, ...entry }) => lines.map(line => ({ ...entry, ...line })))
}

export const ledgerRoutes = tagged(
  'Ledger',
  'Double-entry ledger of all money movements: each capture, refund, dispute and payout posts a balanced entry in the same transaction. `npm run ledger:prove` verifies the ledger, `npm run ledger:reconcile` compares it with a processor’s settlement file.',
  { confidential: 'personal data', sdk: ['ledger', 'Ledger'] },
  [
    endpoint('GET /ledger/balances', 'listLedgerBalances', {
      sdk: 'ledger.balances',
      title: 'List balances',
      description:
        'Lists the balance of each ledger account, by profile, connector account and currency. Balances include every change that the API has confirmed.',
      auth: { credential: 'secret', permission: 'ledger:read', scope: 'profile' },
      query: balancesQuery,
      answers: listSchema('LedgerBalances', balanceAnswer),
      json: async ({ context, merchant, query, who }) => sized(await findBalances(context, merchant.merchant_id, query, roleHoldsFor(who))),
    }),
    endpoint('GET /ledger/entries', 'listLedgerEntries', {
      sdk: 'ledger.entries',
      title: 'List entries',
      description:
        'Lists ledger entries, newest first: those after starting_after in that order, or just before ending_before (both exclusive); optionally filtered by object, account, currency or time range.',
      auth: { credential: 'secret', permission: 'ledger:read', scope: 'profile' },
      query: entriesQuery,
      answers: listSchema('LedgerEntries', entryAnswer),
      json: async ({ context, merchant, query, who }) => sized(await listEntries(context, merchant.merchant_id, query, roleHoldsFor(who))),
    }),
    endpoint('GET /ledger/export', 'exportLedgerEntries', {
      sdk: 'ledger.export',
      title: 'Export entries',
      description:
        'Exports all ledger entries that match the filters, newest first, as a file: CSV (`format=csv`; one line per debit or credit, amounts in the lowest denomination) or one JSON object per line (`format=jsonl`, complete entries). The file is streamed; if an error occurs, the connection ends before the file is complete.',
      auth: { credential: 'secret', permission: 'ledger:read', scope: 'profile' },
      query: strictObject({ ...exportShape.properties, format: formatShape }),
      answers: 'text',
      types: fileTypes,
      run: async ({ context, merchant, who, query: { format, ...ask } }) => {
        const entries = everyEntry(context, merchant.merchant_id, ask, roleHoldsFor(who))
        const file = { name: 'ledger', format, columns }
        return format === 'jsonl' ? fileOf(file, entries) : fileOf(file, sidesOf(entries))
      },
    }),
  ],
)

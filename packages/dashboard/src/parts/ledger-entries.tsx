import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type LedgerEntry } from '../api'
import { plural } from '../format'
import { partOf } from './loaded'
import { Money } from './money'
import { TablePanel } from './table'
import { Ago } from './time'

type Props = {
  object_id: string
  /** Which entries of the object are shown. */
  of?: (entry: LedgerEntry) => boolean
  /** The entries are read again when it changes. */
  since: string
}

export function EntriesPanel({ object_id, of = () => true, since }: Props): ReactElement {
  const asked = useQuery({
    queryKey: ['ledger', object_id, since],
    queryFn: () => answer(GET('/ledger/entries', { params: { query: { object_id, limit: 100 } } })),
  })
  const entries = partOf(asked, ({ data }) => (data as LedgerEntry[]).filter(of))
  return (
    <TablePanel
      title="Ledger entries"
      heading="Ledger"
      hint={entries.data && plural(entries.data.length, 'entry', 'entries')}
      asked={partOf(entries, all => all.flatMap(entry => entry.lines.map(line => ({ ...entry, ...line }))))}
      none={<p className="in muted">Nothing is posted: no money has moved for certain.</p>}
      keyOf={({ entry_id, account }) => `${entry_id} ${account}`}
      columns={[
        { name: 'Account', cell: ({ account }) => account },
        { name: 'Debit', right: true, cell: ({ debit, currency }) => debit > 0 && <Money amount={debit} currency={currency} /> },
        { name: 'Credit', right: true, cell: ({ credit, currency }) => credit > 0 && <Money amount={credit} currency={currency} /> },
        { name: 'When', right: true, wide: true, cell: ({ created }) => <Ago at={created} /> },
      ]}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type LedgerEntry } from '../api'
import { plural } from '../format'
import { Panel } from './details'
import { LoadError } from './load-error'
import { Money } from './money'
import { Ago } from './time'

/**
 * Shows the ledger entries of an object, debit and credit. `of` selects entries; the entries are read again when
 * `since` changes.
 */
export function EntriesPanel({
  object_id,
  of = () => true,
  since,
}: {
  object_id: string
  of?: (entry: LedgerEntry) => boolean
  since: string
}): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['ledger', object_id, since],
    queryFn: () => answer(GET('/ledger/entries', { params: { query: { object_id, limit: 100 } } })),
  })
  const entries = (data?.data as LedgerEntry[] | undefined)?.filter(of)
  return (
    <Panel title="Ledger" hint={entries && plural(entries.length, 'entry', 'entries')}>
      {error && entries === undefined ? (
        <div className="in">
          <LoadError what="The ledger" error={error} retry={() => void refetch()} />
        </div>
      ) : entries?.length === 0 ? (
        <p className="in muted">Nothing is posted: no money has moved for certain.</p>
      ) : (
        <div className="tw">
          <table aria-label="Ledger entries">
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col" className="n">
                  Debit
                </th>
                <th scope="col" className="n">
                  Credit
                </th>
                <th scope="col" className="n wide">
                  When
                </th>
              </tr>
            </thead>
            <tbody>
              {entries?.flatMap(entry =>
                entry.lines.map(line => (
                  <tr key={`${entry.entry_id} ${line.account}`}>
                    <td>{line.account}</td>
                    <td className="n">{line.debit > 0 && <Money amount={line.debit} currency={entry.currency} />}</td>
                    <td className="n">{line.credit > 0 && <Money amount={line.credit} currency={entry.currency} />}</td>
                    <td className="n wide">
                      <Ago at={entry.created} />
                    </td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}

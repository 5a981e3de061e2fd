import { Select, Switch } from '@mantine/core'
import type { ReactElement } from 'react'
import { TextField } from '../../parts/inputs'
import { kindOfLine } from './causes'
import type { Columns, Preview } from './upload-file'

/** What a column of a report can mean, by the interface's names, and what it is for. */
const meanings: Readonly<Record<string, string>> = {
  gross: 'Amount',
  currency: 'Currency',
  reference: 'Their reference',
  request_id: 'Our request id',
  type: 'Kind of line',
  fee: 'Fee',
  net: 'Amount after fees',
  debit: 'Debit, if apart',
  credit: 'Credit, if apart',
  booked_at: 'Day',
  batch: 'Payout',
}

/** Says in words what a report lacks to be read. */
export const missingIn = ({ missing }: Preview): string =>
  missing.map(name => (meanings[name] ? `the ${meanings[name]!.toLowerCase()}`.replace('the their', 'their') : `“${name}”`)).join(', ')

/** The kinds of lines that a report's own word can mean. */
const kinds = [
  ...['charge', 'refund', 'refund_failure', 'chargeback', 'chargeback_reversal', 'transfer', 'fee', 'payout', 'payout_failure'],
  ...['reserve', 'reserve_release', 'adjustment', 'conversion', 'invoice', 'balance_transfer'],
]

/** Returns the report's words for kinds of lines that are not known. */
const unknownWords = ({ lines }: Preview): string[] =>
  (lines as { type: string; description: string | null }[]).flatMap(({ type, description }) =>
    type === 'unknown' && description ? [description] : [],
  )

type Props = { preview: Preview; columns: Columns | null; change(columns: Columns): void }

/** Asks which column of a report means what. What the service has found by itself is filled in. */
export function ReportColumns({ preview, columns, change }: Props): ReactElement {
  const found = columns ?? { columns: (preview.columns ?? {}) as Record<string, string> }
  const choose = (name: string, title: string | null) => {
    const { [name]: _before, ...others } = found.columns
    change({ ...found, columns: title === null ? others : { ...others, [name]: title } })
  }
  const words = [...new Set([...Object.keys(found.types ?? {}), ...unknownWords(preview)])]
  const titles = [...new Set(preview.header.filter(title => title !== ''))]
  return (
    <details open={preview.missing.length > 0 || words.length > 0 || columns !== null}>
      <summary>How its columns are read</summary>
      <div className="asks after">
        {Object.entries(meanings).map(([name, label]) => (
          <Select
            key={name}
            label={label}
            placeholder="None"
            data={titles}
            value={found.columns[name] ?? null}
            onChange={title => choose(name, title)}
            clearable
            clearButtonProps={{ 'aria-label': `No column for ${label}` }}
          />
        ))}
        {found.columns.currency === undefined && (
          <TextField
            label="All in the currency"
            placeholder="EUR"
            maxLength={3}
            value={found.currency ?? ''}
            change={typed => {
              const { currency: _before, ...others } = found
              change(typed === '' ? others : { ...others, currency: typed.toUpperCase() })
            }}
          />
        )}
        {words.map(word => (
          <Select
            key={word}
            label={`“${word}” is`}
            placeholder="Not known: stays open"
            data={kinds.map(value => ({ value, label: kindOfLine(value) }))}
            value={found.types?.[word] ?? null}
            onChange={kind => {
              const { [word]: _before, ...others } = found.types ?? {}
              change({ ...found, types: kind === null ? others : { ...others, [word]: kind } })
            }}
            clearable
          />
        ))}
        <Switch
          label="Amounts in cents"
          description="1250 is 12.50"
          checked={found.amounts === 'minor'}
          onChange={event => {
            const { amounts: _before, ...others } = found
            change(event.currentTarget.checked ? { ...others, amounts: 'minor' } : others)
          }}
        />
      </div>
    </details>
  )
}

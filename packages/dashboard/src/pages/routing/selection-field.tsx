import { MultiSelect, SegmentedControl } from '@mantine/core'
import type { ReactElement } from 'react'
import { TextField } from '../../parts/inputs'
import { type DraftSelection, sumOf } from './draft'

type Props = { label: string; of: DraftSelection; accounts: readonly { value: string; label: string }[]; change(to: DraftSelection): void }

const modes = [
  { value: 'order', label: 'In order' },
  { value: 'share', label: 'By share' },
]

/** Splits 100 percent as evenly as whole numbers allow. */
const evenly = (ids: readonly string[]): Record<string, string> =>
  Object.fromEntries(ids.map((id, at) => [id, String(Math.floor(100 / ids.length) + (at < 100 % ids.length ? 1 : 0))]))

/**
 * Shows a form for the accounts of a rule: in the order in which they are tried, or each with a share of the payments.
 */
export function SelectionField({ label, of, accounts, change }: Props): ReactElement {
  const { ids, shares } = of
  const labelOf = (id: string) => accounts.find(one => one.value === id)?.label ?? id
  const sum = sumOf(of)
  return (
    <div className="stack">
      <MultiSelect
        searchable
        label={label}
        description={shares === null ? 'In the order in which they are tried' : 'A payment is always assigned to the same account'}
        data={[...accounts]}
        value={[...ids]}
        onChange={next => change({ ids: next, shares: shares && evenly(next) })}
      />
      {(ids.length > 1 || shares !== null) && (
        <SegmentedControl
          className="start"
          size="xs"
          aria-label={`${label}: how`}
          data={modes}
          value={shares === null ? 'order' : 'share'}
          onChange={mode => change({ ids, shares: mode === 'share' ? evenly(ids) : null })}
        />
      )}
      {shares !== null && (
        <div className="row-wrap">
          {ids.map(id => (
            <TextField
              key={id}
              label={`Percent to ${labelOf(id)}`}
              inputMode="numeric"
              value={shares[id] ?? ''}
              error={sum === 100 ? null : `All come to ${sum}, not to 100`}
              change={text => change({ ids, shares: { ...shares, [id]: text } })}
            />
          ))}
        </div>
      )}
    </div>
  )
}

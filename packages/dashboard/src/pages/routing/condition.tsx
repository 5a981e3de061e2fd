import { Button } from '@mantine/core'
import type { ReactElement } from 'react'
import { LimitField } from '../../parts/amount-field'
import { Choice, TextField } from '../../parts/inputs'
import { MultiSelect } from '../../parts/multi-select'
import type { DraftCondition } from './draft'
import type { Key } from './keys'
import { comparisons } from './rules'

type ValueProps = {
  of: DraftCondition
  at: string
  keyOf: Key | undefined
  currencies: readonly string[] | null
  change(to: DraftCondition): void
}

function Value({ of, at, keyOf, currencies, change }: ValueProps): ReactElement {
  const [first = ''] = of.values
  const label = `Value ${at}`
  if (keyOf?.is === 'number')
    return (
      <LimitField
        key={currencies?.join() ?? ''}
        isBare
        label={label}
        amount={first === '' ? null : Number(first)}
        currencies={currencies}
        change={amount => change({ ...of, values: amount === null ? [] : [String(amount)] })}
      />
    )
  if (keyOf?.is === 'text' || keyOf?.is === 'metadata')
    return (
      <>
        {keyOf.is === 'metadata' && (
          <TextField
            aria-label={`Member of the metadata ${at}`}
            placeholder="Member"
            value={of.member ?? ''}
            change={text => change({ ...of, member: text })}
          />
        )}
        <TextField
          aria-label={label}
          placeholder={keyOf.expected ?? 'Text'}
          value={first}
          change={text => change({ ...of, values: text === '' ? [] : [text] })}
        />
      </>
    )
  return (
    <MultiSelect
      aria-label={label}
      placeholder={of.values.length === 0 ? 'Choose' : ''}
      data={[...(keyOf?.values ?? [])]}
      value={[...of.values]}
      onChange={values => change({ ...of, values })}
    />
  )
}

type Props = {
  of: DraftCondition
  at: string
  keys: readonly Key[]
  /** The currencies of the rule, if it names any. Amounts are then typed in major units. */
  currencies: readonly string[] | null
  change(to: DraftCondition): void
  remove: (() => void) | null
}

export function Condition({ of, at, keys, currencies, change, remove }: Props): ReactElement {
  const keyOf = keys.find(({ name }) => name === of.lhs)
  return (
    <div className="row-wrap">
      <Choice
        aria-label={`Field ${at}`}
        data={keys.map(({ name }) => name)}
        value={of.lhs}
        searchable
        change={lhs => change({ lhs, comparison: 'equal', values: [] })}
      />
      <Choice
        aria-label={`Comparison ${at}`}
        data={keyOf?.is === 'number' ? comparisons : comparisons.slice(0, 2)}
        value={of.comparison}
        change={comparison => change({ ...of, comparison })}
      />
      <Value of={of} at={at} keyOf={keyOf} currencies={currencies} change={change} />
      {remove && (
        <Button variant="default" onClick={remove} aria-label={`Remove condition ${at}`}>
          Remove
        </Button>
      )}
    </div>
  )
}

import { Button, Select, TextInput } from '@mantine/core'
import type { ReactElement } from 'react'
import { LimitField } from '../../parts/limit'
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

/** Shows the value of a condition, in a field for the type of its key. */
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
          <TextInput
            aria-label={`Member of the metadata ${at}`}
            placeholder="Member"
            value={of.member ?? ''}
            onChange={event => change({ ...of, member: event.currentTarget.value })}
          />
        )}
        <TextInput
          aria-label={label}
          placeholder={keyOf.expected ?? 'Text'}
          value={first}
          onChange={event => change({ ...of, values: event.currentTarget.value === '' ? [] : [event.currentTarget.value] })}
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

/** Shows a form for one comparison of a rule. */
export function Condition({ of, at, keys, currencies, change, remove }: Props): ReactElement {
  const keyOf = keys.find(({ name }) => name === of.lhs)
  return (
    <div className="row-wrap">
      <Select
        aria-label={`Field ${at}`}
        data={keys.map(({ name }) => name)}
        value={of.lhs}
        searchable
        onChange={lhs => change({ lhs: lhs ?? of.lhs, comparison: 'equal', values: [] })}
        allowDeselect={false}
      />
      <Select
        aria-label={`Comparison ${at}`}
        data={keyOf?.is === 'number' ? comparisons : comparisons.slice(0, 2)}
        value={of.comparison}
        onChange={comparison => change({ ...of, comparison: comparison ?? of.comparison })}
        allowDeselect={false}
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

import { Button } from '@mantine/core'
import type { ReactElement } from 'react'
import { Panel } from '../../parts/details'
import { TextField } from '../../parts/inputs'
import { Condition } from './condition'
import { type Draft, type DraftRule, newCondition, newRule } from './draft'
import type { Key } from './keys'
import { type Choice, useNames } from './rules'
import { SelectionField } from './selection-field'

const replaced = <T,>(all: readonly T[], at: number, by: T): T[] => all.map((one, n) => (n === at ? by : one))
const without = <T,>(all: readonly T[], at: number): T[] => all.filter((_, n) => n !== at)

type Accounts = { value: string; label: string }[]
type RuleProps = { of: DraftRule; n: number; accounts: Accounts; keys: readonly Key[]; change(to: DraftRule): void; remove(): void }

/** Returns the currencies that a rule is limited to, or null if the rule takes payments of any currency. */
const currenciesOf = ({ conditions }: DraftRule): readonly string[] | null =>
  conditions.find(({ lhs, comparison, values }) => lhs === 'currency' && comparison === 'equal' && values.length > 0)?.values ?? null

function RuleEditor({ of, n, accounts, keys, change, remove }: RuleProps): ReactElement {
  const { conditions } = of
  return (
    <fieldset className="in">
      <legend className="strong">Rule {n}</legend>
      <TextField label={`Name of rule ${n}`} value={of.name} maxLength={64} change={text => change({ ...of, name: text })} />
      <p className="muted">All of these hold:</p>
      {conditions.map((condition, at) => (
        <Condition
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition has nothing else that stays while it is written
          key={at}
          of={condition}
          at={`${n}.${at + 1}`}
          keys={keys}
          currencies={currenciesOf(of)}
          change={to => change({ ...of, conditions: replaced(conditions, at, to) })}
          remove={conditions.length > 1 ? () => change({ ...of, conditions: without(conditions, at) }) : null}
        />
      ))}
      <SelectionField
        label={`Rule ${n} goes to`}
        of={of.selection}
        accounts={accounts}
        change={selection => change({ ...of, selection })}
      />
      <div className="row-wrap">
        <Button variant="default" onClick={() => change({ ...of, conditions: [...conditions, newCondition] })}>
          And…
        </Button>
        <Button variant="default" onClick={remove}>
          Remove rule {n}
        </Button>
      </div>
    </fieldset>
  )
}

type Props = { draft: Draft; accounts: readonly Choice[]; keys: readonly Key[]; change(to: Draft): void; acts: ReactElement }

/** Shows a form for rules: their conditions, and the accounts they lead to. */
export function DraftEditor({ draft, accounts, keys, change, acts }: Props): ReactElement {
  const nameOf = useNames()
  const choices = accounts.map(one => ({ value: one.merchant_connector_id ?? '', label: `${nameOf(one)} (${one.merchant_connector_id})` }))
  const { rules } = draft
  return (
    <Panel title="Draft" hint="Nothing changes until it is activated." acts={acts}>
      <div className="in">
        <TextField label="Name of the algorithm" value={draft.name} maxLength={64} change={text => change({ ...draft, name: text })} />
      </div>
      {rules.map((rule, at) => (
        <RuleEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has nothing else that stays while it is written
          key={at}
          of={rule}
          n={at + 1}
          accounts={choices}
          keys={keys}
          change={to => change({ ...draft, rules: replaced(rules, at, to) })}
          remove={() => change({ ...draft, rules: without(rules, at) })}
        />
      ))}
      <div className="in">
        <Button variant="default" onClick={() => change({ ...draft, rules: [...rules, newRule(rules.length + 1)] })}>
          Add a rule
        </Button>
        <SelectionField label="Everything else goes to" of={draft.rest} accounts={choices} change={rest => change({ ...draft, rest })} />
      </div>
    </Panel>
  )
}

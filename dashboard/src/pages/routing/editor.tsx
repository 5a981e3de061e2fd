import { Button, MultiSelect, Select, TextInput } from '@mantine/core'
import type { ReactElement } from 'react'
import { useChoices } from '../../facts'
import { Panel } from '../../parts/details'
import { type Draft, type DraftCondition, type DraftRule, newCondition, newRule } from './draft'
import { fields } from './fields'
import { type Choice, comparisons, useNames } from './rules'

type ConditionProps = { of: DraftCondition; at: string; change(to: DraftCondition): void; remove: (() => void) | null }

function Condition({ of, at, change, remove }: ConditionProps): ReactElement {
  const { data } = useChoices()
  const isAmount = of.lhs === 'amount'
  const offered = data?.[of.lhs as 'currency'] as string[] | undefined
  return (
    <div className="row-wrap">
      <Select
        aria-label={`Field ${at}`}
        data={fields}
        value={of.lhs}
        onChange={lhs => change({ lhs: lhs ?? of.lhs, comparison: 'equal', value: '' })}
        allowDeselect={false}
      />
      <Select
        aria-label={`Comparison ${at}`}
        data={isAmount ? comparisons : comparisons.slice(0, 2)}
        value={of.comparison}
        onChange={comparison => change({ ...of, comparison: comparison ?? of.comparison })}
        allowDeselect={false}
      />
      {isAmount ? (
        <TextInput
          aria-label={`Value ${at}`}
          placeholder="In minor units: 5000"
          inputMode="numeric"
          value={of.value}
          onChange={event => change({ ...of, value: event.currentTarget.value })}
        />
      ) : (
        <Select
          aria-label={`Value ${at}`}
          placeholder="Choose"
          searchable
          limit={100}
          data={[...new Set(offered ?? [])]}
          value={of.value || null}
          onChange={value => change({ ...of, value: value ?? '' })}
        />
      )}
      {remove && (
        <Button variant="default" onClick={remove} aria-label={`Remove condition ${at}`}>
          Remove
        </Button>
      )}
    </div>
  )
}

const replaced = <T,>(all: readonly T[], at: number, by: T): T[] => all.map((one, n) => (n === at ? by : one))
const without = <T,>(all: readonly T[], at: number): T[] => all.filter((_, n) => n !== at)

type Accounts = { value: string; label: string }[]
type RuleProps = { of: DraftRule; n: number; accounts: Accounts; change(to: DraftRule): void; remove(): void }

function RuleEditor({ of, n, accounts, change, remove }: RuleProps): ReactElement {
  const { conditions } = of
  return (
    <fieldset className="in">
      <legend className="strong">Rule {n}</legend>
      <TextInput
        label={`Name of rule ${n}`}
        value={of.name}
        maxLength={64}
        onChange={event => change({ ...of, name: event.currentTarget.value })}
      />
      <p className="muted">All of these hold:</p>
      {conditions.map((condition, at) => (
        <Condition
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition has nothing else that stays while it is written
          key={at}
          of={condition}
          at={`${n}.${at + 1}`}
          change={to => change({ ...of, conditions: replaced(conditions, at, to) })}
          remove={conditions.length > 1 ? () => change({ ...of, conditions: without(conditions, at) }) : null}
        />
      ))}
      <MultiSelect
        searchable
        label={`Rule ${n} goes to`}
        description="In the order in which they are tried"
        data={accounts}
        value={[...of.goes]}
        onChange={goes => change({ ...of, goes })}
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

type Props = { draft: Draft; accounts: readonly Choice[]; change(to: Draft): void; acts: ReactElement }

/** Writes rules: conditions, and the accounts that they lead to. */
export function Editor({ draft, accounts, change, acts }: Props): ReactElement {
  const nameOf = useNames()
  const choices = accounts.map(one => ({ value: one.merchant_connector_id ?? '', label: `${nameOf(one)} (${one.merchant_connector_id})` }))
  const { rules } = draft
  return (
    <Panel title="Draft" hint="Nothing changes until it is activated." acts={acts}>
      <div className="in">
        <TextInput
          label="Name of the algorithm"
          value={draft.name}
          maxLength={64}
          onChange={event => change({ ...draft, name: event.currentTarget.value })}
        />
      </div>
      {rules.map((rule, at) => (
        <RuleEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has nothing else that stays while it is written
          key={at}
          of={rule}
          n={at + 1}
          accounts={choices}
          change={to => change({ ...draft, rules: replaced(rules, at, to) })}
          remove={() => change({ ...draft, rules: without(rules, at) })}
        />
      ))}
      <div className="in">
        <Button variant="default" onClick={() => change({ ...draft, rules: [...rules, newRule(rules.length + 1)] })}>
          Add a rule
        </Button>
        <MultiSelect
          searchable
          label="Everything else goes to"
          description="In the order in which they are tried"
          data={choices}
          value={[...draft.rest]}
          onChange={rest => change({ ...draft, rest })}
        />
      </div>
    </Panel>
  )
}

import { Button, Checkbox, Popover } from '@mantine/core'
import { type FormEvent, type ReactElement, useState } from 'react'
import { type Chosen, pageParameters } from '../list-address'
import { type ChoiceList, useChoiceList } from '../queries'
import { Icon } from './icons'
import { TextField } from './inputs'

type Choice = { value: string; label: string }
type Base = { name: string; label: string }

/** A filter of a list. `choices`: fixed ones, or the name of a list that the service has. */
export type Filter = Base & ({ kind: 'any of' | 'one of'; choices: readonly Choice[] | ChoiceList } | { kind: 'text'; hint: string })

const listed = (value: string | undefined): string[] => (value ? value.split(',') : [])

function shown({ kind }: Filter, choices: readonly Choice[], value: string): string {
  if (kind === 'text') return value
  const labels = listed(value).map(one => choices.find(choice => choice.value === one)?.label ?? one)
  return labels.length > 2 ? `${labels.length} of them` : labels.join(', ')
}

type ChoicesProps = { label: string; choices: readonly Choice[]; chosen: string; choose(value: string): void }

function AnyOf({ label: of, choices, chosen, choose }: ChoicesProps): ReactElement {
  const [find, setFind] = useState('')
  const values = listed(chosen)
  const toggle = (value: string) => choose((values.includes(value) ? values.filter(one => one !== value) : [...values, value]).join(','))
  const found = choices.filter(({ label }) => label.toLowerCase().includes(find.toLowerCase()))
  return (
    <>
      {choices.length > 8 && <TextField aria-label={`Find in ${of}`} placeholder="Find" value={find} change={setFind} mb={8} />}
      <div className="choices">
        {found.slice(0, 80).map(({ value, label }) => (
          <Checkbox key={value} size="xs" label={label} checked={values.includes(value)} onChange={() => toggle(value)} />
        ))}
      </div>
    </>
  )
}

function OneOf({ choices, chosen, choose }: ChoicesProps): ReactElement {
  return (
    <div className="choices">
      {choices.map(({ value, label }) => (
        <button type="button" key={value} className="choice" aria-pressed={value === chosen} onClick={() => choose(value)}>
          {label}
        </button>
      ))}
    </div>
  )
}

function Text({ label, hint, chosen, choose }: Omit<ChoicesProps, 'choices'> & { hint: string }): ReactElement {
  const [typed, setTyped] = useState(chosen)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    choose(typed.trim())
  }
  return (
    <form onSubmit={submit} className="row">
      <TextField aria-label={label} placeholder={hint} value={typed} change={setTyped} data-autofocus />
      <Button type="submit">Apply</Button>
    </form>
  )
}

function Chip({ filter, value, choose }: { filter: Filter; value: string; choose(value: string): void }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const choices = useChoiceList(filter.kind === 'text' ? [] : filter.choices)
  const isOn = value !== ''
  const done = (next: string) => {
    choose(next)
    setOpen(false)
  }
  const shared = { label: filter.label, choices, chosen: value }
  return (
    <span className={isOn ? 'chip on' : 'chip'}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" aria-expanded={isOpen} data-period={filter.name === 'days' || undefined} onClick={() => setOpen(!isOpen)}>
            {!isOn && <Icon name="plus" size={12} />}
            {filter.label} {isOn && <b>{shown(filter, choices, value)}</b>}
          </button>
        </Popover.Target>
        <Popover.Dropdown p={12} miw={220}>
          {filter.kind === 'any of' && <AnyOf {...shared} choose={choose} />}
          {filter.kind === 'text' && <Text {...shared} hint={filter.hint} choose={done} />}
          {filter.kind === 'one of' && <OneOf {...shared} choose={done} />}
        </Popover.Dropdown>
      </Popover>
      {isOn && (
        <button type="button" className="x" aria-label={`Remove ${filter.label}`} onClick={() => choose('')}>
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  )
}

/** Names of filters that only links set, in words. */
const inWords: Readonly<Record<string, string>> = {
  merchant_connector_id: 'Account',
  error_code: 'Code of the decline',
  unified_code: 'Reason of the decline',
  payment_link: 'With a payment link',
  'capture_before.lte': 'Capture before',
  profile_id: 'Profile',
  start_time: 'Created since',
  state: 'Result',
}

/** Returns a filter for each set parameter that has none: a list is never narrowed by what nobody sees. */
const fromLinks = (filters: readonly Filter[], chosen: Chosen): Filter[] =>
  Object.keys(chosen)
    .filter(name => chosen[name] && name !== 'limit' && !pageParameters.includes(name) && !filters.some(filter => filter.name === name))
    .map(name => ({ name, label: inWords[name] ?? name.replaceAll(/[._]/g, ' '), kind: 'text', hint: name }))

type Props = { filters: readonly Filter[]; chosen: Chosen; choose(name: string, value: string): void; every?: boolean }

/** Shows filters as chips: dashed if not set, solid if set. `every`: every parameter of the address is a filter. */
export function Filters({ filters, chosen, choose, every = false }: Props): ReactElement {
  return (
    <section className="filters" aria-label="Filters">
      {[...filters, ...(every ? fromLinks(filters, chosen) : [])].map(filter => (
        <Chip key={filter.name} filter={filter} value={chosen[filter.name] ?? ''} choose={value => choose(filter.name, value)} />
      ))}
    </section>
  )
}

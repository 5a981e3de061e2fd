import { Button, Checkbox, Popover, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactElement, useState } from 'react'
import { Icon } from './icons'

/**
 * The chosen filters, by the interface's own names, as in the page's address; several values are separated by commas.
 */
export type Chosen = Readonly<Record<string, string>>

export type Filter =
  | { name: string; label: string; kind: 'any of'; choices: readonly { value: string; label: string }[] }
  | { name: string; label: string; kind: 'text'; hint: string }
  | { name: string; label: string; kind: 'one of'; choices: readonly { value: string; label: string }[] }

const listed = (value: string | undefined): string[] => (value ? value.split(',') : [])

function shown(filter: Filter, value: string): string {
  if (filter.kind === 'text') return value
  const labels = listed(value).map(one => filter.choices.find(choice => choice.value === one)?.label ?? one)
  return labels.length > 2 ? `${labels.length} of them` : labels.join(', ')
}

function AnyOf({
  filter,
  chosen,
  choose,
}: {
  filter: Extract<Filter, { kind: 'any of' }>
  chosen: string
  choose(value: string): void
}): ReactElement {
  const [find, setFind] = useState('')
  const values = listed(chosen)
  const toggle = (value: string) => choose((values.includes(value) ? values.filter(one => one !== value) : [...values, value]).join(','))
  const found = filter.choices.filter(({ label }) => label.toLowerCase().includes(find.toLowerCase()))
  return (
    <>
      {filter.choices.length > 8 && (
        <TextInput
          aria-label={`Find in ${filter.label}`}
          placeholder="Find"
          value={find}
          onChange={event => setFind(event.currentTarget.value)}
          mb={8}
        />
      )}
      <div className="choices">
        {found.slice(0, 80).map(({ value, label }) => (
          <Checkbox key={value} size="xs" label={label} checked={values.includes(value)} onChange={() => toggle(value)} />
        ))}
      </div>
    </>
  )
}

function Text({
  filter,
  chosen,
  choose,
}: {
  filter: Extract<Filter, { kind: 'text' }>
  chosen: string
  choose(value: string): void
}): ReactElement {
  const [typed, setTyped] = useState(chosen)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    choose(typed.trim())
  }
  return (
    <form onSubmit={submit} className="row">
      <TextInput
        aria-label={filter.label}
        placeholder={filter.hint}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      <Button type="submit">Apply</Button>
    </form>
  )
}

function Chip({ filter, value, choose }: { filter: Filter; value: string; choose(value: string): void }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const isOn = value !== ''
  const done = (next: string) => {
    choose(next)
    setOpen(false)
  }
  return (
    <span className={isOn ? 'chip on' : 'chip'}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" aria-expanded={isOpen} data-period={filter.name === 'days' || undefined} onClick={() => setOpen(!isOpen)}>
            {!isOn && <Icon name="plus" size={12} />}
            {filter.label} {isOn && <b>{shown(filter, value)}</b>}
          </button>
        </Popover.Target>
        <Popover.Dropdown p={12} miw={220}>
          {filter.kind === 'any of' && <AnyOf filter={filter} chosen={value} choose={choose} />}
          {filter.kind === 'text' && <Text filter={filter} chosen={value} choose={done} />}
          {filter.kind === 'one of' && (
            <div className="choices">
              {filter.choices.map(choice => (
                <button
                  type="button"
                  key={choice.value}
                  className="choice"
                  aria-pressed={choice.value === value}
                  onClick={() => done(choice.value)}
                >
                  {choice.label}
                </button>
              ))}
            </div>
          )}
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

/** Whether a parameter of the address is no filter but a setting of the list. */
const isView = (name: string): boolean => name === 'columns'

/** Returns the filters of the address, without the settings of the list. */
export function useChosen(): Chosen {
  const found = useSearch({ strict: false }) as Chosen
  return Object.fromEntries(Object.entries(found).filter(([name]) => !isView(name)))
}

const ofPages = ['starting_after', 'ending_before', 'offset', 'limit']

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
    .filter(name => chosen[name] && !ofPages.includes(name) && !filters.some(filter => filter.name === name))
    .map(name => ({ name, label: inWords[name] ?? name.replaceAll(/[._]/g, ' '), kind: 'text', hint: name }))

/** Shows filters as chips: dashed if not set, solid if set. `every`: every parameter of the address is a filter. */
export function Filters({
  filters,
  chosen,
  choose,
  every = false,
}: {
  filters: readonly Filter[]
  chosen: Chosen
  choose(name: string, value: string): void
  every?: boolean
}): ReactElement {
  return (
    <section className="filters" aria-label="Filters">
      {[...filters, ...(every ? fromLinks(filters, chosen) : [])].map(filter => (
        <Chip key={filter.name} filter={filter} value={chosen[filter.name] ?? ''} choose={value => choose(filter.name, value)} />
      ))}
    </section>
  )
}

import { Button, Checkbox, Radio, Select } from '@mantine/core'
import { type ReactElement, useState } from 'react'
import { countries } from '../../../../../src/base/countries.ts'
import { plural } from '../../format'
import { LimitField } from '../../parts/amount-field'
import { withCurrency } from '../../parts/money'
import { MultiSelect } from '../../parts/multi-select'
import { type CatalogueEntry, useChoices } from '../../queries'

// A form for `payment_methods_enabled`: the payment methods of an account, and their limits.

type Rule = { type: 'enable_only' | 'disable_only' | 'all_accepted'; list?: string[] }
type MethodType = {
  payment_method_type: string
  card_networks?: string[]
  accepted_currencies?: Rule
  accepted_countries?: Rule
  minimum_amount?: number
  maximum_amount?: number
}
export type Enabled = { payment_method: string; payment_method_types?: MethodType[] }

const bare = <T extends object>(one: T): T => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null)) as T

/** Returns the enabled methods of an account without the members that are null. */
export const enabledOf = (methods: readonly unknown[] | null): Enabled[] | null =>
  methods &&
  (methods as Enabled[]).map(one => ({
    ...bare(one),
    ...(one.payment_method_types && { payment_method_types: one.payment_method_types.map(type => bare(type)) }),
  }))

const onlyCurrencies = ({ accepted_currencies: rule }: MethodType): readonly string[] | null =>
  rule?.type === 'enable_only' ? (rule.list ?? []) : null

function limitsOf(type: MethodType): string {
  const { card_networks, accepted_currencies: currencies, accepted_countries: countries, minimum_amount: from, maximum_amount: to } = type
  const [only] = onlyCurrencies(type) ?? []
  const amount = (one: number) =>
    only !== undefined && onlyCurrencies(type)!.length === 1 ? withCurrency(one, only) : `${one} in minor units`
  const ruled = (rule: Rule | undefined) =>
    !rule || rule.type === 'all_accepted' ? [] : [`${rule.type === 'disable_only' ? 'not ' : ''}${(rule.list ?? []).join(', ')}`]
  const limits = [
    ...(card_networks ? [card_networks.join(', ')] : []),
    ...ruled(currencies),
    ...ruled(countries),
    ...(from === undefined ? [] : [`from ${amount(from)}`]),
    ...(to === undefined ? [] : [`up to ${amount(to)}`]),
  ]
  return limits.length === 0 ? 'no limits' : limits.join(' · ')
}

const rules = [
  { value: 'all_accepted', label: 'All' },
  { value: 'enable_only', label: 'Only these' },
  { value: 'disable_only', label: 'All but these' },
]

type AcceptedProps = { label: string; rule: Rule | undefined; choices: readonly string[] | null; change(rule: Rule | undefined): void }

function Accepted({ label, rule, choices, change }: AcceptedProps): ReactElement {
  const type = rule?.type ?? 'all_accepted'
  const list = rule?.list ?? []
  return (
    <div className="row-wrap">
      <Select
        label={label}
        data={rules}
        value={type}
        allowDeselect={false}
        onChange={next => change(next === null || next === 'all_accepted' ? undefined : { type: next as Rule['type'], list })}
      />
      {type !== 'all_accepted' && (
        <MultiSelect
          className="grow"
          label={`${label}: which`}
          data={choices ?? list}
          searchable
          limit={100}
          value={list}
          onChange={next => change({ type, list: next })}
        />
      )}
    </div>
  )
}

/** Returns a copy of an object without its undefined members. */
const defined = <T extends object>(one: T): T => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)) as T

type TypeProps = { of: string; type: MethodType; change(type: MethodType): void }

function Limits({ of, type, change }: TypeProps): ReactElement {
  const { data: choices } = useChoices()
  const set = (more: Partial<MethodType>) => change(defined({ ...type, ...more }))
  const only = onlyCurrencies(type)
  return (
    <div className="limits">
      {of === 'card' && (
        <MultiSelect
          label="Card networks"
          description="None chosen: all of them"
          data={choices?.card_network ?? []}
          value={type.card_networks ?? []}
          onChange={list => set({ card_networks: list.length > 0 ? list : undefined })}
        />
      )}
      <Accepted
        label="Currencies"
        rule={type.accepted_currencies}
        choices={[...new Set(choices?.currency ?? [])]}
        change={rule => set({ accepted_currencies: rule })}
      />
      <Accepted label="Countries" rule={type.accepted_countries} choices={countries} change={rule => set({ accepted_countries: rule })} />
      <div className="row-wrap">
        <LimitField
          key={`from ${only?.join()}`}
          label="From"
          amount={type.minimum_amount ?? null}
          currencies={only}
          change={amount => set({ minimum_amount: amount ?? undefined })}
        />
        <LimitField
          key={`to ${only?.join()}`}
          label="Up to"
          amount={type.maximum_amount ?? null}
          currencies={only}
          change={amount => set({ maximum_amount: amount ?? undefined })}
        />
      </div>
    </div>
  )
}

type MethodProps = {
  method: CatalogueEntry['payment_methods'][number]
  enabled: Enabled | undefined
  change(enabled: Enabled | undefined): void
}

function Method({ method: { payment_method, payment_method_types: all }, enabled, change }: MethodProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const [limited, setLimited] = useState<string | null>(null)
  const types = enabled?.payment_method_types ?? all.map(payment_method_type => ({ payment_method_type }) as MethodType)
  const on = enabled ? types : []
  const put = (next: MethodType[]) => change(next.length > 0 ? { payment_method, payment_method_types: next } : undefined)
  return (
    <li>
      <div className="row">
        <Checkbox
          className="grow"
          label={payment_method}
          checked={enabled !== undefined}
          indeterminate={on.length > 0 && on.length < all.length}
          onChange={() => change(enabled ? undefined : { payment_method })}
        />
        <span className="muted">{enabled ? plural(on.length, 'type') : 'off'}</span>
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          aria-label={`Types and limits of ${payment_method}`}
          onClick={() => setOpen(!isOpen)}
        >
          Types and limits
        </Button>
      </div>
      {isOpen && (
        <ul className="types">
          {all.map(name => {
            const type = on.find(one => one.payment_method_type === name)
            return (
              <li key={name}>
                <div className="row">
                  <Checkbox
                    label={name}
                    checked={type !== undefined}
                    onChange={() => put(type ? on.filter(one => one !== type) : [...on, { payment_method_type: name }])}
                  />
                  <span className="grow muted break">{type ? limitsOf(type) : 'off'}</span>
                  {type && (
                    <Button
                      variant="default"
                      size="xs"
                      aria-expanded={limited === name}
                      aria-label={`Limits of ${name}`}
                      onClick={() => setLimited(limited === name ? null : name)}
                    >
                      Limits
                    </Button>
                  )}
                </div>
                {type && limited === name && (
                  <Limits of={payment_method} type={type} change={next => put(on.map(one => (one === type ? next : one)))} />
                )}
              </li>
            )
          })}
        </ul>
      )}
    </li>
  )
}

type Props = { entry: CatalogueEntry; enabled: Enabled[] | null; change(enabled: Enabled[] | null): void }

/**
 * Shows a form for the methods that an account accepts: all methods of its connector, or chosen ones with their
 * limits.
 */
export function Methods({ entry, enabled, change }: Props): ReactElement {
  return (
    <div className="stack">
      <Radio.Group
        label="Payment methods"
        value={enabled === null ? 'all' : 'some'}
        onChange={value => change(value === 'all' ? null : entry.payment_methods.map(({ payment_method }) => ({ payment_method })))}
      >
        <div className="row-wrap radios">
          <Radio value="all" label={`Everything that ${entry.name} takes`} />
          <Radio value="some" label="Only these" />
        </div>
      </Radio.Group>
      {enabled !== null && (
        <ul className="methods" aria-label="Payment methods of the account">
          {entry.payment_methods.map(method => (
            <Method
              key={method.payment_method}
              method={method}
              enabled={enabled.find(one => one.payment_method === method.payment_method)}
              change={next => {
                const others = enabled.filter(one => one.payment_method !== method.payment_method)
                change(next ? [...others, next] : others)
              }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

import { Select, TextInput } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { currencies } from '../../../../src/base/currencies.ts'
import { amountFrom } from './money'

type Props = {
  label: string
  currency: string
  value: string
  hint: ReactNode
  change(typed: string): void
  /** The largest amount that is available, and the error text for a larger amount. */
  most?: number
  tooMuch?: string
}

/**
 * Shows a field for an amount in major units. It refuses more decimals than the currency has, and more than `most`.
 */
export function AmountField({ label, currency, value, most, hint, change, tooMuch }: Props): ReactElement {
  const amount = amountFrom(value, currency)
  const isUntouched = value === '' && most === undefined
  const error = isUntouched
    ? null
    : value === '' || amount === 0
      ? 'Type an amount'
      : amount === null
        ? `Not an amount in ${currency}`
        : most !== undefined && amount > most
          ? tooMuch
          : null
  return (
    <TextInput
      label={`${label} in ${currency}`}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      onChange={event => change(event.currentTarget.value)}
      error={error}
      inputMode="decimal"
      autoComplete="off"
      data-autofocus
    />
  )
}

type Typed = { typed: string; currency: string }

/** Returns the typed amount in the lowest denomination, or null if it is zero or not an amount. */
export const amountOf = ({ typed, currency }: Typed): number | null => amountFrom(typed, currency) || null

/** Shows fields for an amount and its currency. */
export function MoneyFields({ value, change }: { value: Typed; change(value: Typed): void }): ReactElement {
  const amount = amountOf(value)
  return (
    <div className="money-fields">
      <AmountField
        label="Amount"
        currency={value.currency}
        value={value.typed}
        hint={amount === null ? 'In the unit that is written, as 12.50' : `amount ${amount}`}
        change={typed => change({ ...value, typed })}
      />
      <Select
        label="Currency"
        data={Object.keys(currencies)}
        value={value.currency}
        onChange={currency => change({ ...value, currency: currency ?? value.currency })}
        allowDeselect={false}
        searchable
      />
    </div>
  )
}

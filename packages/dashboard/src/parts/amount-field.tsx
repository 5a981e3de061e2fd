import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'
import { currencies } from '../../../../src/base/currencies.ts'
import { Choice, TextField } from './inputs'
import { amountFrom, decimalsOf, forField } from './money'

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
    <TextField
      label={`${label} in ${currency}`}
      hint={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      change={change}
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
      <Choice
        label="Currency"
        data={Object.keys(currencies)}
        value={value.currency}
        change={currency => change({ ...value, currency })}
        searchable
      />
    </div>
  )
}

/**
 * Returns a currency whose decimals apply to an amount, if all these currencies have the same number of decimals. Else
 * null: the amount is then typed in the lowest denomination, because it means another amount in each currency.
 */
function unitOf(currencies: readonly string[] | null): string | null {
  const [first] = currencies ?? []
  if (first === undefined) return null
  return currencies!.every(one => decimalsOf(one) === decimalsOf(first)) ? first : null
}

type LimitProps = {
  label: string
  /** Whether the label is hidden visually, for several fields in one line. */
  isBare?: boolean
  amount: number | null
  currencies: readonly string[] | null
  change(amount: number | null): void
}

/**
 * Shows a field for an amount without its own currency: a limit, or the value of a rule's condition. Empty means no
 * limit.
 */
export function LimitField({ label, isBare, amount, currencies, change }: LimitProps): ReactElement {
  const unit = unitOf(currencies)
  const counted = unit ?? 'JPY'
  const [typed, setTyped] = useState(amount === null ? '' : forField(amount, counted))
  const read = typed.trim() === '' ? null : amountFrom(typed, counted)
  const isWrong = typed.trim() !== '' && read === null
  const hint =
    unit === null ? 'in the lowest denomination: 5000 is 50.00 EUR' : `${currencies!.length > 1 ? 'in major units, as of ' : 'in '}${unit}`
  return (
    <TextField
      {...(isBare ? { 'aria-label': `${label}, ${hint}`, title: hint } : { label, description: hint })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode="decimal"
      autoComplete="off"
      placeholder={unit === null ? '5000' : `${forField(5000, unit)} ${unit}`}
      value={typed}
      error={isWrong ? `Not an amount${unit === null ? '' : ` in ${unit}`}` : null}
      change={text => {
        setTyped(text)
        const next = text.trim() === '' ? null : amountFrom(text, counted)
        if (text.trim() === '' || next !== null) change(next)
      }}
    />
  )
}

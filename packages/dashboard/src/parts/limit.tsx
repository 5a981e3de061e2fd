import { TextInput } from '@mantine/core'
import { type ReactElement, useState } from 'react'
import { amountFrom, decimalsOf, forField } from './money'

/**
 * Returns a currency whose decimals apply to an amount, if all these currencies have the same number of decimals. Else
 * null: the amount is then typed in the lowest denomination, because it means another amount in each currency.
 */
function unitOf(currencies: readonly string[] | null): string | null {
  const [first] = currencies ?? []
  if (first === undefined) return null
  return currencies!.every(one => decimalsOf(one) === decimalsOf(first)) ? first : null
}

type Props = {
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
export function LimitField({ label, isBare, amount, currencies, change }: Props): ReactElement {
  const unit = unitOf(currencies)
  const counted = unit ?? 'JPY'
  const [typed, setTyped] = useState(amount === null ? '' : forField(amount, counted))
  const read = typed.trim() === '' ? null : amountFrom(typed, counted)
  const isWrong = typed.trim() !== '' && read === null
  const hint =
    unit === null ? 'in the lowest denomination: 5000 is 50.00 EUR' : `${currencies!.length > 1 ? 'in major units, as of ' : 'in '}${unit}`
  return (
    <TextInput
      {...(isBare ? { 'aria-label': `${label}, ${hint}`, title: hint } : { label, description: hint })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode="decimal"
      autoComplete="off"
      placeholder={unit === null ? '5000' : `${forField(5000, unit)} ${unit}`}
      value={typed}
      error={isWrong ? `Not an amount${unit === null ? '' : ` in ${unit}`}` : null}
      onChange={event => {
        const text = event.currentTarget.value
        setTyped(text)
        const next = text.trim() === '' ? null : amountFrom(text, counted)
        if (text.trim() === '' || next !== null) change(next)
      }}
    />
  )
}

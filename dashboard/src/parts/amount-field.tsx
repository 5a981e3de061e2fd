import { TextInput } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { amountFrom } from './money'

type Props = { label: string; currency: string; value: string; most: number; hint: ReactNode; change(typed: string): void; tooMuch: string }

/** An amount in major units, exact: refuses more decimals than the currency has, and more than there is. */
export function AmountField({ label, currency, value, most, hint, change, tooMuch }: Props): ReactElement {
  const amount = amountFrom(value, currency)
  const error =
    value === '' || amount === 0 ? 'Type an amount' : amount === null ? `Not an amount in ${currency}` : amount > most ? tooMuch : null
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

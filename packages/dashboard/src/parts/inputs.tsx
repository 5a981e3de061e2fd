import { Select, type SelectProps, TextInput, type TextInputProps } from '@mantine/core'
import type { ReactElement } from 'react'

// Inputs that hand over their value. The others are Mantine's own.

type TextProps = Omit<TextInputProps, 'onChange' | 'value' | 'description'> & {
  hint?: TextInputProps['description']
  value: string
  change(value: string): void
}

export const TextField = ({ hint, change, ...props }: TextProps): ReactElement => (
  <TextInput description={hint} onChange={event => change(event.currentTarget.value)} {...props} />
)

type ChoiceProps<Value extends string> = Omit<SelectProps, 'onChange' | 'value' | 'data'> & {
  data: readonly (NoInfer<Value> | { value: NoInfer<Value>; label: string })[]
  value: Value
  change(value: NoInfer<Value>): void
}

/** Shows a select of one value, which is always set. */
export const Choice = <Value extends string>({ data, change, ...props }: ChoiceProps<Value>): ReactElement => (
  <Select data={[...data]} onChange={value => value !== null && change(value as Value)} allowDeselect={false} {...props} />
)

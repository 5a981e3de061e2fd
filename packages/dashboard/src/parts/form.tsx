import { Select, Switch, Textarea } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import type { Failure } from '../api'
import { TextField } from './inputs'
import { MultiSelect } from './multi-select'

// Forms that are made from a table of fields: each field's input, and its value in the request.

type Kind = 'text' | 'secret' | 'whole' | 'decimal' | 'switch' | 'one of' | 'any of' | 'lines' | 'json'

export type FormField = {
  /** The field's path in the request, with dots: `webhook_details.webhook_url`. Refusals name fields by this path. */
  name: string
  label: string
  hint?: ReactNode
  kind: Kind
  choices?: readonly string[]
  required?: boolean
}
export type FormValue = string | boolean | readonly string[]
export type FormValues = Readonly<Record<string, FormValue>>

/** The content of a field: a value to send, nothing, or the reason why the text is not a value. */
export type Read = { is: 'value'; value: unknown } | { is: 'nothing' } | { is: 'wrong'; why: string }

function readJson(text: string): Read {
  try {
    return { is: 'value', value: JSON.parse(text) }
  } catch (why) {
    return { is: 'wrong', why: `Not JSON: ${(why as Error).message}` }
  }
}

/** Reads the value of a field in the form that the interface accepts. */
export function readField({ kind }: FormField, value: FormValue | undefined): Read {
  if (value === undefined) return { is: 'nothing' }
  if (typeof value !== 'string') return { is: 'value', value }
  const text = value.trim()
  if (kind === 'lines') return { is: 'value', value: text.split('\n').flatMap(line => line.trim() || []) }
  if (text === '') return { is: 'nothing' }
  if (kind === 'whole') return /^-?\d+$/.test(text) ? { is: 'value', value: Number(text) } : { is: 'wrong', why: 'Not a whole number' }
  if (kind === 'decimal') return Number.isFinite(Number(text)) ? { is: 'value', value: Number(text) } : { is: 'wrong', why: 'Not a number' }
  return kind === 'json' ? readJson(text) : { is: 'value', value: kind === 'secret' ? value : text }
}

/** Returns a value of the interface in the form that its field shows. */
export function shownIn({ kind }: FormField, value: unknown): FormValue {
  if (kind === 'switch') return value === true
  if (kind === 'any of') return Array.isArray(value) ? value.map(String) : []
  if (value === null || value === undefined) return ''
  if (kind === 'lines') return Array.isArray(value) ? value.join('\n') : ''
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

const isNamed = (text: string, name: string): boolean => {
  const at = text.indexOf(name)
  return at >= 0 && !/[\w.]/.test(text[at - 1] ?? ' ') && !/\w/.test(text[at + name.length] ?? ' ')
}

/** Returns the error texts of a refusal by field, in the service's own words. Refusals name fields by their paths. */
export function fieldErrors(failure: Failure | null, names: readonly string[]): Readonly<Record<string, string>> {
  if (failure === null || failure.isLost) return {}
  const longestFirst = names.toSorted((a, b) => b.length - a.length)
  const errors: Record<string, string> = {}
  for (const { field, message, help } of failure.errors) {
    const text = `${message} ${help ?? ''}`
    const name = longestFirst.find(one => one === field) ?? longestFirst.find(one => isNamed(text, one))
    if (name !== undefined) errors[name] ??= help === null ? message : `${message}. ${help}`
  }
  return errors
}

type Props = {
  field: FormField
  value: FormValue | undefined
  change(value: FormValue): void
  error?: string | undefined
  disabled?: boolean
}

export function Field({ field, value, change, error, disabled }: Props): ReactElement {
  const { kind, label, hint, required, choices = [] } = field
  const shared = {
    label,
    description: hint,
    error: error ?? null,
    disabled,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
  }
  const typed = typeof value === 'string' ? value : ''
  if (kind === 'switch')
    return (
      <Switch
        label={label}
        description={hint}
        error={error ?? null}
        disabled={disabled}
        checked={value === true}
        onChange={event => change(event.currentTarget.checked)}
      />
    )
  if (kind === 'one of')
    return <Select {...shared} data={choices} value={typed || null} onChange={one => change(one ?? '')} clearable={!required} searchable />
  if (kind === 'any of')
    return (
      <MultiSelect
        {...shared}
        data={choices}
        value={Array.isArray(value) ? [...value] : []}
        onChange={change}
        searchable
        placeholder={Array.isArray(value) && value.length > 0 ? '' : 'None'}
      />
    )
  if (kind === 'lines' || kind === 'json')
    return (
      <Textarea
        {...shared}
        value={typed}
        onChange={event => change(event.currentTarget.value)}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
    )
  return (
    <TextField
      {...shared}
      withAsterisk={required}
      value={typed}
      change={change}
      type={kind === 'secret' ? 'password' : 'text'}
      inputMode={kind === 'whole' ? 'numeric' : kind === 'decimal' ? 'decimal' : undefined}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      spellCheck={false}
    />
  )
}

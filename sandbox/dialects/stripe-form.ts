// Stripe's form bodies: `card[number]=…&expand[]=latest_charge`, parsed into objects and lists, and then read member
// by member.

import { StripeRefusal } from './stripe-refusals.ts'

export type Form = { [name: string]: string | Form }

export function readForm(raw: unknown): Form {
  const form: Form = Object.create(null)
  for (const [path, value] of new URLSearchParams(typeof raw === 'string' ? raw : '')) {
    const names = path.split(/\]?\[|\]$/).filter((name, i, all) => name !== '' || i < all.length - 1)
    let place = form
    for (const name of names.slice(0, -1)) {
      if (typeof place[name] !== 'object') place[name] = Object.create(null)
      place = place[name] as Form
    }
    const last = names.at(-1) ?? ''
    place[last === '' ? String(Object.keys(place).length) : last] = value
  }
  return form
}

const invalid = (code: string, message: string, param: string) =>
  new StripeRefusal(400, { type: 'invalid_request_error', code, message, param })

/** Refuses (400) members that are not listed, as Stripe does, and empty strings. */
export function only(form: Form, names: readonly string[], within = ''): void {
  for (const [name, value] of Object.entries(form)) {
    const param = within === '' ? name : `${within}[${name}]`
    if (!names.includes(name)) throw invalid('parameter_unknown', `Received unknown parameter: ${param}`, param)
    if (value === '') throw invalid('parameter_invalid_empty', `You passed an empty string for '${param}'.`, param)
  }
}

export function text(form: Form, name: string): string | null {
  const value = form[name]
  if (value === undefined) return null
  if (typeof value === 'string') return value
  throw invalid('parameter_invalid_string_blank', `Invalid string: ${name}`, name)
}

export const need = (form: Form, name: string): string => {
  const value = text(form, name)
  if (value === null) throw invalid('parameter_missing', `Missing required param: ${name}.`, name)
  return value
}

export function word<Word extends string>(form: Form, name: string, allowed: readonly Word[], usual: Word): Word {
  const given = text(form, name) ?? usual
  const known = allowed.find(one => one === given)
  if (known === undefined) throw invalid('parameter_unknown', `Invalid ${name}: must be one of ${allowed.join(', ')}`, name)
  return known
}

export const flag = (form: Form, name: string, usual = false): boolean =>
  word(form, name, ['true', 'false'], usual ? 'true' : 'false') === 'true'

export function integer(form: Form, name: string): number | null {
  const value = text(form, name)
  if (value === null) return null
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw invalid('parameter_invalid_integer', `Invalid integer: ${value}`, name)
}

export function nested(form: Form, name: string): Form {
  const value = form[name] ?? {}
  if (typeof value === 'object') return value
  throw invalid('parameter_invalid_object', `Invalid object`, name)
}

export const list = (form: Form, name: string): string[] => Object.values(nested(form, name)).filter(value => typeof value === 'string')

/**
 * Reads metadata: at most 50 pairs, with names of at most 40 and values of at most 500 characters. An empty value
 * removes its pair.
 */
export function metadataOf(form: Form, before: Record<string, string> = {}): Record<string, string> {
  const after = { ...before }
  for (const [name, value] of Object.entries(nested(form, 'metadata'))) {
    if (typeof value !== 'string' || value.length > 500 || name.length > 40)
      throw invalid('parameter_invalid_string', 'Metadata keys can have up to 40 characters, and values up to 500', `metadata[${name}]`)
    if (value === '') delete after[name]
    else after[name] = value
  }
  if (Object.keys(after).length > 50) throw invalid('metadata_too_large', 'Metadata can hold at most 50 pairs', 'metadata')
  return after
}

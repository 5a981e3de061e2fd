import { refuse } from '../base/refusal.ts'

/**
 * What stands at the door: whatever PostgreSQL could not store or JSON could not give back unchanged is refused here, by name. So nothing that a caller sends raises an error in
 * SQL, and nothing is silently altered.
 */

const DEEPEST = 20

/** Members whose inside is the merchant's own: kept as it is, with its nulls and empty texts. */
const free = new Set(['metadata', 'frm_metadata'])

/** Reads a body. An empty one is `{}`. Refuses (400 IR_06) what is not JSON, or not an object. */
export function readBody(raw: Buffer | undefined, contentType: string | undefined): Record<string, unknown> {
  if (!raw || raw.length === 0) return {}
  if (contentType === undefined || !/^application\/(?:[\w.+-]*\+)?json\b/i.test(contentType))
    refuse('unreadable', { field: null, words: 'The content-type must be application/json' })
  let body: unknown
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw)
  } catch {
    return refuse('unreadable', { field: null, words: 'The body is not UTF-8' })
  }
  try {
    body = JSON.parse(text)
  } catch {
    return refuse('unreadable', { field: null, words: 'The body is not JSON' })
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    refuse('unreadable', { field: null, words: 'The body must be a JSON object' })
  let fractions = false
  body = clean(body, '', 0, false, () => {
    fractions = true
  })
  // Fractions are rare here; only then is the text looked at again, for digits that a double cannot hold.
  if (fractions) JSON.parse(text, checkDigits)
  return body as Record<string, unknown>
}

/** An absent member, `null` and `""` mean the same, except in what is the merchant's own. */
function clean(value: unknown, path: string, depth: number, own: boolean, sawFraction: () => void): unknown {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) refuse('unreadable', { field: path, words: 'must not hold U+0000' })
    if (!value.isWellFormed()) refuse('unreadable', { field: path, words: 'must not hold half of a surrogate pair' })
  } else if (typeof value === 'number') {
    if (!Number.isInteger(value)) sawFraction()
    else if (!Number.isSafeInteger(value)) refuse('precondition', { words: `${path} must be within ±${Number.MAX_SAFE_INTEGER}` })
  } else if (value !== null && typeof value === 'object') {
    if (depth >= DEEPEST) refuse('unreadable', { field: path, words: `is nested deeper than ${DEEPEST} levels` })
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) value[i] = clean(value[i], `${path}[${i}]`, depth + 1, own, sawFraction)
    } else {
      const object = value as Record<string, unknown>
      for (const name of Object.keys(object)) {
        const here = path === '' ? name : `${path}.${name}`
        clean(name, path === '' ? 'a member name' : `a member name of ${path}`, depth, true, sawFraction)
        if (name === '__proto__') refuse('unreadable', { field: here, words: 'is not a name that can be kept' })
        const member = object[name]
        if (!own && (member === null || member === '')) delete object[name]
        else object[name] = clean(member, here, depth + 1, own || (depth === 0 && free.has(name)), sawFraction)
      }
    }
  }
  return value
}

const DIGITS_OF_A_DOUBLE = 15

function checkDigits(name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number' && !Number.isInteger(value) && context?.source !== undefined) {
    const digits = context.source
      .replace(/[eE].*$/, '')
      .replace(/\D/g, '')
      .replace(/^0+/, '')
    if (digits.length > DIGITS_OF_A_DOUBLE || !Number.isFinite(value))
      refuse('unreadable', { field: name, words: `has more than ${DIGITS_OF_A_DOUBLE} digits; send it as text` })
  }
  return value
}

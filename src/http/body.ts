import { holdsCardNumber } from '../base/card-number.ts'
import { refuse } from '../base/refusal.ts'
import { fieldName } from '../base/shapes.ts'
import { sealedPlaces } from '../instruments/input.ts'
import { recipientPlaces } from '../instruments/recipients.ts'
import { placeOfMistake } from './json-mistake.ts'

/**
 * Validation of every body: values that PostgreSQL could not store, or JSON could not return unchanged, are refused
 * here by name. So nothing that a caller sends raises an error in SQL, and nothing is silently altered. Nor does a
 * card number come in, except where one belongs.
 */

const DEEPEST = 20

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Members whose inside is the merchant's own: kept as it is, with its nulls and empty texts. */
const free = new Set(['metadata', 'frm_metadata'])

/**
 * Reads a body. An empty one is `{}`. Refuses (400 IR_06) what is not JSON, or not an object (or, where that is
 * wanted, an array).
 */
export function readBody(raw: Buffer, contentType: string | undefined, wanted: 'object' | 'array' = 'object'): Record<string, unknown> {
  if (raw.length === 0) return {}
  if (contentType === undefined || !/^application\/(?:[\w.+-]*\+)?json\s*(?:;|$)/i.test(contentType))
    refuse('unreadable', { field: null, words: 'The content-type must be application/json' })
  let body: unknown
  let text: string
  try {
    text = utf8.decode(raw)
  } catch {
    return refuse('unreadable', { field: null, words: 'The body is not UTF-8' })
  }
  try {
    body = JSON.parse(text)
  } catch {
    return refuse('unreadable', { field: null, words: `The body is not JSON: ${placeOfMistake(text)}` })
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body) !== (wanted === 'array'))
    refuse('unreadable', { field: null, words: wanted === 'array' ? 'The body must be a JSON array' : 'The body must be a JSON object' })
  // Only an escape can bring U+0000 or half of a surrogate pair: as they are, neither JSON nor UTF-8 has room for them.
  const walk: Walk = { path: [], members: 0, escapes: text.includes('\\u') }
  body = clean(body, walk, false)
  // What `JSON.parse` drops without a word is looked for in the text: both are rare, so the text is first only skimmed.
  const written = skim(text)
  if (written.members !== walk.members) refuse('unreadable', { field: memberGivenTwice(text), words: 'is given twice' })
  if (written.fractions) checkDigits(text)
  return body as Record<string, unknown>
}

/** `path`: where we are. `members`: how many were seen. `escapes`: texts may hold what cannot be kept. */
type Walk = { path: (string | number)[]; members: number; escapes: boolean }

/**
 * An absent member, `null` and `""` mean the same, except in what is the merchant's `own`; the security code of a
 * card that is nothing is one that was lost on the way. No closure is made here, not even for a refusal: what it would
 * hold is allocated anew for each of a body's hundred values.
 */
function clean(value: unknown, walk: Walk, own: boolean): unknown {
  if (typeof value === 'string') {
    if (walk.escapes) checkText(value, walk.path, 'value')
    if (holdsCardNumber(value) && !belongs(walk.path)) misplaced(fieldName(walk.path))
  } else if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      refuse('precondition', { words: `${fieldName(walk.path)} must be within ±${Number.MAX_SAFE_INTEGER}` })
    if (value >= SMALLEST_CARD_NUMBER && holdsCardNumber(String(value))) misplaced(fieldName(walk.path))
  } else if (value !== null && typeof value === 'object') {
    const { path } = walk
    if (path.length >= DEEPEST) refuse('unreadable', { field: fieldName(path), words: `is nested more than ${DEEPEST} levels deep` })
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        path.push(i)
        value[i] = clean(value[i], walk, own)
        path.pop()
      }
    } else {
      const object = value as Record<string, unknown>
      for (const name in object) {
        walk.members++
        if (walk.escapes) checkText(name, path, 'name')
        if (holdsCardNumber(name)) misplaced(nameOf(path))
        path.push(name)
        if (name === '__proto__') refuse('unreadable', { field: fieldName(path), words: 'is not a valid name' })
        const member = object[name]
        if (!own && (member === null || (member === '' && !(name === 'card_cvc' && path.at(-2) === 'card')))) {
          if (member === null && sayByNull.has(name)) object[name] = {}
          else delete object[name]
        } else if (typeof member === 'object') object[name] = clean(member, walk, own || (path.length === 1 && free.has(name)))
        else clean(member, walk, own)
        path.pop()
      }
    }
  }
  return value
}

/**
 * Of these it says something that they are null: a mandate for many charges without any limit. It is the same as that
 * none is named.
 */
const sayByNull = new Set(['multi_use'])

const nameOf = (path: readonly (string | number)[]): string => (path.length === 0 ? 'a member name' : `a member name of ${fieldName(path)}`)

const SMALLEST_CARD_NUMBER = 1e13

/**
 * Beside what is paid with (`instruments/`), where numbers that are easily taken for a card's are sealed by the vault.
 */
const sealedInside = new Set<unknown>([
  'connector_account_details',
  'connector_webhook_details',
  'connector_wallets_details',
  'additional_merchant_data',
  'network_tokenization_credentials',
  'outgoing_webhook_custom_http_headers',
])
const belongs = (path: readonly (string | number)[]): boolean => {
  if (sealedInside.has(path[0]) || (path[0] === 'merchant_connector_details' && sealedInside.has(path[2]))) return true
  const place = path.join('.')
  return sealedPlaces.has(place) || recipientPlaces.has(place)
}

const ofCards = [...sealedPlaces].filter(place => place.endsWith('card_number'))

/** Refuses a card number without quoting it. */
export function misplaced(field: string): never {
  refuse('unreadable', {
    field,
    words: `looks like a card number, which is only allowed in ${ofCards.join(' or ')}; if it is not one, put a letter in front of it`,
  })
}

/** Refuses text that cannot be kept: the value at this path, or the name of a member there. */
function checkText(text: string, path: readonly (string | number)[], is: 'value' | 'name'): void {
  const words = text.includes('\u0000') ? 'must not contain U+0000' : text.isWellFormed() ? null : 'must not contain an unpaired surrogate'
  if (words !== null) refuse('unreadable', { field: is === 'name' ? nameOf(path) : fieldName(path), words })
}

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const POINT = 0x2e

/**
 * The end of the text literal that begins at `open`: the place after its closing quote. Only for text that is known
 * to be JSON. Most are so short that a look at each character is over before `indexOf` has begun.
 */
function endOfLiteral(text: string, open: number): number {
  for (let i = open + 1; ; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return i + 1
    if (code === BACKSLASH) i++
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** How many members JSON text names, and whether it writes a number otherwise than in plain digits (`1.5`, `1e3`). */
function skim(text: string): { members: number; fractions: boolean } {
  let members = 0
  let fractions = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      i = endOfLiteral(text, i)
      while (isSpace(text.charCodeAt(i))) i++
      if (text.charCodeAt(i) === COLON) members++
      else i--
    } else if (code === POINT || ((code | 0x20) === 0x65 && isDigit(text.charCodeAt(i - 1)))) fractions = true
  }
  return { members, fractions }
}

/** The path (without indices) of a member that an object of this JSON text names a second time. */
function memberGivenTwice(text: string): string {
  const objects: { names: Set<string>; latest: string }[] = []
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '{') objects.push({ names: new Set(), latest: '' })
    else if (char === '}') objects.pop()
    else if (char === '"') {
      const end = endOfLiteral(text, i)
      let next = end
      while (isSpace(text.charCodeAt(next))) next++
      if (text.charCodeAt(next) === COLON) {
        const object = objects[objects.length - 1]!
        object.latest = JSON.parse(text.slice(i, end)) as string
        if (object.names.has(object.latest)) return objects.map(one => one.latest).join('.')
        object.names.add(object.latest)
      }
      i = end - 1
    }
  }
  return 'a member'
}

const DIGITS_OF_A_DOUBLE = 15
const SMALLEST_WITH_ALL_DIGITS = 2 ** -1022

/** Refuses numbers that a double does not hold as they are written. Plain whole numbers were looked at already. */
function checkDigits(text: string): void {
  const bad = Symbol('bad')
  const marked: unknown = JSON.parse(text, (_name: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && !isHeld(value, context.source) ? bad : value,
  )
  const field = pathOf(marked, bad, '')
  if (field !== null)
    refuse('unreadable', { field, words: `has more than ${DIGITS_OF_A_DOUBLE} digits, or is out of range; send it as a string` })
}

function isHeld(value: number, source: string): boolean {
  if (/^-?\d+$/.test(source)) return true
  const [mantissa] = source.split(/[eE]/)
  const digits = mantissa!.replace(/\D/g, '').replace(/^0+/, '')
  if (digits === '') return true
  const significant = mantissa!.includes('.') ? digits.replace(/0+$/, '') : digits
  return significant.length <= DIGITS_OF_A_DOUBLE && Number.isFinite(value) && Math.abs(value) >= SMALLEST_WITH_ALL_DIGITS
}

/** Where in a value something stands; null if nowhere. */
function pathOf(value: unknown, wanted: symbol, path: string): string | null {
  if (value === wanted) return path
  if (value === null || typeof value !== 'object') return null
  for (const [name, member] of Object.entries(value)) {
    const here = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    const found = pathOf(member, wanted, here)
    if (found !== null) return found
  }
  return null
}

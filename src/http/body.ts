import { holdsCardNumber } from '../base/card-number.ts'
import { refuse } from '../base/refusal.ts'
import { fieldName } from '../base/shapes.ts'
import { sealedPlaces } from '../instruments/input.ts'
import { recipientPlaces } from '../instruments/recipients.ts'
import { placeOfMistake } from './json-mistake.ts'

/**
 * Validation of every body. Values that PostgreSQL could not store, or that JSON could not return unchanged, are
 * refused here with the field's name, so that no value of a caller raises an error in SQL and none is silently
 * altered. A card number is refused outside the fields made for card numbers.
 */

const DEEPEST = 20

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The members whose content is the merchant's own: stored unchanged, with its nulls and empty texts. */
const free = new Set(['metadata', 'frm_metadata'])

/** An empty body is `{}`. Refuses (400 IR_06) a body that is not JSON, or not an object (or array, if wanted). */
export function readBody(raw: Buffer, contentType: string | undefined, wanted: 'object' | 'array' = 'object'): Record<string, unknown> {
  if (raw.length === 0) return {}
  if (contentType === undefined || !/^application\/(?:[\w.+-]*\+)?json\s*(?:;|$)/i.test(contentType))
    refuse('unreadable', { field: null, problem: 'The content-type must be application/json' })
  let body: unknown
  let text: string
  try {
    text = utf8.decode(raw)
  } catch {
    return refuse('unreadable', { field: null, problem: 'The body is not UTF-8' })
  }
  try {
    body = JSON.parse(text)
  } catch {
    return refuse('unreadable', { field: null, problem: `The body is not JSON: ${placeOfMistake(text)}` })
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body) !== (wanted === 'array'))
    refuse('unreadable', { field: null, problem: wanted === 'array' ? 'The body must be a JSON array' : 'The body must be a JSON object' })
  // Only an escape can contain U+0000 (JSON) or half of a surrogate pair (UTF-8).
  const walk: Walk = { path: [], members: 0, escapes: text.includes('\\u') }
  body = clean(body, walk, false)
  // `JSON.parse` drops duplicate members and excess digits silently. Both are rare: the text is first skimmed.
  const written = skim(text)
  if (written.members !== walk.members) refuse('unreadable', { field: memberGivenTwice(text), problem: 'is given twice' })
  if (written.fractions) checkDigits(text)
  return body as Record<string, unknown>
}

/** `path`: of the current value. `members`: seen so far. `escapes`: texts may contain what cannot be stored. */
type Walk = { path: (string | number)[]; members: number; escapes: boolean }

/**
 * Cleans a body: an absent member, `null` and `""` mean the same, except in content of the merchant's `own`. An empty
 * security code of a card is kept, because it means that the code was lost on the way. This function creates no
 * closure, not even for a refusal: a closure's variables would be allocated for each of the hundred values of a body.
 */
function clean(value: unknown, walk: Walk, own: boolean): unknown {
  if (typeof value === 'string') {
    if (walk.escapes) checkText(value, walk.path, 'value')
    if (holdsCardNumber(value) && !belongs(walk.path)) misplaced(fieldName(walk.path))
  } else if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      refuse('precondition', { problem: `${fieldName(walk.path)} must be within ±${Number.MAX_SAFE_INTEGER}` })
    if (value >= SMALLEST_CARD_NUMBER && holdsCardNumber(String(value))) misplaced(fieldName(walk.path))
  } else if (value !== null && typeof value === 'object') {
    const { path } = walk
    if (path.length >= DEEPEST) refuse('unreadable', { field: fieldName(path), problem: `is nested more than ${DEEPEST} levels deep` })
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
        if (name === '__proto__') refuse('unreadable', { field: fieldName(path), problem: 'is not a valid name' })
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

/** Null has a meaning here, that of an empty object: a mandate for many charges without any limit. */
const sayByNull = new Set(['multi_use'])

const nameOf = (path: readonly (string | number)[]): string => (path.length === 0 ? 'a member name' : `a member name of ${fieldName(path)}`)

const SMALLEST_CARD_NUMBER = 1e13

/** Outside `instruments/`: may resemble card numbers, because the vault encrypts these members. */
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

/** Refuses a card number in the wrong field, without quoting the number. */
export function misplaced(field: string): never {
  refuse('unreadable', {
    field,
    problem: `looks like a card number, which is only allowed in ${ofCards.join(' or ')}; if it is not one, put a letter in front of it`,
  })
}

/** Refuses text that cannot be stored: the value at this path, or a member name of the object at this path. */
function checkText(text: string, path: readonly (string | number)[], is: 'value' | 'name'): void {
  const fault = text.includes('\u0000') ? 'must not contain U+0000' : text.isWellFormed() ? null : 'must not contain an unpaired surrogate'
  if (fault !== null) refuse('unreadable', { field: is === 'name' ? nameOf(path) : fieldName(path), problem: fault })
}

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const POINT = 0x2e

/** From `open` to after the closing quote, in valid JSON. By character: most literals are too short for `indexOf`. */
function endOfLiteral(text: string, open: number): number {
  for (let i = open + 1; ; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return i + 1
    if (code === BACKSLASH) i++
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** How many members JSON text names, and whether a number is not in plain digits (`1.5`, `1e3`). */
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

/** Returns the path (without indices) of a member that an object of this JSON text names twice. */
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

/** Refuses numbers that a double cannot hold exactly as written. Plain whole numbers are checked before. */
function checkDigits(text: string): void {
  const bad = Symbol('bad')
  const marked: unknown = JSON.parse(text, (_name: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && !isHeld(value, context.source) ? bad : value,
  )
  const field = pathOf(marked, bad, '')
  if (field !== null)
    refuse('unreadable', { field, problem: `has more than ${DIGITS_OF_A_DOUBLE} digits, or is out of range; send it as a string` })
}

function isHeld(value: number, source: string): boolean {
  if (/^-?\d+$/.test(source)) return true
  const [mantissa] = source.split(/[eE]/)
  const digits = mantissa!.replace(/\D/g, '').replace(/^0+/, '')
  if (digits === '') return true
  const significant = mantissa!.includes('.') ? digits.replace(/(?<!0)0+$/, '') : digits
  return significant.length <= DIGITS_OF_A_DOUBLE && Number.isFinite(value) && Math.abs(value) >= SMALLEST_WITH_ALL_DIGITS
}

/** Returns the path of a value within another value; null if it is not found. */
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

import { holdsCardNumber, withoutCardNumbers } from '../../base/card-number.ts'
import type { Secret } from '../../base/secret.ts'

/** Removes known secrets, in every spelling, and card numbers from texts. */

export const BLANK = '[redacted]'
const LONGEST_VALUE = 256

export type Clean = (text: string) => string

/** Shorter secrets occur in other texts by chance: they are removed only as whole words. */
const SHORTEST_SECRET = 6

/** `texts`: exactly; `letters`: with punctuation ignored; `words`: only as whole words. */
type Wanted = { texts: string[]; letters: string[]; words: string[] }

/** An account's secrets are the same for each of its payments. */
const wanted = new WeakMap<Secret, Wanted>()

function wantedOf(secret: Secret | string): Wanted {
  const known = typeof secret === 'string' ? undefined : wanted.get(secret)
  if (known) return known
  const made = spelled(typeof secret === 'string' ? secret : secret.reveal())
  if (typeof secret !== 'string') wanted.set(secret, made)
  return made
}

function spelled(secret: string): Wanted {
  if (secret.trim().length <= 1) return { texts: [], letters: [], words: [] }
  if (secret.length < SHORTEST_SECRET) return { texts: [], letters: [], words: spellings(secret) }
  const letters = lettersOf(secret)
  return { texts: spellings(secret), letters: letters.length < SHORTEST_SECRET ? [] : [letters, reversed(letters)], words: [] }
}

const percent = (hex: string): string => hex.replace(/../g, '%$&')

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64')
  const hex = bytes.toString('hex')
  const percents = [percent(hex), percent(hex).toUpperCase(), encodeURIComponent(secret.toWellFormed())]
  return [secret, base64, base64.replace(/(?<!=)=+$/, ''), bytes.toString('base64url'), hex, hex.toUpperCase(), ...percents]
}

const reversed = (text: string): string => [...text].reverse().join('')

/** Unless that changes its length. */
function lowered(text: string): string {
  const small = text.toLowerCase()
  return small.length === text.length ? small : text
}

const isLetterOrDigit = (code: number): boolean => (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a)

/** Without a regular expression, which would be compiled anew for each card. */
function firstWord(text: string, words: readonly string[], from: number): { at: number; end: number } | null {
  let found: { at: number; end: number } | null = null
  for (const word of words)
    for (let at = text.indexOf(word, from); at >= 0 && (found === null || at < found.at); at = text.indexOf(word, at + 1)) {
      const end = at + word.length
      if ((at > 0 && isLetterOrDigit(text.charCodeAt(at - 1))) || (end < text.length && isLetterOrDigit(text.charCodeAt(end)))) continue
      found = { at, end }
      break
    }
  return found
}

function withoutWords(text: string, words: readonly string[]): string {
  const small = lowered(text)
  let clean = ''
  let from = 0
  for (let found = firstWord(small, words, 0); found; found = firstWord(small, words, from)) {
    clean += text.slice(from, found.at) + BLANK
    from = found.end
  }
  return from === 0 ? text : clean + text.slice(from)
}

/** Returns the letters and digits of a text alone, in lower case: punctuation between letters hides no secret. */
const lettersOf = (text: string | Buffer): string =>
  (typeof text === 'string' ? text : text.toString('latin1')).toLowerCase().replace(/[^a-z0-9]+/g, '')

/** base64, base64url or hex. */
const CODED = /[A-Za-z0-9+/_-]{12,}={0,2}/g
const SHORTEST_CODED = 12

const decodings = (run: string): Buffer[] => [
  ...[0, 1, 2, 3].map(at => Buffer.from(at === 0 ? run : run.slice(at), 'base64')),
  ...(/^[0-9A-Fa-f]{2}/.test(run) ? [Buffer.from(run, 'hex')] : []),
]

const DIGITS_OF_A_CARD = 14

/** With the Latin-1 digits outside ASCII (one half, squared). */
function mayHoldCard(bytes: Buffer): boolean {
  let digits = 0
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i]!
    if ((code >= 0x30 && code <= 0x39) || (code >= 0xb2 && code <= 0xbe)) digits++
  }
  return digits >= DIGITS_OF_A_CARD
}

const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const ORDINARY = /^[A-Za-z_.-]{1,64}$/
const REMEMBERED = 5_000
/** Names are the same in every body. A blank separates two readings. */
const readings = new Map<string, string>()

function readingsOf(name: string): string {
  let all = readings.get(name)
  if (all === undefined) {
    const coded = name.match(CODED) ?? []
    all = [lettersOf(name), ...coded.flatMap(decodings).map(lettersOf)].filter(one => one.length >= SHORTEST_SECRET).join(' ')
    if (readings.size >= REMEMBERED) readings.clear()
    readings.set(name, all)
  }
  return all
}

export function cleaner(secrets: readonly (Secret | string)[]): Clean {
  const all = secrets.map(wantedOf)
  const texts = [...new Set(all.flatMap(one => one.texts))].sort((a, b) => b.length - a.length)
  const letters = [...new Set(all.flatMap(one => one.letters))]
  const words = [...new Set(all.flatMap(one => one.words.map(lowered)))]
  const holdsLetters = (text: string): boolean => text.length >= SHORTEST_SECRET && letters.some(secret => text.includes(secret))
  const holds = (text: string): boolean => holdsLetters(lettersOf(text)) || holdsCardNumber(text)
  const isCoded = (bytes: Buffer): boolean =>
    holdsLetters(lettersOf(bytes)) || (mayHoldCard(bytes) && holdsCardNumber(bytes.toString('latin1')))
  const isAnyOf = (text: string): boolean => texts.some(spelling => text.includes(spelling)) || firstWord(lowered(text), words, 0) !== null

  function clean(text: string): string {
    let clean = text.slice(0, 4 * LONGEST_VALUE).normalize('NFKC')
    for (const spelling of texts) if (clean.includes(spelling)) clean = clean.replaceAll(spelling, BLANK)
    clean = withoutWords(clean, words)
    if (clean.length >= SHORTEST_CODED)
      clean = withoutCardNumbers(clean.replace(CODED, run => (decodings(run).some(isCoded) ? BLANK : run)))
    if (holds(clean) || (clean.includes('%') && holds(unescaped(clean)))) return BLANK
    return clean.slice(0, LONGEST_VALUE).replaceAll('\0', '').toWellFormed()
  }

  // Most texts are member names. A name of letters alone contains no card number, however it is decoded.
  return text => (ORDINARY.test(text) && !isAnyOf(text) && !holdsLetters(readingsOf(text)) ? text : clean(text))
}

import { holdsCardNumber, withoutCardNumbers } from '../base/card-number.ts'
import type { Secret } from '../base/secret.ts'

/** Texts without what is known to be secret, in every spelling, and without card numbers. */

export const BLANK = '[redacted]'
const LONGEST_VALUE = 256

/** Makes a text showable. */
export type Clean = (text: string) => string

/** Shorter texts stand in others by chance: they are blanked where they are a word. */
const SHORTEST_SECRET = 6

/** What a secret is looked for as: `texts` as they are, `letters` without signs between them, `words` alone. */
type Wanted = { texts: string[]; letters: string[]; words: string[] }

/** Those of an account are the same for each of its payments. */
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

/** How a secret may be written. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64')
  const hex = bytes.toString('hex')
  const percents = [percent(hex), percent(hex).toUpperCase(), encodeURIComponent(secret.toWellFormed())]
  return [secret, base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), hex, hex.toUpperCase(), ...percents]
}

const reversed = (text: string): string => [...text].reverse().join('')

/** Without capitals, as long as it was. */
function lowered(text: string): string {
  const small = text.toLowerCase()
  return small.length === text.length ? small : text
}

const isLetterOrDigit = (code: number): boolean => (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a)

/** Where the first of these stands alone in a text. An expression of them would be compiled anew for each card. */
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

let room = Buffer.allocUnsafeSlow(4096)

/** The letters and digits alone, small: signs between them hide nothing. */
function lettersOf(text: string | Buffer): string {
  if (typeof text === 'string' && /[^\0-\x7f]/.test(text)) return text.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (text.length > room.length) room = Buffer.allocUnsafeSlow(text.length)
  let n = 0
  for (let i = 0; i < text.length; i++) {
    const code = typeof text === 'string' ? text.charCodeAt(i) : text[i]!
    const small = code | 0x20
    if ((small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39)) room[n++] = code < 0x40 ? code : small
  }
  return room.toString('latin1', 0, n)
}

/** What may be something else, written in other letters. */
const CODED = /[A-Za-z0-9+/_-]{12,}={0,2}/g
const SHORTEST_CODED = 12

/** What letters may stand for. */
const decodings = (run: string): Buffer[] => [
  ...[0, 1, 2, 3].map(at => Buffer.from(at === 0 ? run : run.slice(at), 'base64')),
  ...(/^[0-9A-Fa-f]{2}/.test(run) ? [Buffer.from(run, 'hex')] : []),
]

const DIGITS_OF_A_CARD = 14

/** Digits enough for a card's number, those of Latin-1 that are no ASCII (one half, squared) among them. */
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

/** A name of members as bodies have it: letters, and signs between them. */
const ORDINARY = /^[A-Za-z_.-]{1,64}$/
const REMEMBERED = 5_000
/** What such names may stand for, without signs: the same for every body. A blank parts one reading from the next. */
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

/** Makes texts showable in which these secrets must not stand. */
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

  // Most texts are names, and in names of letters alone there is no card's number, however they are read.
  return text => (ORDINARY.test(text) && !isAnyOf(text) && !holdsLetters(readingsOf(text)) ? text : clean(text))
}

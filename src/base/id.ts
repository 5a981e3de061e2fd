import type { Context, Time } from '../context.ts'
import { millisecondsOf } from './time.ts'

/** Crockford's base32: no I, L, O, U (https://www.crockford.com/base32.html). */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

type Dice = Pick<Context, 'random'>

/**
 * Returns `length` random characters of Crockford's base32, 5 bits each. The characters are written into the buffer of
 * random bytes, because appending them one by one would create as many strings.
 */
export function randomCrockford(dice: Dice, length: number): string {
  const bytes = dice.random(length)
  for (let i = 0; i < length; i++) bytes[i] = CROCKFORD.charCodeAt(bytes[i]! & 31)
  return bytes.toString('latin1', 0, length)
}

/** Returns `length` random letters and digits (of 62). Bytes that would favour some characters are discarded. */
export function randomAlphanumeric(dice: Dice, length: number): string {
  const bytes = dice.random(length + 8)
  let made = 0
  for (let i = 0; i < bytes.length && made < length; i++) if (bytes[i]! < 248) bytes[made++] = ALPHANUMERIC.charCodeAt(bytes[i]! % 62)
  const text = bytes.toString('latin1', 0, made)
  // The eight spare bytes nearly always make up for the discarded bytes.
  return made === length ? text : text + randomAlphanumeric(dice, length - made)
}

let latest = { time: '', text: '' }

/**
 * Returns 10 characters that sort by time: the milliseconds since 1970 in base32. The latest result is cached, because
 * under load many ids are made within one millisecond.
 */
function timeCrockford(now: Time): string {
  if (latest.time === now) return latest.text
  let milliseconds = millisecondsOf(now)
  let text = ''
  for (let i = 0; i < 10; i++) {
    text = CROCKFORD[milliseconds % 32] + text
    milliseconds = Math.floor(milliseconds / 32)
  }
  latest = { time: now, text }
  return text
}

/**
 * Returns a new time-ordered id: 10 characters of time and 16 random characters (80 bits). An id with the prefix
 * `pay_`, `ref_` or `pyt_` has exactly 30 characters.
 */
export function newResourceId(context: Pick<Context, 'random' | 'now'>, prefix: 'pay_' | 'ref_' | 'pyt_' | 'pm_collect_link_'): string {
  return prefix + timeCrockford(context.now()) + randomCrockford(context, 16)
}

/**
 * Whether this service made the id when the object was created. Such an id cannot be guessed. An id that the merchant
 * chose may be a consecutive number.
 */
export function isMadeHere(id: string, created: Time): boolean {
  const [, ofTime] = /^(?:[a-z]{3}|pm_collect_link)_([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16}$/.exec(id) ?? []
  if (ofTime === undefined) return false
  const milliseconds = [...ofTime].reduce((sum, character) => sum * 32 + CROCKFORD.indexOf(character), 0)
  return Math.abs(milliseconds - millisecondsOf(created)) < 60_000
}

/** Returns a new id for any other object: the prefix and 20 random letters and digits. */
export const newId = (dice: Dice, prefix: string): string => prefix + randomAlphanumeric(dice, 20)

/**
 * Returns a new request id, the reference of an operation at a processor: 26 random characters. Payment ids would not
 * do, because they are unique for one merchant only and two merchants may share a processor account.
 */
export const newRequestId = (dice: Dice): string => randomCrockford(dice, 26)

const timeDigits = (time: Time): string => millisecondsOf(time).toString(16).padStart(12, '0')

/**
 * Returns a new version 7 UUID (RFC 9562: time-ordered) as 32 hex digits. The time is written into the buffer of
 * random bytes.
 */
export function uuidDigits(context: Pick<Context, 'random' | 'now'>): string {
  const bytes = context.random(16)
  bytes.writeUIntBE(millisecondsOf(context.now()), 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16)
}

/** Returns a new event id: `evt_` and a version 7 UUID without dashes, 36 characters. */
export const newEventId = (context: Pick<Context, 'random' | 'now'>): string => `evt_${uuidDigits(context)}`

/** Returns the lowest event id that can be made at this time or later. */
export const firstEventId = (time: Time): string => `evt_${timeDigits(time)}`

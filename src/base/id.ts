import type { Context, Time } from '../context.ts'
import { millisecondsOf } from './time.ts'

/** Crockford's base32: no I, L, O, U (https://www.crockford.com/base32.html). */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

type Dice = Pick<Context, 'random'>

/** `length` characters, 5 bits each, written into the buffer of random bytes: appending would make as many strings. */
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

/** 10 characters that sort by time: milliseconds since 1970 in base32. Cached: many ids fall in one millisecond. */
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

/** Time-ordered: 10 characters of time and 16 random ones (80 bits). With `pay_`, `ref_` or `pyt_`, exactly 30. */
export function newResourceId(context: Pick<Context, 'random' | 'now'>, prefix: 'pay_' | 'ref_' | 'pyt_' | 'pm_collect_link_'): string {
  return prefix + timeCrockford(context.now()) + randomCrockford(context, 16)
}

/** Whether the service made the id, so that it cannot be guessed. The merchant's may be consecutive numbers. */
export function isMadeHere(id: string, created: Time): boolean {
  const [, ofTime] = /^(?:[a-z]{3}|pm_collect_link)_([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16}$/.exec(id) ?? []
  if (ofTime === undefined) return false
  const milliseconds = [...ofTime].reduce((sum, character) => sum * 32 + CROCKFORD.indexOf(character), 0)
  return Math.abs(milliseconds - millisecondsOf(created)) < 60_000
}

/** Returns a new id for any other object: the prefix and 20 random letters and digits. */
export const newId = (dice: Dice, prefix: string): string => prefix + randomAlphanumeric(dice, 20)

/**
 * An operation's reference at a processor: 26 random characters. A payment id is unique for one merchant only, and
 * merchants may share a processor account.
 */
export const newRequestId = (dice: Dice): string => randomCrockford(dice, 26)

const timeDigits = (time: Time): string => millisecondsOf(time).toString(16).padStart(12, '0')

/** A version 7 UUID (RFC 9562: time-ordered) as 32 hex digits. The time is written into the random bytes. */
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

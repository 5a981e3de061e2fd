import type { Context, Time } from '../context.ts'
import { millisecondsOf } from './time.ts'

/** Crockford's base32: no I, L, O, U (https://www.crockford.com/base32.html). */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

type Dice = Pick<Context, 'random'>

/**
 * `length` random characters of Crockford's base32, 5 bits each. They are written into the dice's own bytes: added one
 * by one they would be as many texts.
 */
export function randomCrockford(dice: Dice, length: number): string {
  const bytes = dice.random(length)
  for (let i = 0; i < length; i++) bytes[i] = CROCKFORD.charCodeAt(bytes[i]! & 31)
  return bytes.toString('latin1', 0, length)
}

/** `length` random letters and digits (62 of them). Bytes that would favour some characters are thrown away. */
export function randomAlphanumeric(dice: Dice, length: number): string {
  const bytes = dice.random(length + 8)
  let made = 0
  for (let i = 0; i < bytes.length && made < length; i++) if (bytes[i]! < 248) bytes[made++] = ALPHANUMERIC.charCodeAt(bytes[i]! % 62)
  const text = bytes.toString('latin1', 0, made)
  // Hardly ever are more thrown away than the eight to spare.
  return made === length ? text : text + randomAlphanumeric(dice, length - made)
}

let latest = { time: '', text: '' }

/** 10 characters that sort by time: the milliseconds since 1970 in base32. Under load many are made in one of them. */
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
 * A time-ordered id: 10 characters of time and 16 random ones (80 bits). With `pay_`, `ref_` or `pyt_` it has exactly
 * 30 characters.
 */
export function newResourceId(context: Pick<Context, 'random' | 'now'>, prefix: 'pay_' | 'ref_' | 'pyt_' | 'pm_collect_link_'): string {
  return prefix + timeCrockford(context.now()) + randomCrockford(context, 16)
}

/**
 * Was this id made here when its object was created? Such an id cannot be guessed; one that a merchant chose may be a
 * number that counts.
 */
export function isMadeHere(id: string, created: Time): boolean {
  const [, ofTime] = /^(?:[a-z]{3}|pm_collect_link)_([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16}$/.exec(id) ?? []
  if (ofTime === undefined) return false
  const milliseconds = [...ofTime].reduce((sum, character) => sum * 32 + CROCKFORD.indexOf(character), 0)
  return Math.abs(milliseconds - millisecondsOf(created)) < 60_000
}

/** An id of any other thing: the prefix and 20 letters and digits. */
export const newId = (dice: Dice, prefix: string): string => prefix + randomAlphanumeric(dice, 20)

/**
 * What a processor knows an operation by: 26 random characters, because payment ids are unique for one merchant only
 * and two may share an account.
 */
export const newRequestId = (dice: Dice): string => randomCrockford(dice, 26)

const timeDigits = (time: Time): string => millisecondsOf(time).toString(16).padStart(12, '0')

/** A version 7 UUID (RFC 9562: time-ordered) as 32 hex digits. Its time is written into the dice's bytes as well. */
export function uuidDigits(context: Pick<Context, 'random' | 'now'>): string {
  const bytes = context.random(16)
  bytes.writeUIntBE(millisecondsOf(context.now()), 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16)
}

/** `evt_` and a version 7 UUID without dashes: 36 characters. */
export const newEventId = (context: Pick<Context, 'random' | 'now'>): string => `evt_${uuidDigits(context)}`

/** The lowest event id of a time, and of all after it. */
export const firstEventId = (time: Time): string => `evt_${timeDigits(time)}`

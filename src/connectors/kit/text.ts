import type { Secret } from '../../base/secret.ts'
import type { Place } from '../purchase.ts'

/** The maximum length of a processor's message, in UTF-16 units. */
const LONGEST = 255

/** A card number written as people write them: 12 to 19 digits, perhaps in groups (ISO/IEC 7812-1 has up to 19). */
const CARD_NUMBER = /\d(?:[ .-]?\d){11,18}/g

/**
 * Makes a processor's message safe to store and show: one line of at most 255 characters without markup, control and
 * direction characters, or anything that could be a card number.
 */
export function plainText(text: string): string {
  return text
    .slice(0, 4 * LONGEST)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[<>]/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(CARD_NUMBER, '[digits]')
    .slice(0, LONGEST)
    .toWellFormed()
    .trim()
}

/**
 * Whether a key is so short that it may occur in other words by chance (`k` in `ok`): it is blanked only where it is a
 * word of its own. Digits are security codes and card numbers, and are blanked wherever they occur.
 */
const isShortKey = (clear: string): boolean => clear.length < 8 && !/^\d+$/.test(clear)
const isPartOfWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** Blanks every occurrence of these secrets in a text: some processors repeat the request in their errors. */
export function redact(text: string, secrets: readonly Secret[]): string {
  for (const secret of secrets) {
    const clear = secret.reveal()
    if (clear === '' || !text.includes(clear)) continue
    const whole = text
    text = isShortKey(clear)
      ? whole.replaceAll(clear, (_, at: number) =>
          isPartOfWord(whole[at - 1]) || isPartOfWord(whole[at + clear.length]) ? clear : '[secret]',
        )
      : whole.replaceAll(clear, '[secret]')
  }
  return text
}

/** Functions that fit data about the purchase to the limits of a processor. */

/** Cuts a text to at most `most` characters. */
export const shortened = (text: string, most: number): string => (text.length <= most ? text : [...text].slice(0, most).join(''))

export const looksLikeEmail = (email: string | undefined): email is string =>
  email !== undefined && /^[^\s@]+@[^\s@]+$/.test(email) && email.slice(email.indexOf('@') + 2, -1).includes('.')

/** Returns the name of the person at an address; undefined if the address has none. */
export const nameIn = ({ first_name, last_name }: Place): string | undefined =>
  [first_name, last_name].filter(part => part !== undefined && part !== '').join(' ') || undefined

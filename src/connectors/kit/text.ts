import type { Secret } from '../../base/secret.ts'
import type { Place } from '../purchase.ts'

/** UTF-16 units. */
const LONGEST = 255

/** In groups or not (ISO/IEC 7812-1 has up to 19 digits). */
const CARD_NUMBER = /\d(?:[ .-]?\d){11,18}/g

/** One line without markup, control and direction characters, or anything that could be a card number. */
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

/** Short keys occur in other words (`k` in `ok`): blanked only as a word. Digits are blanked wherever they occur. */
const isShortKey = (clear: string): boolean => clear.length < 8 && !/^\d+$/.test(clear)
const isPartOfWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** Some processors repeat the request in their errors. */
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

export const shortened = (text: string, most: number): string => (text.length <= most ? text : [...text].slice(0, most).join(''))

export const looksLikeEmail = (email: string | undefined): email is string =>
  email !== undefined && /^[^\s@]+@[^\s@]+$/.test(email) && email.slice(email.indexOf('@') + 2, -1).includes('.')

export const nameIn = ({ first_name, last_name }: Place): string | undefined =>
  [first_name, last_name].filter(part => part !== undefined && part !== '').join(' ') || undefined

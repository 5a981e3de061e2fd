import type { Place } from '../purchase.ts'

/** What is told of who buys what, made fit for those who take only so much of it. */

/** At most so many characters. */
export const shortened = (words: string, most: number): string => (words.length <= most ? words : [...words].slice(0, most).join(''))

export const looksLikeEmail = (email: string | undefined): email is string =>
  email !== undefined && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)

/** The name of the person at an address; undefined if the address has none. */
export const nameIn = ({ first_name, last_name }: Place): string | undefined =>
  [first_name, last_name].filter(part => part !== undefined && part !== '').join(' ') || undefined

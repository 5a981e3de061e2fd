import type { Place } from '../purchase.ts'

/** Functions that fit data about the purchase to the limits of a processor. */

/** Cuts a text to at most `most` characters. */
export const shortened = (text: string, most: number): string => (text.length <= most ? text : [...text].slice(0, most).join(''))

export const looksLikeEmail = (email: string | undefined): email is string =>
  email !== undefined && /^[^\s@]+@[^\s@]+$/.test(email) && email.slice(email.indexOf('@') + 2, -1).includes('.')

/** Returns the name of the person at an address; undefined if the address has none. */
export const nameIn = ({ first_name, last_name }: Place): string | undefined =>
  [first_name, last_name].filter(part => part !== undefined && part !== '').join(' ') || undefined

// Reads members of Checkout.com's requests, and refuses with Checkout.com's error codes.

import { Refusal } from '../refusals.ts'
import { type Body, isMissing, isRecord } from '../requests.ts'

export const invalid = (code: string) => new Refusal('invalid_request', code)

/** Refuses (422) members that Checkout.com's contract does not have. */
export function only(body: Body, members: string): Body {
  const known = members.split(' ')
  const strange = Object.keys(body).find(name => !known.includes(name))
  if (strange !== undefined) throw invalid(`${strange}_unknown`)
  return body
}

export function part(body: Body, name: string, members: string): Body {
  const value = body[name]
  if (isMissing(value)) return {}
  if (!isRecord(value)) throw invalid(`${name}_invalid`)
  return only(value, members)
}

export const text = (body: Body, name: string, most = 255): string | null => {
  const value = body[name]
  if (isMissing(value)) return null
  if (typeof value !== 'string' || value === '' || value.length > most) throw invalid(`${name}_invalid`)
  return value
}
export const need = (body: Body, name: string, most?: number): string => {
  const value = text(body, name, most)
  if (value === null) throw invalid(`${name}_required`)
  return value
}
export function flag(body: Body, name: string): boolean {
  const value = body[name] ?? false
  if (typeof value !== 'boolean') throw invalid(`${name}_invalid`)
  return value
}
export function amountIn(body: Body): number {
  const { amount } = body
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0) throw invalid('amount_invalid')
  return amount
}

export const ADDRESS = 'address_line1 address_line2 city state zip country'

// Reads Adyen's JSON bodies member by member. Members that are not listed are refused, as Adyen does.

import { type Body, isMissing } from '../requests.ts'
import { AdyenRefusal } from './adyen-refusals.ts'

export function readJson(raw: unknown): Body {
  try {
    const body: unknown = JSON.parse(raw as string)
    if (isRecord(body)) return body
  } catch {}
  throw new AdyenRefusal(400, '702', 'Unexpected input: the body must be a JSON object')
}

const isRecord = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

export function only(body: Body, names: readonly string[], of: string): void {
  const unknown = Object.keys(body).filter(name => !names.includes(name))
  if (unknown.length > 0) throw new AdyenRefusal(400, '702', `Structure of ${of} contains the following unknown fields: [${unknown}]`)
  const empty = Object.entries(body).find(([, value]) => value === null || (isRecord(value) && Object.keys(value).length === 0))
  if (empty) throw new AdyenRefusal(400, '702', `Field '${empty[0]}' of ${of} is empty`)
}

export function part(body: Body, name: string): Body {
  if (isMissing(body[name])) return {}
  if (isRecord(body[name])) return body[name] as Body
  throw new AdyenRefusal(400, '702', `Field '${name}' must be an object`)
}

export function text(body: Body, name: string, longest = 10_000): string | null {
  const value = body[name]
  if (isMissing(value)) return null
  if (typeof value === 'string' && value.length <= longest) return value
  throw new AdyenRefusal(422, '702', `Field '${name}' is not valid.`)
}

export function need(body: Body, name: string, errorCode: string, message: string): string {
  const value = text(body, name)
  if (value === null || value === '') throw new AdyenRefusal(422, errorCode, message)
  return value
}

export function word<Word extends string>(body: Body, name: string, allowed: readonly Word[]): Word | null {
  const value = text(body, name)
  if (value === null) return null
  const found = allowed.find(one => one === value)
  if (found === undefined) throw new AdyenRefusal(422, '702', `Field '${name}' must be one of ${allowed.join(', ')}.`)
  return found
}

export function merchantAccountOf(body: Body): string {
  const name = text(body, 'merchantAccount')
  if (name === null || name === '' || /invalid/i.test(name)) throw new AdyenRefusal(403, '901', 'Invalid Merchant Account', 'security')
  return name
}

export function amountOf(body: Body): { value: number; currency: string } {
  if (isMissing(body.amount)) throw new AdyenRefusal(422, '100', 'No amount specified')
  const amount = part(body, 'amount')
  only(amount, ['value', 'currency'], 'Amount')
  const { value, currency } = amount
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) throw new AdyenRefusal(422, '138', 'Currency Code invalid')
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new AdyenRefusal(422, '137', 'Invalid amount specified')
  return { value, currency }
}

// Code shared by Braintree's calls: the effects of a request so far, errors, the rules of money, and idempotency keys.

import { GraphQLError } from 'graphql'
import type { Account } from '../books.ts'
import { draw } from '../context.ts'
import { changeOf, raisedBy } from '../disputes.ts'
import type { Effect } from '../processor.ts'
import type { Change, Document, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import type { AuthorizeRequest } from '../requests.ts'
import { minorOf } from '../units.ts'
import { merchantAccounts } from './braintree-accounts.ts'
import type { ApiCall } from './language.ts'

/** The time for which an idempotency key is kept: 30 days. Only keys of successful requests are kept. */
const KEY_LIFE_MS = 30 * 24 * 3_600_000

export type Token = Document & { object: 'braintree_token'; card: AuthorizeRequest['card']; used: boolean }
export type Evidence = Document & { object: 'braintree_evidence'; texts: Record<string, string> }
// biome-ignore lint/suspicious/noExplicitAny: the schema has looked at every member
export type Input = any

/** The effects of a request so far. Its mutations run one after the other, each on the result of the one before. */
export class Work {
  readonly asked: ApiCall
  account: Account
  change: Omit<Change, 'account'> = {}

  constructor(asked: ApiCall) {
    this.asked = asked
    this.account = asked.account
  }

  get seen() {
    return { account: this.account, at: this.asked.turn.at }
  }

  /** Adds an effect, and the dispute that a disputed card raises once an amount is captured. */
  keepEffect(effect: Effect, payment: Payment = effect.payment): void {
    this.keep({ ...effect, payment })
    const dispute = raisedBy(this.account, payment, this.asked.turn)
    if (dispute) this.keep(changeOf(dispute))
  }

  keep({ payment, operations = [], documents = [], ...more }: Omit<Change, 'account'>): void {
    const { account, change } = this
    this.change = {
      ...change,
      ...more,
      ...(payment && { payment }),
      operations: [...(change.operations ?? []), ...operations],
      documents: [...(change.documents ?? []), ...documents],
    }
    this.account = {
      ...account,
      payments: new Map([...account.payments, ...(payment ? [[payment.id, payment] as const] : [])]),
      operations: new Map([...account.operations, ...operations.map(one => [one.id, one] as const)]),
      documents: new Map([...account.documents, ...documents.map(one => [one.id, one] as const)]),
    }
  }
}

/** Returns an API error with its class, and the legacy code that Braintree's client libraries use. */
export const error = (errorClass: string, message: string, legacyCode?: string, inputPath?: string[]): GraphQLError =>
  new GraphQLError(message, {
    extensions: { errorClass, errorType: 'developer_error', ...(legacyCode && { legacyCode }), ...(inputPath && { inputPath }) },
  })
export const invalid = (legacyCode: string, message: string, ...inputPath: string[]) =>
  error('VALIDATION', message, legacyCode, ['input', ...inputPath])
export const unknownId = () => error('NOT_FOUND', 'An object with this ID was not found.')

/** Runs an action; a refusal by the rules of money becomes a validation error. */
export function ruled<T>(legacyCode: string, act: () => T): T {
  try {
    return act()
  } catch (problem) {
    throw problem instanceof Refusal ? invalid(legacyCode, problem.message) : problem
  }
}

export const newToken = (work: Work, prefix: string): string => `${prefix}_${draw(work.asked.turn.context, 20).toLowerCase()}`

export function isCode({ account }: Work, code: unknown): boolean {
  if (code === undefined || code === null) return false
  if (account.documents.get(String(code))?.object !== 'braintree_code') throw invalid('91565', 'Unknown tokenized CVV.', 'tokenizedCvv')
  return true
}

export function currencyOf(id: unknown): string {
  const known = id === undefined || id === null ? merchantAccounts[0] : merchantAccounts.find(one => one.id === id)
  if (known === undefined) throw invalid('91513', 'Merchant account ID is invalid.', 'transaction', 'merchantAccountId')
  return known.currency
}

export function amountOf(value: unknown, currency: string): number {
  const amount = ruled('81503', () => minorOf(value, currency))
  if (amount <= 0) throw invalid('81531', 'Amount must be greater than zero.', 'amount')
  return amount
}

/**
 * Makes a mutation idempotent: returns the object that an earlier request with this key made, in its current state.
 * Refuses a different request with the same key. `made` returns the object and its id in the ledger.
 */
export function once<T extends object>(
  work: Work,
  field: string,
  input: Input,
  made: () => { id: string; shown: T },
  again: (id: string) => T,
): T {
  if (input.apiRequestKey === undefined || input.apiRequestKey === null) return made().shown
  const { account, turn, fault } = work.asked
  const key = `braintree ${input.apiRequestKey}`
  const fingerprint = `${field} ${JSON.stringify(input)}`
  const known = fault === 'ignore_idempotency' ? undefined : account.keys.get(key)
  if (known?.answer && turn.at - known.answer.at < KEY_LIFE_MS) {
    if (known.fingerprint !== fingerprint)
      throw invalid('915232', 'API request key can be reused only with the same request.', 'apiRequestKey')
    return again(known.operation)
  }
  const { id, shown } = made()
  work.keep({ key: { key, fingerprint, operation: id, answer: { status: 200, body: {}, at: turn.at } } })
  return shown
}

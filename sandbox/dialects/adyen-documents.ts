// Adyen's data about payments and modifications that the ledger of money does not contain.

import type { Account } from '../books.ts'
import type { Document, Operation } from '../records.ts'

/** Returns the pspReference of an object: its 16 characters are the end of the ledger's id. */
export const pspOf = (id: string): string => id.slice(-16)

/** Returns the first pspReference of a payment with a challenge, which is used until the shopper has come back. */
export const firstPspOf = (operation: Operation): string => operation.challenge!.token.slice(0, 16)

/** Adyen's data about a payment. `refusal`: the refusalReasonCode that a trigger of the test environment requested. */
export type PaymentNote = Document & { object: 'adyen_payment'; merchantAccount: string; refusal: string | null; shopper: string | null }

/**
 * Adyen's data about a modification. `reference`: the merchant's, if one was sent. `eventCode`: the notification that
 * announces its result. `action`: the action that a reversal took.
 */
export type ModificationNote = Document & {
  object: 'adyen_modification'
  reference: string | null
  eventCode: 'AUTHORISATION_ADJUSTMENT' | 'CAPTURE' | 'CANCELLATION' | 'TECHNICAL_CANCEL' | 'CANCEL_OR_REFUND' | 'REFUND'
  action: 'cancel' | 'refund' | null
}

/**
 * Whether the merchant account allows several captures of one payment, so that a capture keeps the rest of the hold;
 * other accounts release the rest.
 */
export const keepsTheRest = (merchantAccount: string): boolean => /multi/i.test(merchantAccount)

/**
 * Returns the storedPaymentMethodId of a payment's stored card. `storedBy` returns the payment of such an id; null if
 * there is none.
 */
export const storedIdOf = (payment: string): string => `S${pspOf(payment)}`
export const storedBy = (account: Account, id: string): string | null => account.names.get(id.slice(1)) ?? null

/** The result of a redirect, which the shopper brings back. Its random end cannot be guessed. */
export type RedirectNote = Document & { object: 'adyen_redirect'; answer: 'accept' | 'reject'; result: string }

/** A lower authorized amount, for which the ledger has no operation. */
export type AdjustmentNote = Document & {
  object: 'adyen_adjustment'
  reference: string | null
  value: number
  success: boolean
}

const noteOf = <Note extends Document>(account: Account, id: string, object: Note['object']): Note | null => {
  const found = account.documents.get(id)
  return found?.object === object ? (found as Note) : null
}

export const paymentNote = (account: Account, payment: string): PaymentNote =>
  noteOf<PaymentNote>(account, pspOf(payment), 'adyen_payment')!
export const modificationNote = (account: Account, operation: string): ModificationNote =>
  noteOf<ModificationNote>(account, pspOf(operation), 'adyen_modification')!
export const adjustmentNote = (account: Account, psp: string): AdjustmentNote | null =>
  noteOf<AdjustmentNote>(account, psp, 'adyen_adjustment')
const redirectNote = (account: Account, payment: string): RedirectNote | null =>
  noteOf<RedirectNote>(account, `redirect ${payment}`, 'adyen_redirect')

/** Records the shopper's decision and returns the result to bring back. Only the first decision counts. */
export function redirectResult(account: Account, operation: Operation, decision: 'accept' | 'reject') {
  const known = redirectNote(account, operation.payment)
  const note: RedirectNote = known ?? {
    id: `redirect ${operation.payment}`,
    object: 'adyen_redirect',
    answer: decision,
    result: `X6XtfGC3!${pspOf(operation.payment)}${operation.challenge!.token.split('').reverse().join('')}`,
  }
  return { documents: known ? [] : [note], parameters: { redirectResult: note.result } }
}

/** Returns the payment and the decision of a redirect result; null if the result is not valid. */
export function redeemed(account: Account, brought: string): { payment: string; answer: 'accept' | 'reject' } | null {
  const payment = account.names.get(brought.slice(9, 25))
  const note = payment === undefined ? null : redirectNote(account, payment)
  return note?.result === brought ? { payment: payment!, answer: note.answer } : null
}

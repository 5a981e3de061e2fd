// What Adyen knows of a payment or a modification that the ledger of money does not.

import type { Account } from '../books.ts'
import type { Document, Operation } from '../records.ts'

/** A pspReference has 16 characters: the end of the ledger's own id. */
export const pspOf = (id: string): string => id.slice(-16)

/** Before the shopper came back, a payment that asks for a challenge has another pspReference. */
export const firstPspOf = (operation: Operation): string => operation.challenge!.token.slice(0, 16)

/** `refusal`: the refusalReasonCode that a trigger of the test environment asked for. */
export type PaymentNote = Document & { object: 'adyen_payment'; merchantAccount: string; refusal: string | null; shopper: string | null }

/**
 * `reference`: the merchant's, if one was given. `eventCode`: as what its end is announced. `action`: what a reversal
 * came to.
 */
export type ModificationNote = Document & {
  object: 'adyen_modification'
  reference: string | null
  eventCode: 'AUTHORISATION_ADJUSTMENT' | 'CAPTURE' | 'CANCELLATION' | 'TECHNICAL_CANCEL' | 'CANCEL_OR_REFUND' | 'REFUND'
  action: 'cancel' | 'refund' | null
}

/** What a card is called that a payment has stored, and of which payment it is: null, if it is called otherwise. */
export const storedIdOf = (payment: string): string => `S${pspOf(payment)}`
export const storedBy = (account: Account, id: string): string | null => account.names.get(id.slice(1)) ?? null

/** What a shopper brought back; its random end cannot be guessed. */
export type RedirectNote = Document & { object: 'adyen_redirect'; answer: 'accept' | 'reject'; result: string }

/** An amount that was changed: the ledger knows no such operation. */
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

/** The shopper has answered. A shopper who answers twice brings the same: the first answer counts. */
export function redirectResult(account: Account, operation: Operation, decision: 'accept' | 'reject') {
  const known = redirectNote(account, operation.payment)
  const note: RedirectNote = known ?? {
    id: `redirect ${operation.payment}`,
    object: 'adyen_redirect',
    answer: decision,
    result: `X6XtfGC3!${pspOf(operation.payment)}${operation.challenge!.token.split('').reverse().join('')}`,
  }
  return { documents: known ? [] : [note], brings: { redirectResult: note.result } }
}

/** What was brought back, if it is what was given; null otherwise. */
export function redeemed(account: Account, brought: string): { payment: string; answer: 'accept' | 'reject' } | null {
  const payment = account.names.get(brought.slice(9, 25))
  const note = payment === undefined ? null : redirectNote(account, payment)
  return note?.result === brought ? { payment: payment!, answer: note.answer } : null
}

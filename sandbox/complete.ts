// The result of an action once the shopper has sent its input: a one-time code, or a report that device data was
// collected.

import type { Account } from './books.ts'
import { behaviourOf } from './cards.ts'
import { decideOperation, type Effect, notAllowed, show, type Turn } from './processor.ts'
import type { Document, Operation } from './records.ts'
import type { CompleteRequest } from './requests.ts'

/** The codes that are wrong, and that belong to a shopper who rejects the payment. Every other code is right. */
const WRONG = '0000'
const UNWILLING = '9999'

export const seenNote = (operation: Pick<Operation, 'id'>): Document => ({ id: `seen ${operation.id}`, object: 'device_data' })

export function completed(account: Account, operation: Operation, { otp, device_data }: CompleteRequest, turn: Turn): Effect {
  const payment = account.payments.get(operation.payment)!
  const { action, ...challenge } = operation.challenge!
  const well = behaviourOf(payment.card).challenge ?? 'approved'
  if (action === 'otp') {
    if (otp === undefined) throw notAllowed('otp is required')
    if (otp.startsWith(WRONG)) throw notAllowed('otp is incorrect')
    return decideOperation(payment, operation, otp.startsWith(UNWILLING) ? 'authentication_failed' : well, turn)
  }
  if (action !== 'ddc' && action !== 'iframe') throw notAllowed('This operation does not have a step to complete')
  if (device_data === undefined) throw notAllowed('device_data is required')
  const seen = device_data === 'Y' && account.documents.has(seenNote(operation).id)
  return seen ? decideOperation(payment, operation, well, turn) : show(payment, { ...operation, challenge })
}

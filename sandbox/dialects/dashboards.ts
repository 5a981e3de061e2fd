// What each dialect keeps of money that is moved at its dashboard, beside the ledger of money. Dialects without an
// entry keep nothing.

import type { Account } from '../books.ts'
import type { MoveRequest } from '../move-request.ts'
import { type Effect, notAllowed, type Turn } from '../processor.ts'
import type { Change, Operation, Payment } from '../records.ts'
import { keepsTheRest, type ModificationNote, paymentNote, pspOf } from './adyen-documents.ts'
import { changeIdOf, type MollieChangeNote, noteOf } from './mollie-show.ts'
import { idOf, type RefundNote as PaypalRefundNote } from './paypal-show.ts'
import { documentOf, type Intent, type PaymentMethod, type RefundNote, refundId, seconds } from './stripe-documents.ts'
import { isMulticapture } from './stripe-show.ts'

/**
 * `capturesOnce`: whether a capture of a part lets the rest of the hold go, unless the move says otherwise. `made`:
 * the dialect's own documents about the operations that a move made, and news other than those of operations.
 */
type Dashboard = {
  capturesOnce?(account: Account, payment: Payment): boolean
  made?(account: Account, effect: Effect, ask: MoveRequest, turn: Turn): Pick<Change, 'documents' | 'news'>
}

const adyenCodes: Partial<Record<Operation['type'], ModificationNote['eventCode']>> = {
  capture: 'CAPTURE',
  void: 'CANCELLATION',
  refund: 'REFUND',
  increment: 'AUTHORISATION_ADJUSTMENT',
}

const dashboards: Record<string, Dashboard> = {
  stripe: {
    capturesOnce: (account, payment) => {
      const intent = intentOf(account, payment)
      const method = documentOf<PaymentMethod>(account, intent.payment_method, 'payment_method')
      return !isMulticapture(intent, method)
    },
    made(account, { payment, operations: [operation] }, { move, reason = null }, turn) {
      if (operation.status === 'declined') return {}
      if (move === 'refund') return { documents: [refundNote(operation, reason)] }
      const intent = intentOf(account, payment)
      if (move === 'void' && payment.captured === 0) return { documents: [{ ...intent, canceled: { at: seconds(turn.at), reason: null } }] }
      return move === 'increment' ? { documents: [{ ...intent, amount: payment.authorized }] } : {}
    },
  },
  adyen: {
    capturesOnce: (account, payment) => !keepsTheRest(paymentNote(account, payment.id).merchantAccount),
    made(account, { operations: [{ id, type }] }) {
      const eventCode = adyenCodes[type]
      const [note] = eventCode ? [{ id: pspOf(id), object: 'adyen_modification', reference: null, eventCode, action: null }] : []
      return note && !account.documents.has(note.id) ? { documents: [note] } : {}
    },
  },
  // Braintree voids the rest of what is submitted for settlement in part.
  braintree: { capturesOnce: () => true },
  mollie: {
    made(account, { payment, operations: [operation] }, { move, reason }) {
      if (move !== 'refund' && move !== 'capture') return {}
      const description = reason ?? noteOf(account, payment).description
      const note: MollieChangeNote = { id: changeIdOf(operation), object: 'mollie_change', description, metadata: null }
      return { documents: [note] }
    },
  },
  paypal: {
    made(account, { payment, operations: [operation] }, { move, reason }) {
      if (move !== 'refund') return {}
      const capture = refundable(account, payment, operation.amount)
      const note: PaypalRefundNote = {
        ...{ id: `refund ${operation.id}`, object: 'paypal_refund', capture },
        ...(reason !== undefined && { note: reason }),
      }
      return { documents: [note] }
    },
  },
}

/** Stripe's reasons are among three. */
const refundNote = ({ id }: Operation, reason: string | null): RefundNote => ({
  id: refundId(id),
  object: 'refund_note',
  reason: ['duplicate', 'fraudulent', 'requested_by_customer'].find(one => one === reason) ?? null,
  metadata: {},
})

export const dashboardOf = ({ dialect }: Payment): Dashboard => dashboards[dialect ?? ''] ?? {}

const intentOf = (account: Account, payment: Payment): Intent => documentOf<Intent>(account, payment.document!, 'payment_intent')!

/** Returns PayPal's id of the capture that a refund is of: one of which so much is left. */
function refundable(account: Account, payment: Payment, amount: number): string {
  const all = [...account.operations.values()].filter(one => one.payment === payment.id && one.status !== 'declined')
  const back = (capture: string): number =>
    all
      .filter(
        one => one.type === 'refund' && (account.documents.get(`refund ${one.id}`) as PaypalRefundNote | undefined)?.capture === capture,
      )
      .reduce((sum, one) => sum + one.amount, 0)
  const isCapture = ({ type }: Operation) => type === 'capture' || (type === 'authorization' && payment.capture === 'automatic')
  const found = all.find(one => isCapture(one) && one.status === 'approved' && one.amount - back(idOf(one.id)) >= amount)
  if (found === undefined) throw notAllowed(`no capture of this payment has ${amount} left to refund`)
  return idOf(found.id)
}

// Stripe's transfers to connected accounts, over the sandbox's ledger: made at once or not at all. A connected account
// behaves as the card whose number ends in the same four characters.

import type { Account } from '../books.ts'
import { decidePayout, payOut, readPayout } from '../payouts.ts'
import type { Operation, Payment } from '../records.ts'
import { echoed } from '../show-operation.ts'
import type { ApiCall, CallResult } from './stripe-calls.ts'
import { documentOf, type StripeDocument, type StripeTransferNote, seconds } from './stripe-documents.ts'
import { integer, metadataOf, need, only, text, word } from './stripe-form.ts'
import { invalid, missing } from './stripe-refusals.ts'

const members = [
  'amount',
  'currency',
  'description',
  'destination',
  'expand',
  'metadata',
  'source_transaction',
  'source_type',
  'transfer_group',
]

/** Stripe's errors for transfers that are declined. */
const refusals: Record<string, [code: string, message: string]> = {
  insufficient_funds: ['balance_insufficient', 'You have insufficient available funds in your Stripe account.'],
  recipient_ineligible: [
    'insufficient_capabilities_for_transfer',
    'Your destination account needs to have the transfers capability enabled.',
  ],
}

export function createTransfer({ form, turn, reference }: ApiCall): CallResult {
  only(form, members)
  const amount = integer(form, 'amount')
  if (amount === null || amount < 1) throw invalid('parameter_invalid_integer', 'This value must be greater than or equal to 1.', 'amount')
  const currency = need(form, 'currency')
  if (!/^[a-z]{3}$/.test(currency)) throw invalid('parameter_invalid', `Invalid currency: ${currency}`, 'currency')
  const destination = need(form, 'destination')
  if (!/^acct_\w{1,64}$/.test(destination)) throw invalid('resource_missing', `No such destination: '${destination}'`, 'destination')
  word(form, 'source_type', ['bank_account', 'card', 'fpx'], 'card')
  const to = readPayout({ reference: 'none', amount: 1, currency: 'EUR', to: { type: 'bank', account: destination } }).to
  const asked = payOut({ reference, amount, currency: currency.toUpperCase(), to }, turn)
  const [begun] = asked.operations
  if (begun.status === 'declined') {
    const [code, message] = refusals[begun.decline!.code] ?? ['transfers_not_allowed', 'This transfer is not allowed.']
    throw invalid(code, message)
  }
  // Stripe's transfers are never pending.
  const effect = begun.status === 'pending' ? decidePayout(asked.payment, begun, 'approved', turn) : asked
  const id = begun.id.replace('pout_', 'tr_')
  const note: StripeTransferNote = {
    id,
    object: 'transfer',
    payout: effect.payment.id,
    destination,
    description: text(form, 'description'),
    metadata: metadataOf(form),
    transfer_group: text(form, 'transfer_group'),
  }
  const payment: Payment = { ...effect.payment, dialect: 'stripe', document: id }
  return { change: { ...effect, payment, documents: [note] }, status: 200, body: showStripeTransfer(note, payment, effect.operations[0]) }
}

export function showStripeTransfer(note: StripeTransferNote, payment: Payment, truly: Operation): object {
  const { id, destination, description, metadata, transfer_group } = note
  const { amount, currency, status, created_at } = echoed(truly, payment)
  const reversed = status === 'returned'
  return {
    ...{ id, object: 'transfer', amount, amount_reversed: reversed ? amount : 0 },
    ...{ balance_transaction: id.replace('tr_', 'txn_'), created: seconds(created_at), currency: currency.toLowerCase() },
    ...{ description, destination, destination_payment: id.replace('tr_', 'py_'), livemode: false, metadata },
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    ...{ reversed, source_transaction: null, source_type: 'card', transfer_group },
  }
}

const showOne = (account: Account, note: StripeTransferNote): object =>
  showStripeTransfer(note, account.payments.get(note.payout)!, account.operations.get(note.payout)!)

export function readStripeTransferOf({ account, id }: { account: Account; id: string }): object {
  const note = documentOf<StripeTransferNote>(account, id, 'transfer')
  if (!note) throw missing('transfer', id)
  return showOne(account, note)
}

/** Lists transfers, the latest first. */
export const transfersOf = (account: Account, of: { transfer_group: string | null; destination: string | null }): object[] =>
  [...account.documents.values()]
    .filter((one): one is StripeTransferNote => (one as StripeDocument).object === 'transfer')
    .filter(one => of.transfer_group === null || one.transfer_group === of.transfer_group)
    .filter(one => of.destination === null || one.destination === of.destination)
    .reverse()
    .map(one => showOne(account, one))

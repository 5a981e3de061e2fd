import { move } from '../accounts/rows.ts'
import { after } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, RowChange } from '../context.ts'
import { type CustomerRow, needCustomer } from '../customers/customer.ts'
import { card, type MaskedCard } from '../instruments/card.ts'
import { checkNetwork } from '../instruments/networks.ts'
import { readCard } from '../instruments/read-card.ts'
import { forgetCollectLinks } from './collect-link.ts'
import type { Show } from './create.ts'
import { sameSaved } from './keep.ts'
import { lifecycle } from './lifecycle.ts'
import { findMandatesOf, forgetAcceptances, needNoMandate } from './mandate.ts'
import {
  findMethods,
  forgetMethod,
  forgetMethods,
  isKeptElsewhere,
  isPayable,
  isRecordOnly,
  isUsable,
  keepNumber,
  type Method,
  needMethod,
  paymentMethods,
} from './method.ts'
import { needWithNumber } from './number.ts'
import { endMandate } from './revoke.ts'
import type { MethodUpdate } from './shape.ts'

/** Refuses (IR_19) what is no card or awaits its data, and (IR_16) the number of a card that the customer has saved. */
export async function updateMethod<T>(context: Context, merchant_id: string, id: string, ask: MethodUpdate, show: Show<T>): Promise<T> {
  if (ask.wallet) refuse('not_supported', { problem: 'wallet: only cards can be updated' })
  const { customer_id } = await needMethod(context, merchant_id, id)
  return move(context, 'customers', 'payment_method_updated', async () => {
    const customer = await needCustomer(context, merchant_id, customer_id)
    const { method: before, number } = await needWithNumber(context, merchant_id, id)
    if (!isUsable(before) || before.masked === null)
      return refuse('not_supported', {
        problem: `This payment method cannot be updated: it is ${isUsable(before) ? 'not a card' : before.status}`,
      })
    const { card: given } = ask
    if (!given) return { answer: show(before) }
    const sent = {
      card_number: given.card_number ?? number ?? refuse('unknown', { what: 'number in the vault' }),
      card_exp_month: given.card_exp_month ?? before.masked.card_exp_month,
      card_exp_year: given.card_exp_year ?? before.masked.card_exp_year,
      ...(given.card_network && { card_network: given.card_network }),
    }
    const read = readCard({ ...sent, ...(given.card_cvc && { card_cvc: given.card_cvc }) }, context.now(), 'card')
    const known = await context.bins.of(read.number.reveal().slice(0, 8))
    checkNetwork(given.card_network, known, 'card.card_network')
    const renewed = card.mask(context.vault, merchant_id, read, sent, known)
    if (given.last4_digits !== undefined && given.last4_digits !== renewed.last4)
      refuse('precondition', { problem: 'card.last4_digits does not match the saved card' })
    const same = renewed.fingerprint === before.fingerprint
    const other = same ? undefined : sameSaved(await findMethods(context, merchant_id, customer_id), renewed.fingerprint)
    if (other)
      refuse('precondition', { problem: `card.card_number: the customer has already saved this card as ${other.payment_method_id}` })
    const { card_network, network_chosen } = same && !given.card_network ? before.masked : renewed
    const masked: MaskedCard = {
      ...renewed,
      card_network,
      ...(network_chosen && { network_chosen }),
      card_type: same ? before.masked.card_type : renewed.card_type,
      card_issuer: given.card_issuer ?? (same ? before.masked.card_issuer : renewed.card_issuer),
      ...(given.issuer_country_code && { card_issuing_country_code: given.issuer_country_code }),
      card_issuing_country: given.issuer_country ?? (same ? before.masked.card_issuing_country : renewed.card_issuing_country),
      card_holder_name: given.card_holder_name ?? before.masked.card_holder_name,
      nick_name: given.nick_name ?? before.masked.nick_name,
    }
    const updated: Method = {
      ...before,
      status: after(lifecycle, before.status, 'renewed'),
      masked,
      fingerprint: masked.fingerprint,
      recurring: same ? before.recurring : agreementOfNewNumber(before, masked),
      modified_at: context.now(),
    }
    const rows: RowChange[] = [{ table: paymentMethods.name, before, after: updated }]
    if (!same) rows.push(await keepNumber(context, updated, read.number.reveal(), 'there'))
    return { before: customer, after: { ...customer }, rows, answer: show(updated) }
  })
}

/** Processors' names of the card mean the old number; a network knows only transaction ids of its own cards. */
function agreementOfNewNumber({ recurring, masked }: Method, renewed: MaskedCard): Method['recurring'] {
  if (recurring === null) return null
  const isSameNetwork = masked?.card_network === renewed.card_network
  return { ...recurring, connectors: {}, ...(!isSameNetwork && { network_transaction_id: null, network_account: null }) }
}

/** Revokes the mandates that charge it. `of`: the customer to whom it must belong, else it is refused (HE_02). */
export async function deleteMethod(context: Context, merchant_id: string, id: string, of?: string) {
  const { customer_id } = await needMethod(context, merchant_id, id)
  if (of !== undefined && customer_id !== of) refuse('not_found', { what: 'payment method' })
  for (const { mandate_id } of await findMandatesOf(context, { merchant_id, customer_id, payment_method_id: id }))
    await endMandate(context, merchant_id, mandate_id)
  return move(context, 'customers', 'payment_method_deleted', async () => {
    const customer = await needCustomer(context, merchant_id, customer_id)
    const method = await needMethod(context, merchant_id, id)
    const default_payment_method_id = customer.default_payment_method_id === id ? null : customer.default_payment_method_id
    return {
      before: customer,
      after: { ...customer, default_payment_method_id },
      rows: forgetMethod(method),
      answer: { payment_method_id: id, deleted: true },
    }
  })
}

/** Refuses (IR_16) the current default, another customer's payment method, and one that cannot be paid with. */
export async function setDefault(context: Context, merchant_id: string, customer_id: string, id: string) {
  return move(context, 'customers', 'default_set', async () => {
    const customer = await needCustomer(context, merchant_id, customer_id)
    const method = await needMethod(context, merchant_id, id)
    if (method.customer_id !== customer_id) refuse('precondition', { problem: 'This payment method belongs to another customer' })
    if (!isPayable(method))
      refuse('precondition', {
        problem: `This payment method cannot be used for payments: it is ${method.recipient ? 'for payouts' : isKeptElsewhere(method) ? 'for off-session payments only' : isRecordOnly(method) ? 'stored as a record only' : method.status}`,
      })
    const { payment_method, payment_method_type } = method
    const answer = { default_payment_method_id: id, customer_id, payment_method, payment_method_type }
    if (customer.default_payment_method_id === id)
      refuse('precondition', {
        sentence: 'Payment Method is already set as default',
        problem: 'This payment method is the default already',
      })
    return { before: customer, after: { ...customer, default_payment_method_id: id }, answer }
  })
}

/** Refuses (IR_10) a customer with an active mandate. Personal data in mandates is erased. */
export async function rowsOfDeleted(context: Context, customer: CustomerRow): Promise<RowChange[]> {
  const { merchant_id, customer_id } = customer
  await needNoMandate(context, merchant_id, customer_id)
  return [
    ...(await forgetMethods(context, customer)),
    ...(await forgetCollectLinks(context, customer)),
    ...(await forgetAcceptances(context, merchant_id, customer_id)),
  ]
}

import { move } from '../accounts/rows.ts'
import { newId } from '../base/id.ts'
import { after } from '../base/lifecycle.ts'
import { checkAll, refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context, RowChange } from '../context.ts'
import { type CustomerRow, needCustomer, newCustomer } from '../customers/customer.ts'
import { checkBlocked } from '../guard/blocklist.ts'
import { card } from '../instruments/card.ts'
import { familyNamed } from '../instruments/families.ts'
import type { PaymentMethod } from '../instruments/methods.ts'
import { checkNetwork } from '../instruments/networks.ts'
import type { MaskedOther } from '../instruments/other.ts'
import { type CardSent, readCard } from '../instruments/read-card.ts'
import { checksOfFields, initialRowOf, storedMembers } from '../resources/read.ts'
import { accountBy, accountPlaces, isAccount, saveAccount } from './account.ts'
import { methodFields } from './fields.ts'
import { joinedAgreement, newIdFor, sameSaved } from './keep.ts'
import { lifecycle } from './lifecycle.ts'
import {
  findMethods,
  keepNumber,
  type Method,
  type MethodDetails,
  needMethod,
  newSecret,
  paymentMethods,
  type Recurring,
} from './method.ts'
import type { MethodAsk, SaveAsk } from './shape.ts'

/** Of a client_secret, and of a payment method that awaits its data. */
const SECRET_MS = 15 * 60_000

/** Saved with masked data only: no connector charges them again, so no number is stored. */
const recordedOnly = ['card_redirect', 'pay_later', 'bank_redirect', 'crypto', 'bank_debit'] as const satisfies readonly PaymentMethod[]
const savable: readonly PaymentMethod[] = ['card', ...accountPlaces, ...recordedOnly]
export const inputByBrowsers: readonly PaymentMethod[] = ['card']

export type Show<T> = (method: Method) => T

/** Rows to write in the same change. Refuses if the method may no longer be saved. */
type Beside = (method: Method) => Promise<RowChange[]>
const nothing: Beside = async () => []

/** `agreed`: the agreement by which a migrated card can be charged off-session. */
type With = { beside?: Beside; agreed?: Recurring | null }

/**
 * Without a customer_id, a customer is created. A card without data awaits them (`saveMethod`). The same card again is
 * the same payment method, updated with the new expiry and name. The first card becomes the customer's default.
 */
export async function createMethod<T>(
  context: Context,
  merchant_id: string,
  { bank_transfer_data, ...given }: MethodAsk,
  show: Show<T>,
  { beside = nothing, agreed = null }: With = {},
): Promise<T> {
  const ask: MethodAsk = bank_transfer_data ? { bank_transfer: bank_transfer_data, ...given } : given
  checkMethod(ask)
  const made = ask.customer_id === undefined ? newCustomer(context, merchant_id, {}) : null
  const customer_id = made?.customer_id ?? ask.customer_id!
  if (isAccount(ask.payment_method) && ask[ask.payment_method]) {
    const input = accountBy(ask, ask.payment_method, context.now())
    return saveAccount(context, newMethod(context, merchant_id, customer_id, ask), input, { show, made, beside })
  }
  const recorded = isRecorded(ask.payment_method) ? recordOf(context, merchant_id, ask, ask.payment_method) : null
  const sent = ask.card ?? ask.payment_method_data?.card
  const number = sent && readCard(sent, context.now(), ask.card ? 'card' : undefined).number.reveal()
  return move(context, 'customers', made ? 'created' : 'payment_method_saved', async () => {
    const customer = made ?? (await needCustomer(context, merchant_id, customer_id))
    const method = { ...newMethod(context, merchant_id, customer_id, ask), recurring: agreed }
    if (recorded || !sent || number === undefined) {
      const kept = recorded ? { ...method, ...recorded, details: { ...method.details, ...recorded.details } } : method
      return { before: made ? null : customer, after: { ...customer }, rows: [inserted(kept), ...(await beside(kept))], answer: show(kept) }
    }
    const { saved, ...stored } = await store(context, customer, null, method, sent, ask.card ? 'card' : PLACE)
    const rows = [...stored.rows, ...(await beside(saved))]
    return { ...stored, rows, answer: show(saved), ...(made && { before: null }) }
  })
}

const isRecorded = (payment_method: string): payment_method is (typeof recordedOnly)[number] =>
  (recordedOnly as readonly string[]).includes(payment_method)

function recordOf(context: Context, merchant_id: string, ask: MethodAsk, payment_method: (typeof recordedOnly)[number]) {
  const family = familyNamed(payment_method)!
  const sent = ask.payment_method_data?.[payment_method]
  if (sent && ask.payment_method_type === undefined) refuse('missing', { field: 'payment_method_type' })
  const paid_with = sent && family.mask(context.vault, merchant_id, family.read(sent, context.now(), ask.payment_method_type!), sent)
  return { status: after(lifecycle, 'new', 'stored'), details: paid_with ? { paid_with: paid_with as MaskedOther } : {} }
}

/** Refuses (IR_16) a method that awaits none, and (IR_06) a request about another payment method or customer. */
export async function saveMethod<T>(context: Context, merchant_id: string, id: string, ask: SaveAsk, show: Show<T>): Promise<T> {
  const awaiting = await needMethod(context, merchant_id, id)
  const { customer_id } = awaiting
  for (const name of ['customer_id', 'payment_method', 'payment_method_type'] as const)
    if (ask[name] !== undefined && awaiting[name] !== null && ask[name] !== awaiting[name])
      refuse('unacceptable', { field: name, problem: `must be ${awaiting[name]}, as the payment method was created with` })
  const sent = ask.payment_method_data?.card ?? ask.card ?? refuse('missing', { field: PLACE })
  return move(context, 'customers', 'payment_method_saved', async () => {
    const customer = await needCustomer(context, merchant_id, customer_id)
    const method = await needMethod(context, merchant_id, id)
    if (method.status !== 'awaiting_data')
      refuse('precondition', { problem: `This payment method does not need payment method data: it is ${method.status}` })
    if (method.payment_method !== 'card')
      refuse('unacceptable', { field: 'payment_method_data.card', problem: `does not belong to payment_method ${method.payment_method}` })
    const { saved, ...stored } = await store(context, customer, method, method, sent, PLACE)
    return { ...stored, answer: show(saved) }
  })
}

const PLACE = card.at

/** In the customer's method with this number, otherwise in this one. `at`: the member with the card, for errors. */
async function store(context: Context, customer: CustomerRow, before: Method | null, method: Method, sent: CardSent, at: string) {
  const { merchant_id, customer_id } = customer
  const read = readCard(sent, context.now())
  await checkBlocked(context, merchant_id, read.number.reveal())
  const given = { ...sent, ...(method.details.card_network && { card_network: method.details.card_network }) }
  const known = await context.bins.of(read.number.reveal().slice(0, 8))
  checkNetwork(given.card_network, known, method.details.card_network ? 'card_network' : `${at}.card_network`)
  const masked = card.mask(context.vault, merchant_id, read, given, known)
  const all = await findMethods(context, merchant_id, customer_id)
  const same = sameSaved(all, masked.fingerprint)
  const modified_at = context.now()
  if (same) {
    const renewed = {
      ...same,
      masked: { ...same.masked, ...masked, nick_name: masked.nick_name ?? same.masked?.nick_name ?? null },
      recurring: method.recurring ? joinedAgreement(same.recurring, method.recurring) : same.recurring,
      modified_at,
    }
    const rows: RowChange[] = [{ table: paymentMethods.name, before: same, after: renewed }]
    if (before) rows.push({ table: paymentMethods.name, before, after: null })
    return { before: customer, after: { ...customer }, rows, saved: renewed }
  }
  const status = after(lifecycle, before ? before.status : 'new', 'stored')
  // A concurrent payment that saves this card computes the same id.
  const payment_method_id = before ? before.payment_method_id : newIdFor(context, customer, masked.fingerprint, all)
  const stored: Method = { ...method, payment_method_id, status, masked, fingerprint: masked.fingerprint, modified_at }
  const default_payment_method_id = customer.default_payment_method_id ?? stored.payment_method_id
  const rows = [
    before ? { table: paymentMethods.name, before, after: stored } : inserted(stored),
    await keepNumber(context, stored, read.number.reveal(), 'new'),
  ]
  return { before: customer, after: { ...customer, default_payment_method_id }, rows, saved: stored }
}

const inserted = (method: Method): RowChange => ({ table: paymentMethods.name, before: null, after: method })

const initialRow = initialRowOf(methodFields)

export function newMethod(context: Context, merchant_id: string, customer_id: string, ask: Omit<MethodAsk, 'customer_id'>): Method {
  const now = context.now()
  return {
    ...initialRow(storedMembers(methodFields, 'column', ask)),
    payment_method: ask.payment_method,
    merchant_id,
    payment_method_id: newId(context, 'pm_'),
    customer_id,
    status: after(lifecycle, 'new', 'awaited'),
    fingerprint: null,
    masked: null,
    recipient: null,
    details: storedMembers(methodFields, 'request', ask) as MethodDetails,
    recurring: null,
    client_secret: newSecret(context),
    secret_expires_at: later(now, SECRET_MS),
    last_used_at: now,
    created: now,
    modified_at: now,
  }
}

function checkMethod(ask: MethodAsk): void {
  const { payment_method, payment_method_type } = ask
  checkAll(checksOfFields(methodFields, ask, null))
  if (!savable.includes(payment_method)) refuse('not_supported', { problem: `payment_method ${payment_method} cannot be saved` })
  for (const member of accountPlaces)
    if (ask[member] && member !== payment_method)
      refuse('unacceptable', { field: member, problem: `does not belong to payment_method ${payment_method}` })
  if (isAccount(payment_method)) {
    for (const member of ask[payment_method] ? (['card', 'payment_method_data', 'card_network'] as const) : [])
      if (ask[member]) refuse('unacceptable', { field: member, problem: `does not belong to payment_method ${payment_method}` })
    if (ask[payment_method]) return
  }
  for (const member of Object.keys(ask.payment_method_data ?? {}))
    if (member !== payment_method)
      refuse('unacceptable', { field: `payment_method_data.${member}`, problem: `does not belong to payment_method ${payment_method}` })
  if (ask.card && payment_method !== 'card')
    refuse('unacceptable', { field: 'card', problem: `does not belong to payment_method ${payment_method}` })
  if (payment_method_type !== undefined && !familyNamed(payment_method)?.types.includes(payment_method_type))
    refuse('unacceptable', {
      field: 'payment_method_type',
      problem: `${payment_method_type} does not belong to payment_method ${payment_method}`,
    })
  if (ask.card && ask.payment_method_data)
    refuse('unacceptable', { field: 'payment_method_data', problem: 'and card cannot be sent together' })
}

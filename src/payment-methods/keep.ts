import { move } from '../accounts/rows.ts'
import { after } from '../base/lifecycle.ts'
import { later } from '../base/time.ts'
import type { Context, RowChange } from '../context.ts'
import { type CustomerRow, customers, findCustomer, needCustomer, newCustomer } from '../customers/customer.ts'
import { changeTo } from '../database/change-to.ts'
import type { MaskedCard } from '../instruments/card.ts'
import type { MaskedOther } from '../instruments/other.ts'
import type { MaskedRecipient } from '../instruments/recipient.ts'
import { initialRowOf } from '../resources/read.ts'
import { methodFields } from './fields.ts'
import { lifecycle } from './lifecycle.ts'
import { findMethods, isUsable, keepNumber, type Method, newSecret, paymentMethods, type Recurring } from './method.ts'

/** Saves the payment method that a payment or a payout used. */

type Owner = Pick<Method, 'merchant_id' | 'customer_id'>

/** Of the saved one, otherwise derived from the card: two concurrent payments that save it compute the same id. */
export async function idFor(context: Pick<Context, 'query' | 'vault'>, owner: Owner, fingerprint: string): Promise<string> {
  const { merchant_id, customer_id } = owner
  const all = await findMethods(context, merchant_id, customer_id)
  return sameSaved(all, fingerprint)?.payment_method_id ?? newIdFor(context, owner, fingerprint, all)
}

/** `all`: the customer's payment methods. */
export function newIdFor(
  context: Pick<Context, 'vault'>,
  { merchant_id, customer_id }: Owner,
  fingerprint: string,
  all: readonly Method[],
): string {
  for (let i = 0; ; i++) {
    const digest = context.vault.digest('payment method of a customer', `${merchant_id}\n${customer_id}\n${fingerprint}\n${i}`)
    const id = `pm_${digest.slice(0, 20)}`
    // A payment method whose number was changed keeps its id: the id is not free, although the card is.
    if (!all.some(one => one.payment_method_id === id)) return id
  }
}

/** A customer has at most one for each card or account. */
export const sameSaved = (all: readonly Method[], fingerprint: string | null): Method | undefined =>
  all.find(one => isUsable(one) && one.fingerprint === fingerprint)

/**
 * A card (`masked`), another method that can be charged off-session (`paid_with`), or one to pay to (`recipient`).
 * `number`: in clear, for the vault, if the method may be new. `recurring`: the new data for charging it.
 */
export type Keeping = Owner & {
  payment_method_id: string
  payment_method: string
  fingerprint: string
  masked: MaskedCard | null
  paid_with?: MaskedOther
  recipient: MaskedRecipient | null
  number: string | null
  recurring: Recurring
  payment_method_type: string | null
}

/**
 * Saves a payment method, or adds the new data for charging it; repeating has no further effect. Returns the id under
 * which it is saved: null if the customer was deleted, or if the merchant has deleted the payment method or changed its
 * number meanwhile; another id than the announced one if one that awaited its data received the same card.
 */
export async function keepMethod(context: Context, keeping: Keeping): Promise<string | null> {
  const { merchant_id, customer_id, payment_method_id, fingerprint, masked, recipient, number } = keeping
  await needRow(context, keeping)
  return move(context, customers.name, 'payment_method_saved', async () => {
    const customer = await findCustomer(context, merchant_id, customer_id)
    if (!customer || customer.redacted_at !== null) return { answer: null }
    const all = await findMethods(context, merchant_id, customer_id)
    const found = all.find(one => one.payment_method_id === payment_method_id) ?? sameSaved(all, fingerprint)
    if (found) {
      if (!isUsable(found) || found.fingerprint !== fingerprint) return { answer: null }
      const renewed: Method = {
        ...found,
        masked: masked && { ...found.masked, ...masked, nick_name: masked.nick_name ?? found.masked?.nick_name ?? null },
        recipient,
        recurring: joinedAgreement(found.recurring, keeping.recurring),
        modified_at: context.now(),
      }
      const rows: RowChange[] = [{ table: paymentMethods.name, before: found, after: renewed }]
      return { before: customer, after: { ...customer }, rows, answer: found.payment_method_id }
    }
    if (number === null) return { answer: null }
    const method = newMethod(context, keeping)
    const default_payment_method_id = customer.default_payment_method_id ?? (masked ? payment_method_id : null)
    const rows: RowChange[] = [
      { table: paymentMethods.name, before: null, after: method },
      await keepNumber(context, method, number, 'new'),
    ]
    return { before: customer, after: { ...customer, default_payment_method_id }, rows, answer: payment_method_id }
  })
}

/** A payment may have named only the id of a new customer. */
async function needRow(context: Context, { merchant_id, customer_id }: Owner): Promise<void> {
  if (await findCustomer(context, merchant_id, customer_id)) return
  const after = newCustomer(context, merchant_id, { customer_id })
  await context.commit(changeTo(context, customers.name, { before: null, after }, 'created'))
}

/** The latest id counts. The account at which the cardholder agreed is kept as long as the id is the same. */
function networkOf(before: Recurring | null, now: Recurring): Pick<Recurring, 'network_transaction_id' | 'network_account'> {
  const { network_transaction_id, network_account = null } = before && now.network_transaction_id === null ? before : now
  const isSame = before?.network_transaction_id === network_transaction_id
  return { network_transaction_id, network_account: network_account ?? (isSame ? (before?.network_account ?? null) : null) }
}

/** Off-session usage once agreed stays; the latest ids of the network and of each connector account count. */
export const joinedAgreement = (before: Recurring | null, now: Recurring): Recurring => ({
  usage: before?.usage === 'off_session' ? 'off_session' : now.usage,
  ...networkOf(before, now),
  connectors: { ...before?.connectors, ...now.connectors },
})

const initialRow = initialRowOf(methodFields)

function newMethod(context: Context, { number: _sealed, paid_with, ...keeping }: Keeping): Method {
  const now = context.now()
  return {
    ...initialRow({}),
    ...keeping,
    status: after(lifecycle, after(lifecycle, 'new', 'used'), 'paid'),
    details: paid_with ? { paid_with } : {},
    client_secret: newSecret(context),
    secret_expires_at: later(now, 15 * 60_000),
    last_used_at: now,
    created: now,
    modified_at: now,
  }
}

/** `made`: the new customer to create with the method, if any. `beside`: the rows to write with it. */
export type Saving<T> = { show: (method: Method) => T; made: CustomerRow | null; beside: (method: Method) => Promise<RowChange[]> }

/** `fingerprint`: of the same one. `lasting`: for the vault. `columns`: the new ones, given the saved method. */
type Sealed = { fingerprint: string; lasting: string; columns: (same: Method | undefined) => Partial<Method> }

/** The same account or token again is the same payment method, updated with the new data. */
export async function saveSealed<T>(
  context: Context,
  method: Method,
  { fingerprint, lasting, columns }: Sealed,
  { show, made, beside }: Saving<T>,
): Promise<T> {
  const { merchant_id, customer_id } = method
  return move(context, 'customers', made ? 'created' : 'payment_method_saved', async () => {
    const customer = made ?? (await needCustomer(context, merchant_id, customer_id))
    const all = await findMethods(context, merchant_id, customer_id)
    const same = sameSaved(all, fingerprint)
    const stored: Method = {
      ...method,
      ...same,
      ...columns(same),
      payment_method_id: same?.payment_method_id ?? newIdFor(context, customer, fingerprint, all),
      status: same ? same.status : after(lifecycle, 'new', 'stored'),
      fingerprint,
      modified_at: context.now(),
    }
    const rows = [
      { table: paymentMethods.name, before: same ?? null, after: stored },
      await keepNumber(context, stored, lasting, same ? 'there' : 'new'),
      ...(await beside(stored)),
    ]
    return { before: made ? null : customer, after: { ...customer }, rows, answer: show(stored) }
  })
}

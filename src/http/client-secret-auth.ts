import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { needCollectLink, noCollectLink } from '../payment-methods/collect-link.ts'
import { findMethodBySecret, type Method, needMethod } from '../payment-methods/method.ts'
import { needPayment } from '../payments/begin-on-payment.ts'
import { paymentOfLink } from '../payments/checkout/payment-link.ts'
import type { Payment } from '../payments/payment.ts'
import { needPayout } from '../payouts/begin-on-payout.ts'
import type { ClientSecretOf, Endpoint } from './endpoint.ts'
import { checkClientSecret, type Who } from './who.ts'

/** What a browser's client_secret opens, and until when. `payment`: if it is one. */
type Opened = { id: string; client_secret: string; expires_on: string; payment: Payment | null }

const openedPayment = (payment: Payment): Opened => ({ ...payment, id: payment.payment_id, payment })
const openedMethod = ({ payment_method_id, client_secret, secret_expires_at }: Method): Opened => ({
  id: payment_method_id,
  client_secret,
  expires_on: secret_expires_at,
  payment: null,
})

/** What it opens where: refused if it is another's, or its session is over. */
const opens: Record<
  ClientSecretOf,
  (context: Context, merchant_id: string, path: Record<string, string>, client_secret: string) => Promise<Opened>
> = {
  payment: async (context, merchant_id, path) => openedPayment(await needPayment(context, merchant_id, path.payment_id!)),
  payout: async (context, merchant_id, path) => ({
    ...(await needPayout(context, merchant_id, path.payout_id!)),
    id: path.payout_id!,
    payment: null,
  }),
  'collect link': async (context, merchant_id, path) => ({
    ...(path.merchant_id === merchant_id ? await needCollectLink(context, merchant_id, path.pm_collect_link_id!) : noCollectLink()),
    id: path.pm_collect_link_id!,
    payment: null,
  }),
  'payment link': async (context, merchant_id, path) =>
    openedPayment(await needPayment(context, merchant_id, paymentOfLink(path.payment_link_id!))),
  'payment of customer': async (context, merchant_id, { customer_id }, client_secret) => {
    const payment = await needPayment(context, merchant_id, paymentOfSecret(client_secret))
    return payment.customer_id === customer_id ? openedPayment(payment) : refuse('not_found', { what: 'customer' })
  },
  'payment method': async (context, merchant_id, path) => openedMethod(await needMethod(context, merchant_id, path.payment_method_id!)),
  'any payment': async (context, merchant_id, _path, client_secret) =>
    openedPayment(await needPayment(context, merchant_id, paymentOfSecret(client_secret))),
  // That of a payment method names none, so it is looked for by the secret itself.
  'any payment or payment method': async (context, merchant_id, path, client_secret) => {
    const method = client_secret.startsWith('pm_') ? await findMethodBySecret(context, merchant_id, client_secret) : undefined
    return method ? openedMethod(method) : opens['any payment'](context, merchant_id, path, client_secret)
  },
}

/** A client_secret begins with the id of its payment (contract 2.3). */
const paymentOfSecret = (client_secret: string): string => client_secret.slice(0, Math.max(0, client_secret.lastIndexOf('_secret_')))

/**
 * What the caller's client_secret opens on this path; null if they came with none. Refuses one of another object, and
 * a browser's whose session is over: the merchant's server needs no session, and only names what it asks about.
 */
export async function openBySecret(
  endpoint: Endpoint,
  caller: Who,
  path: Record<string, string>,
  context: Context,
): Promise<Opened | null> {
  if ((caller.is !== 'client' && caller.is !== 'secret') || caller.client_secret === undefined) return null
  const opened = await opens[endpoint.clientSecretOf!](context, caller.merchant.merchant_id, path, caller.client_secret)
  checkClientSecret(opened, caller.client_secret, caller.is === 'client' ? context.now() : null)
  return opened
}

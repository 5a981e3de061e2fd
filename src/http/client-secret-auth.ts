import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { needCollectLink, noCollectLink } from '../payment-methods/collect-link.ts'
import { findMethodBySecret, type Method, needMethod } from '../payment-methods/method.ts'
import { paymentOfLink } from '../payments/checkout/payment-link.ts'
import type { Payment } from '../payments/payment.ts'
import { needPayment } from '../payments/rows.ts'
import { needPayout } from '../payouts/payout.ts'
import { same, type Who } from './credentials.ts'
import type { ClientSecretOf, Endpoint } from './endpoint.ts'

/** The object that a browser's client_secret opens, and its session's end. `payment`: if it is one, else null. */
type Opened = { id: string; client_secret: string; expires_on: string; payment: Payment | null }

const openedPayment = (payment: Payment): Opened => ({ ...payment, id: payment.payment_id, payment })
const openedMethod = ({ payment_method_id, client_secret, secret_expires_at }: Method): Opened => ({
  id: payment_method_id,
  client_secret,
  expires_on: secret_expires_at,
  payment: null,
})

/** By the kind that the operation names. Refuses the secret of another object and a session that is over. */
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
  // A payment method's client_secret does not contain its id, so it is looked up by the secret.
  'any payment or payment method': async (context, merchant_id, path, client_secret) => {
    const method = client_secret.startsWith('pm_') ? await findMethodBySecret(context, merchant_id, client_secret) : undefined
    return method ? openedMethod(method) : opens['any payment'](context, merchant_id, path, client_secret)
  },
}

/** Returns the payment id at the beginning of a client_secret (contract 2.3). */
const paymentOfSecret = (client_secret: string): string => client_secret.slice(0, Math.max(0, client_secret.lastIndexOf('_secret_')))

/** Null without client_secret. Refuses another object's, and a browser's (not a server's) after its session. */
export async function openBySecret(
  endpoint: Endpoint,
  caller: Who,
  path: Record<string, string>,
  context: Context,
): Promise<Opened | null> {
  if ((caller.is !== 'client' && caller.is !== 'secret') || caller.client_secret === undefined) return null
  const opened = await opens[endpoint.clientSecretOf!](context, caller.merchant.merchant_id, path, caller.client_secret)
  // The token of an SDK is one credential: clients of the ecosystem expect one that has expired to be unknown.
  if (caller.is === 'client' && caller.byToken && opened.expires_on <= context.now()) refuse('key_missing_or_unknown')
  if (!same(opened.client_secret, caller.client_secret)) refuse('client_secret_mismatch')
  if (caller.is === 'client' && opened.expires_on <= context.now()) refuse('client_secret_expired')
  return opened
}

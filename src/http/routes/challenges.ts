import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { refuse } from '../../base/refusal.ts'
import { onwardOf, postedForm } from '../../connectors/next-action.ts'
import { keepReturn } from '../../operations/customer-return.ts'
import { mayBrowserAsk } from '../../operations/query-limits.ts'
import { forceSync } from '../../operations/sync.ts'
import { outcomePage } from '../../pages/outcome.ts'
import { linkPage, standing } from '../../pages/payment-link.ts'
import { formPage, onwardPage } from '../../pages/plain.ts'
import { isPaidOnLink, linkOf } from '../../payments/checkout/payment-link.ts'
import { attemptId, ownerOf, type Payment } from '../../payments/payment.ts'
import { needPayment } from '../../payments/rows.ts'
import { checkoutsOf, comesBackFramed, isWeb, returnAddress, returnUrlOf } from '../../payments/three-ds/return-page.ts'
import { anyone } from '../auth.ts'
import { sentByForm, wantsPage } from '../customer-page.ts'
import { type ApiRequest, endpoint, type Result } from '../endpoint.ts'
import { pageQuery, visitOf } from './payment-links.ts'

/** The addresses that a customer's browser visits between the shop and the bank. */

type ReturnPath = { merchant_id: string; payment_id: string; attempt_id?: string; request_id?: string; connector?: string }

/**
 * Finds the payment of a link that a customer's browser opens without a credential. The link in `next_action` names
 * payment, merchant and attempt. The link with which the processor sends the customer back ends in the request id of
 * the authorization, which cannot be guessed, because its answer carries the client_secret. A return link without the
 * request id names only the connector, and its answer carries no secret.
 */
async function visited({ service, context, path }: ApiRequest<null, ReturnPath>): Promise<{ merchant: Merchant; payment: Payment }> {
  const { merchant_id, payment_id, attempt_id, request_id, connector } = path
  const merchant = (await service.settings.merchant(merchant_id)) ?? refuse('not_found', { what: 'payment' })
  const payment = await needPayment(context, merchant.merchant_id, payment_id)
  const { authorization_request_id } = payment
  const right =
    request_id !== undefined
      ? request_id === authorization_request_id
      : attempt_id !== undefined
        ? attempt_id === attemptId(payment)
        : connector === payment.connector && authorization_request_id !== null
  return right ? { merchant, payment } : refuse('not_found', { what: 'payment' })
}

async function customerReturned(call: ApiRequest<null, ReturnPath>): Promise<Result> {
  const { merchant, payment } = await visited(call)
  // The return itself proves nothing: it makes the service query the processor, with the data of the return if needed.
  const named = call.path.request_id !== undefined
  // Data on a link that can be guessed may come from a stranger, and must not replace that of the customer.
  if (named) await keepReturn(call.context, merchant.merchant_id, payment.authorization_request_id!, { ...call.query, ...sentByForm(call) })
  const context = { ...call.context, by: 'customer' }
  // Strangers who guess the address do not use up the queries of the customer.
  const now = mayBrowserAsk(call.services, context, named ? payment.authorization_request_id! : payment.payment_id)
    ? await forceSync({ services: call.services, merchant, context }, payment, ownerOf(payment))
    : payment
  // A customer whose payment has a payment link sees the result on the link's page, or tries again there.
  if (isPaidOnLink(merchant, now, call.services.publicUrl)) return { redirect: linkOf(merchant, now, call.services.publicUrl).link }
  const framed = comesBackFramed(merchant, now)
  const shop = returnUrlOf(merchant, now)
  if (shop === undefined && wantsPage(call.headers)) return outcomePage(merchant, now, named ? 'amount' : 'no amount', framed)
  const byForm = shop !== undefined && isWeb(shop) && profileSetting(merchant, now.profile_id, 'redirect_to_merchant_with_http_post')
  const disclosure = !named ? 'no secret' : byForm ? 'no amount' : 'all'
  const address = returnAddress(call.context.vault, merchant, now, call.context.now(), disclosure)
  if (byForm) return formPage(shop, new URL(address).searchParams, { target: framed ? '_top' : '_self', framed })
  // A redirect would load the shop's page into the checkout's iframe.
  return framed ? onwardPage(address, checkoutsOf(merchant, now)) : { redirect: address }
}

/** Shows a next action that the checkout does not know. Once the payment is decided, the customer goes to the shop. */
async function showNextActionPage(call: ApiRequest<null, ReturnPath, { locale?: string }>): Promise<Result> {
  const { merchant, payment } = await visited(call)
  const { context, services } = call
  const now = context.now()
  if (isPaidOnLink(merchant, payment, services.publicUrl)) return { redirect: linkOf(merchant, payment, services.publicUrl).link }
  const framed = comesBackFramed(merchant, payment)
  if (standing({ merchant, payment, now }) !== 'under way') {
    if (returnUrlOf(merchant, payment) === undefined) return outcomePage(merchant, payment, 'amount', framed)
    const address = returnAddress(context.vault, merchant, payment, now)
    return framed ? onwardPage(address, checkoutsOf(merchant, payment)) : { redirect: address }
  }
  const page = { framed: framed && ('by the checkout' as const), root: '../../../../', publicUrl: services.publicUrl }
  return linkPage({ ...visitOf(call, merchant), vault: context.vault, payment, ...page })
}

export const challenges = [
  endpoint('GET /payments/{payment_id}/{merchant_id}/waiting/{request_id}', 'showWaitingPage', {
    title: 'Show the waiting page of a payment',
    description:
      "Shows the customer what to do next (confirm in an app, scan a code, enter a code) when their checkout does not support the next action, polls the payment, and redirects them to the merchant's return_url once the payment is decided. Browsers that send `X-Next-Actions: all` receive the action itself.",
    auth: anyone,
    query: pageQuery,
    answers: 'page',
    redirects: true,
    run: showNextActionPage,
  }),
  endpoint('GET /payments/redirect/{payment_id}/{merchant_id}/{attempt_id}', 'startChallenge', {
    title: 'Start a challenge',
    description: "Redirects the customer to the processor's challenge (the URL in next_action).",
    auth: anyone,
    answers: 'redirect',
    errors: ['no_return_url'],
    run: async call => {
      const { merchant, payment } = await visited(call)
      // The challenge is over: a link that could be guessed must not report anything to the shop.
      const { publicUrl } = call.services
      const over = isPaidOnLink(merchant, payment, publicUrl) ? linkOf(merchant, payment, publicUrl).link : returnUrlOf(merchant, payment)
      const onward = onwardOf(payment.next_action) ?? over
      const form = postedForm(payment.next_action)
      if (form && onward !== undefined) {
        const framed = comesBackFramed(merchant, payment)
        return formPage(onward, Object.entries(form), { framed }, ['Redirecting to your bank', 'Continue to your bank'])
      }
      if (onward !== undefined) return { redirect: new URL(onward).href }
      return wantsPage(call.headers) ? outcomePage(merchant, payment, 'no amount') : refuse('no_return_url')
    },
  }),
  endpoint('GET /payments/{payment_id}/{merchant_id}/redirect/response/{connector}/{request_id}', 'customerReturned', {
    title: 'Return from a challenge',
    description:
      "Receives the customer after the challenge, syncs the payment with the processor, and redirects the customer to the merchant's return_url.",
    auth: anyone,
    answers: 'redirect',
    errors: ['no_return_url'],
    run: customerReturned,
  }),
  endpoint('GET /payments/{payment_id}/{merchant_id}/redirect/response/{connector}', 'customerReturnedUnnamed', {
    title: 'Return from a challenge, without its request',
    description:
      'Same as above for the payment’s latest authorization. Because this URL can be guessed, the return_url receives the status, but neither the client_secret nor the amount.',
    auth: anyone,
    answers: 'redirect',
    errors: ['no_return_url'],
    run: customerReturned,
  }),
  endpoint('POST /payments/{payment_id}/{merchant_id}/redirect/response/{connector}/{request_id}', 'customerReturnedByPost', {
    title: 'Return from a challenge, by form',
    description: 'Same as above, for processors that return the customer with a form POST.',
    auth: anyone,
    answers: 'redirect',
    errors: ['no_return_url'],
    rawBody: true,
    run: customerReturned,
  }),
]

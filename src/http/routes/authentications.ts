import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { connectors } from '../../connectors/all.ts'
import { transactionStatuses } from '../../connectors/authentication.ts'
import { onwardOf, THREE_DS_POLL } from '../../connectors/next-action.ts'
import { findOperationByRequest, type Operation } from '../../operations/operation.ts'
import { forceSync } from '../../operations/sync.ts'
import { outcomePage } from '../../pages/outcome.ts'
import { onwardPage, pollPage } from '../../pages/plain.ts'
import { isPaidOnLink, linkOf } from '../../payments/checkout/payment-link.ts'
import { ownerOf, type Payment } from '../../payments/payment.ts'
import { needPayment } from '../../payments/rows.ts'
import { askIssuer, askIssuerShape } from '../../payments/three-ds/ask-issuer.ts'
import { nativeOf } from '../../payments/three-ds/external-three-ds.ts'
import { challengeEnded, isUntouched } from '../../payments/three-ds/native-three-ds.ts'
import { checkoutsOf, returnAddress, returnUrlOf, startPage, waitingPage } from '../../payments/three-ds/return-page.ts'
import { schema, text, texts } from '../answer-shapes.ts'
import { anyone } from '../auth.ts'
import { sentByForm } from '../customer-page.ts'
import { type ApiRequest, endpoint, type Result } from '../endpoint.ts'

/** Authentication in the checkout, by the processor or apart from it: requests of checkouts, and customers' returns. */

const issuerAnswer = schema('IssuerAnswer', {
  trans_status: Type.Enum([...transactionStatuses], {
    description: 'C: redirect the customer to acs_url; otherwise to three_ds_authorize_url',
  }),
  ...texts('acs_url challenge_request challenge_request_key acs_reference_number acs_trans_id three_dsserver_trans_id'),
  ...texts('acs_signed_content three_ds_requestor_url three_ds_requestor_app_url error_message'),
})

type Found = { merchant: Merchant; payment: Payment; authentication: Operation }

/** Finds an authentication by the request id of its operation, which cannot be guessed. */
async function findAuthentication(
  { service, context }: Pick<ApiRequest, 'service' | 'context'>,
  merchant_id: string,
  request_id: string,
): Promise<Found | null> {
  const merchant = await service.settings.merchant(merchant_id)
  const authentication = merchant && (await findOperationByRequest(context, merchant_id, request_id))
  if (!merchant || !authentication || !authenticates(authentication)) return null
  return { merchant, authentication, payment: await needPayment(context, merchant_id, authentication.object_id) }
}

/** An authentication authenticates the customer, and so does an authorization at a processor that does so itself. */
const authenticates = ({ verb, connector }: Operation): boolean =>
  verb === 'authenticate' || (verb === 'authorize' && connectors[connector]?.returned?.native === true)

const isUndecided = (payment: Payment, { n, verb }: Operation): boolean =>
  verb === 'authenticate' ? payment.alone === n : payment.authorization_n === n && payment.status === 'requires_customer_action'

type ChallengePath = { merchant_id: string; payment_id: string; request_id: string }

/**
 * Handles the return of a customer from the issuer's challenge: the 3-D Secure directory is queried, and the payment
 * goes on. In an iframe, the answer is a page that tells the checkout where to go on, or to poll.
 */
async function authenticated(call: ApiRequest<null, ChallengePath>): Promise<Result> {
  const { merchant_id, payment_id, request_id } = call.path
  const found = await findAuthentication(call, merchant_id, request_id)
  if (!found || found.payment.payment_id !== payment_id) return refuse('not_found', { what: 'payment' })
  const { merchant, authentication } = found
  const visit = { services: call.services, merchant, context: { ...call.context, by: 'customer' } } as const
  const form = sentByForm(call)
  if (form.cres !== undefined) await challengeEnded(visit, found.payment, form.cres)
  const now = await forceSync(visit, found.payment, ownerOf(found.payment))
  if (isPaidOnLink(merchant, now, call.services.publicUrl)) return { redirect: linkOf(merchant, now, call.services.publicUrl).link }
  // The client only sends its customer here: a page of this service does the rest.
  const isSent = nativeOf(now) !== null && Object.keys(form).length === 0 && (await isUntouched(visit, now))
  if (isSent) return { redirect: waitingPage(call.services.publicUrl, now) }
  // The processor redirects its customer to a page of its own after all.
  if (onwardOf(now.next_action) !== null) return onwardPage(startPage(call.services.publicUrl, now), checkoutsOf(merchant, now))
  if (returnUrlOf(merchant, now) === undefined) return outcomePage(merchant, now, 'amount', true)
  const address = returnAddress(call.context.vault, merchant, now, call.context.now())
  const checkouts = checkoutsOf(merchant, now)
  // A checkout that must poll receives the interval and the number of polls, as texts.
  if (!isUndecided(now, authentication)) return onwardPage(address, checkouts)
  const { delay_in_secs, frequency } = THREE_DS_POLL
  const poll = { poll_id: `${merchant_id}_${request_id}`, delay_in_secs: String(delay_in_secs), frequency: String(frequency) }
  return pollPage(address, poll, checkouts)
}

const ofVisits = { auth: anyone, answers: 'page', redirects: true, errors: ['no_return_url'] } as const

export const authentications = [
  endpoint('POST /payments/{payment_id}/3ds/authentication', 'askIssuer', {
    title: 'Authenticate a payment with the issuer',
    description:
      "Requests authentication from the customer's issuer (next_action three_ds_invoke). Repeated calls return the same result. Where the processor authenticates the customer itself, this continues the payment, which is decided then unless the issuer wants a challenge.",
    auth: { credential: 'client' },
    clientSecretOf: 'payment',
    body: askIssuerShape,
    answers: issuerAnswer,
    errors: ['connector_refused', 'authentication_unanswered'],
    example: {
      summary: 'In a browser, after the hidden page of the issuer',
      value: { device_channel: 'BRW', threeds_method_comp_ind: 'Y' },
    },
    json: call => askIssuer(call, call.path.payment_id, call.body),
  }),
  endpoint('GET /poll/status/{poll_id}', 'pollStatus', {
    title: 'Poll an authentication',
    description:
      'Reports whether an authentication in the checkout is complete; if completed, retrieve the payment. The id is in the next action. The publishable key is sufficient.',
    auth: { credential: 'publishable' },
    answers: schema('Poll', { poll_id: text, status: Type.Enum(['pending', 'completed']) }),
    json: async call => {
      const { poll_id } = call.path
      const { merchant_id } = call.merchant
      const request_id = poll_id.startsWith(`${merchant_id}_`) ? poll_id.slice(merchant_id.length + 1) : ''
      const found = (await findAuthentication(call, merchant_id, request_id)) ?? refuse('not_found', { what: 'poll' })
      return { poll_id, status: isUndecided(found.payment, found.authentication) ? 'pending' : 'completed' }
    },
  }),
  endpoint('GET /payments/{payment_id}/{merchant_id}/authorize/{connector}/{request_id}', 'customerAuthenticated', {
    title: 'Return from an authentication',
    description:
      'Continues a payment after an authentication in the checkout: authorizes it and returns the URL where the customer continues. Customers whom the processor authenticates itself, and who come here first, are authenticated by a page of ours. Repeated calls change nothing.',
    ...ofVisits,
    run: authenticated,
  }),
  endpoint('POST /payments/{payment_id}/{merchant_id}/authorize/{connector}/{request_id}', 'customerAuthenticatedByPost', {
    title: 'Return from an authentication, by form',
    description: 'Same as above, for customers redirected here by checkouts and issuers.',
    ...ofVisits,
    rawBody: true,
    run: authenticated,
  }),
]

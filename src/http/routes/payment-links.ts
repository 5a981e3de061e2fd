import Type from 'typebox'
import { checkLinkToken } from '../../accounts/link-token.ts'
import type { Merchant } from '../../accounts/merchant.ts'
import { businessLinkConfig } from '../../accounts/payment-link-config.ts'
import { randomAlphanumeric } from '../../base/id.ts'
import { refuse } from '../../base/refusal.ts'
import { shortText, strictObject } from '../../base/shapes.ts'
import { linkPage, standing } from '../../pages/payment-link.ts'
import type { Visit } from '../../pages/visit.ts'
import { hasLink, linkConfigOf, linkId, linkOf, paymentOfLink } from '../../payments/checkout/payment-link.ts'
import type { Payment } from '../../payments/payment.ts'
import { needPayment } from '../../payments/rows.ts'
import { returnAddress } from '../../payments/three-ds/return-page.ts'
import { initiatingMerchant } from '../../show/members.ts'
import { minor, schema, text, texts, time, times } from '../answer-shapes.ts'
import { anyone } from '../auth.ts'
import { type ApiRequest, endpoint, type Result, tagged } from '../endpoint.ts'

const linkAnswer = schema('RetrievedPaymentLink', {
  payment_link_id: text,
  merchant_id: text,
  link_to_pay: text,
  amount: minor,
  created_at: time,
  status: Type.Enum(['active', 'expired']),
  ...texts('processor_merchant_id description currency secure_link'),
  ...times('expiry'),
})

const locale = Type.Optional({ ...shortText, description: 'Language: en, de or fr' })
export const pageQuery = Type.Object({ locale })
export const linkPageQuery = Type.Object({
  locale,
  token: Type.Optional({ ...shortText, description: 'Id in the link, if set by the merchant' }),
})

const withLink = (payment: Payment): Payment => (hasLink(payment) ? payment : refuse('not_found', { what: 'payment link' }))

/** Returns the visit of a customer's browser to a page of this merchant. */
export function visitOf(
  { service, context, query, headers }: Pick<ApiRequest, 'service' | 'context' | 'headers'> & { query: { locale?: string } },
  merchant: Merchant,
): Visit {
  const accept = headers['accept-language']
  return {
    merchant,
    now: context.now(),
    mode: service.mode,
    locale: query.locale,
    acceptLanguage: typeof accept === 'string' ? accept : undefined,
    nonce: randomAlphanumeric(context, 24),
  }
}

type LinkRequest = ApiRequest<null, { merchant_id: string; payment_id: string }, { locale?: string; token?: string }>

/** The page is for every holder of its URL, without a credential. */
async function visit(call: LinkRequest, framed: boolean): Promise<Result> {
  const { service, context, path, query, services } = call
  const merchant = (await service.settings.merchant(path.merchant_id)) ?? refuse('not_found', { what: 'payment link' })
  const payment = withLink(await needPayment(context, merchant.merchant_id, path.payment_id))
  checkLinkToken({ ...payment, id: payment.payment_id }, query.token, 'payment link')
  if (framed && !businessLinkConfig(merchant, payment.profile_id).allowed_domains?.length) refuse('not_found', { what: 'payment link' })
  const now = context.now()
  if (linkConfigOf(merchant, payment).skip_status_screen && standing({ merchant, payment, now }) === 'over')
    return { redirect: returnAddress(context.vault, merchant, payment, now) }
  return linkPage({ ...visitOf(call, merchant), vault: context.vault, payment, framed, publicUrl: services.publicUrl })
}

export const paymentLinkRoutes = tagged(
  'Payment links',
  'A payment created with `payment_link: true` has its own page: send the customer the URL in `payment_link.link`. The page shows the payment, accepts cards and the other enabled payment methods, handles 3-D Secure, and redirects to your `return_url`. Set its appearance in the `payment_link_config` of the payment or its business profile.',
  { confidential: 'personal data', sdk: ['paymentLinks', 'PaymentLink'] },
  [
    endpoint('GET /payment_link/{payment_link_id}', 'retrievePaymentLink', {
      title: 'Retrieve a payment link',
      description:
        'Retrieves a payment link. It is active until its session expires (`session_expiry` of the payment or its business profile).',
      auth: { credential: 'secret or client', permission: 'payments:read', scope: 'profile' },
      clientSecretOf: 'payment link',
      query: strictObject({ client_secret: Type.Optional(Type.String()) }),
      answers: linkAnswer,
      json: async ({ context, merchant, path, opened, services }) => {
        const payment = withLink(opened ?? (await needPayment(context, merchant.merchant_id, paymentOfLink(path.payment_link_id))))
        const { link, secure_link } = linkOf(merchant, payment, services.publicUrl)
        return {
          payment_link_id: linkId(payment),
          merchant_id: initiatingMerchant(payment),
          processor_merchant_id: merchant.merchant_id,
          link_to_pay: link,
          amount: payment.amount,
          created_at: payment.created,
          expiry: payment.expires_on,
          description: payment.request.description ?? null,
          status: payment.expires_on > context.now() ? 'active' : 'expired',
          currency: payment.currency,
          secure_link,
        }
      },
    }),
    endpoint('GET /payment_link/{merchant_id}/{payment_id}', 'showPaymentLink', {
      title: 'Open a payment link',
      description: "Returns the payment link's page, where the customer pays and sees the result.",
      auth: anyone,
      query: linkPageQuery,
      answers: 'page',
      redirects: true,
      run: call => visit(call, false),
    }),
    endpoint('GET /payment_link/s/{merchant_id}/{payment_id}', 'showSecurePaymentLink', {
      title: 'Open a payment link in an iframe',
      description:
        "Returns the payment link's page for embedding in a frame. Only the domains allowed by the business profile (`payment_link_config.allowed_domains`) can embed it.",
      auth: anyone,
      query: linkPageQuery,
      answers: 'page',
      redirects: true,
      run: call => visit(call, true),
    }),
  ],
)

import Type from 'typebox'
import { opensLink } from '../../accounts/link-token.ts'
import { orNull } from '../../base/shapes.ts'
import { collectPage } from '../../pages/collect-link.ts'
import { collectShape, submitCollectLink } from '../../payment-methods/collect.ts'
import { addressOf, collectLinkShape, createCollectLink, needCollectLink, noCollectLink } from '../../payment-methods/collect-link.ts'
import { schema, text, texts, time } from '../answer-shapes.ts'
import { anyone } from '../auth.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { linkPageQuery, visitOf } from './payment-links.ts'

const linkAnswer = schema('PaymentMethodCollectLink', {
  pm_collect_link_id: text,
  customer_id: text,
  expiry: time,
  link: text,
  ...texts('return_url theme logo merchant_name'),
  enabled_payment_methods: orNull(collectLinkShape.properties.enabled_payment_methods),
})

const submittedAnswer = schema('SubmittedCollectLink', {
  pm_collect_link_id: text,
  status: Type.Enum(['submitted']),
  payment_method_id: text,
  return_url: orNull(text),
})

export const collectLinkRoutes = tagged(
  'Payment method collect links',
  'A page where a customer enters a card, a bank account or a wallet to save: send them the URL in `link`. The saved payment method appears in the customer’s list; use it in payouts as `payout_method_id`, and, if it is a card, in payments too. A link can be submitted once. Afterwards, or once it has expired, its page shows that; after submission the customer is redirected to `return_url`, with `pm_collect_link_id` and `status`. `enabled_payment_methods` limits the methods; by default, the page offers cards and the payout methods of the business profile’s connector accounts. `theme`, `logo` and `merchant_name` take precedence over the profile’s `payout_link_config`.',
  { confidential: 'personal data', sdk: ['collectLinks', 'CollectLink'] },
  [
    endpoint('POST /payment_methods/collect', 'createCollectLink', {
      title: 'Create a payment method collect link',
      description:
        'Creates a link to a page where a customer enters a payment method to save. The link expires after `session_expiry` seconds, 15 minutes by default.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'merchant' },
      body: collectLinkShape,
      choosesProfile: true,
      answers: linkAnswer,
      errors: ['not_found', 'customer_redacted', 'duplicate'],
      example: {
        summary: 'A bank account in euros',
        value: {
          customer_id: 'cus_grace',
          return_url: 'https://shop.example/thanks',
          enabled_payment_methods: [{ payment_method: 'bank_transfer', payment_method_types: ['sepa'] }],
        },
      },
      json: async ({ context, merchant, services, body }) => {
        const link = await createCollectLink(context, merchant, body)
        const { pm_collect_link_id, customer_id, expires_on, request } = link
        const { return_url = null, theme = null, logo = null, merchant_name = null, enabled_payment_methods = null } = request
        return {
          pm_collect_link_id,
          customer_id,
          expiry: expires_on,
          link: addressOf(merchant, link, services.publicUrl),
          ...{ return_url, theme, logo, merchant_name, enabled_payment_methods },
        }
      },
    }),
    endpoint('GET /payment_methods/collect/{merchant_id}/{pm_collect_link_id}', 'showCollectLink', {
      title: 'Open a payment method collect link',
      description: 'Returns the page where a customer enters a payment method to save, until the link is submitted or expires.',
      auth: anyone,
      query: linkPageQuery,
      answers: 'page',
      errors: ['unknown'],
      async run(call) {
        const { service, context, path, query } = call
        const merchant = (await service.settings.merchant(path.merchant_id)) ?? noCollectLink()
        const link = await needCollectLink(context, merchant.merchant_id, path.pm_collect_link_id)
        if (!opensLink({ ...link, id: link.pm_collect_link_id }, query.token)) noCollectLink()
        return collectPage(visitOf(call, merchant), link)
      },
    }),
    endpoint('POST /payment_methods/collect/{merchant_id}/{pm_collect_link_id}', 'submitCollectLink', {
      title: 'Submit a payment method collect link',
      description: 'Saves the payment method that the customer enters on the page. A link can be submitted once.',
      auth: { credential: 'client' },
      clientSecretOf: 'collect link',
      body: collectShape,
      answers: submittedAnswer,
      errors: ['unknown', 'customer_redacted', 'invalid_value'],
      example: {
        summary: 'A bank account',
        value: { payout_type: 'bank', payout_method_data: { bank: { iban: 'DE89370400440532013000', account_holder_name: 'Ada Byron' } } },
      },
      json: async ({ context, merchant, path, body }) => {
        const { pm_collect_link_id, status, payment_method_id, request } = await submitCollectLink(
          context,
          merchant,
          path.pm_collect_link_id,
          body,
        )
        return { pm_collect_link_id, status, payment_method_id, return_url: request.return_url ?? null }
      },
    }),
  ],
)

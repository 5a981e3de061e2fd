import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { orNull } from '../../base/shapes.ts'
import { needCustomer } from '../../customers/customer.ts'
import { listMandates, mandatesQuery } from '../../payment-methods/list-mandates.ts'
import { findMandates, mandateStatuses, needMandate } from '../../payment-methods/mandate.ts'
import { revokeMandate } from '../../payment-methods/revoke.ts'
import { showMandates } from '../../show/mandate.ts'
import { objects, schema, text, texts, time } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'

const status = Type.Enum(mandateStatuses)

const card = schema('MandateCard', 'The card that is charged, without its full number', {
  ...texts('last4_digits card_exp_month card_exp_year card_holder_name card_token scheme issuer_country card_fingerprint card_isin'),
  ...texts('card_issuer card_network card_type nick_name'),
})

const mandateAnswer = schema('Mandate', {
  mandate_id: text,
  status,
  customer_id: text,
  payment_id: text,
  payment_method_id: text,
  payment_method: text,
  payment_method_type: orNull(text),
  card: orNull(card),
  ...objects('mandate_type customer_acceptance'),
  created: time,
})

export const mandateRoutes = tagged(
  'Mandates',
  'A customer’s consent to off-session charges: once or repeatedly, up to an amount and until a date. A payment with mandate_data creates a mandate; a payment with its mandate_id and off_session charges it. Payments in progress count toward the limit; failed payments do not.',
  { confidential: 'personal data', sdk: ['mandates', 'Mandate'] },
  [
    endpoint('GET /mandates/list', 'listMandates', {
      title: 'List mandates',
      description: 'Lists mandates, newest first; optionally filtered by status, connector, customer or time range.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'merchant' },
      query: mandatesQuery,
      answers: Type.Array(mandateAnswer),
      json: async ({ context, merchant, query }) => showMandates(context, await listMandates(context, merchant.merchant_id, query)),
    }),
    endpoint('GET /mandates/{mandate_id}', 'retrieveMandate', {
      title: 'Retrieve a mandate',
      description: 'Retrieves a mandate.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'merchant' },
      answers: mandateAnswer,
      json: async ({ context, merchant, path }) => {
        const [json] = await showMandates(context, [await needMandate(context, merchant.merchant_id, path.mandate_id)])
        return json
      },
    }),
    endpoint('POST /mandates/revoke/{mandate_id}', 'revokeMandate', {
      title: 'Revoke a mandate',
      description: 'Revokes a mandate, which can no longer be charged. Payments in progress continue.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'merchant' },
      answers: schema('RevokedMandate', { mandate_id: text, status, ...texts('error_code error_message') }),
      errors: ['mandate_violated'],
      json: ({ context, merchant, path }) => revokeMandate(context, merchant.merchant_id, path.mandate_id),
    }),
    endpoint('GET /customers/{customer_id}/mandates', 'listCustomerMandates', {
      sdk: 'customers.listMandates',
      title: "List a customer's mandates",
      description: "Lists a customer's mandates, newest first. Returns 404 for a customer without mandates, as the ecosystem does.",
      auth: { credential: 'secret', permission: 'payments:read', scope: 'merchant' },
      answers: Type.Array(mandateAnswer),
      errors: ['customer_redacted'],
      json: async ({ context, merchant: { merchant_id }, path: { customer_id } }) => {
        await needCustomer(context, merchant_id, customer_id)
        const found = await findMandates(context, merchant_id, customer_id)
        return showMandates(context, found.length > 0 ? found : refuse('not_found', { what: 'mandate' }))
      },
    }),
  ],
)

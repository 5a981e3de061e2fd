import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { needCustomer } from '../../customers/customer.ts'
import { listMandates, mandatesQuery } from '../../payment-methods/list-mandates.ts'
import { findMandates, needMandate } from '../../payment-methods/mandate.ts'
import { revokeMandate } from '../../payment-methods/revoke.ts'
import { showMandates } from '../../show/mandate.ts'
import { endpoint, room } from '../endpoint.ts'
import { mandateAnswer, revokedMandateAnswer } from './mandates-answers.ts'

export const mandateRoutes = room(
  'Mandates',
  'A customer’s consent to off-session charges: once or repeatedly, up to an amount and until a date. A payment with mandate_data creates a mandate; a payment with its mandate_id and off_session charges it. Payments in progress count toward the limit; failed payments do not.',
  [
    endpoint({
      at: 'GET /mandates/list',
      name: 'listMandates',
      title: 'List mandates',
      does: 'Lists mandates, newest first; optionally filtered by status, connector or time range.',
      query: mandatesQuery,
      answers: Type.Array(mandateAnswer),
      refuses: ['malformed'],
      run: async ({ context, merchant, query }) => ({
        json: await showMandates(context, await listMandates(context, merchant.merchant_id, query)),
      }),
    }),
    endpoint({
      at: 'GET /mandates/{mandate_id}',
      name: 'retrieveMandate',
      title: 'Retrieve a mandate',
      does: 'Retrieves a mandate.',
      answers: mandateAnswer,
      run: async ({ context, merchant, path }) => {
        const [json] = await showMandates(context, [await needMandate(context, merchant.merchant_id, path.mandate_id)])
        return { json }
      },
    }),
    endpoint({
      at: 'POST /mandates/revoke/{mandate_id}',
      name: 'revokeMandate',
      title: 'Revoke a mandate',
      does: 'Revokes a mandate, which can no longer be charged. Payments in progress continue.',
      answers: revokedMandateAnswer,
      refuses: ['mandate_violated'],
      run: async ({ context, merchant, path }) => ({ json: await revokeMandate(context, merchant.merchant_id, path.mandate_id) }),
    }),
    endpoint({
      at: 'GET /customers/{customer_id}/mandates',
      name: 'listCustomerMandates',
      title: "List a customer's mandates",
      does: "Lists a customer's mandates, newest first. Returns 404 for a customer without mandates, as the ecosystem does.",
      answers: Type.Array(mandateAnswer),
      refuses: ['customer_redacted'],
      run: async ({ context, merchant: { merchant_id }, path: { customer_id } }) => {
        await needCustomer(context, merchant_id, customer_id)
        const found = await findMandates(context, merchant_id, customer_id)
        return { json: await showMandates(context, found.length > 0 ? found : refuse('not_found', { what: 'mandate' })) }
      },
    }),
  ],
)

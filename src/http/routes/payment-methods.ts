import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { orNull } from '../../base/shapes.ts'
import { needCustomer } from '../../customers/customer.ts'
import { paymentMethodNames } from '../../instruments/methods.ts'
import { deleteMethod, setDefault, updateMethod } from '../../payment-methods/change.ts'
import { createMethod, saveMethod } from '../../payment-methods/create.ts'
import { listMethods, methodsQuery } from '../../payment-methods/list.ts'
import { needMethod } from '../../payment-methods/method.ts'
import { migrateMethod } from '../../payment-methods/migrate.ts'
import { methodShape, methodUpdateShape, migrateShape, saveShape } from '../../payment-methods/shape.ts'
import { completeFollowUpsOf } from '../../payments/authorization/follow-ups.ts'
import { shapesOf } from '../../show/member.ts'
import { aloneMembers, showMethod, showSaved } from '../../show/payment-method.ts'
import { flag, schema, text, texts } from '../answer-shapes.ts'
import { type ApiRequest, alias, endpoint, tagged } from '../endpoint.ts'
import { narrowedTo } from '../profile-header.ts'
import { offeredMethods, savedMethod, savedMethodsOf } from './offered-methods.ts'

const methodAnswer = schema('SavedPaymentMethod', shapesOf(aloneMembers))

const methodsAnswer = schema('CustomerPaymentMethods', {
  customer_payment_methods: Type.Array(savedMethod),
  is_guest_customer: orNull(flag),
})

const deletedMethodAnswer = schema('DeletedPaymentMethod', { payment_method_id: text, deleted: flag })

const defaultMethodAnswer = schema('DefaultPaymentMethod', {
  default_payment_method_id: orNull(text),
  customer_id: text,
  payment_method: Type.Enum(paymentMethodNames),
  payment_method_type: orNull(text),
})

/** The answer of `GET /cards/{bin}` (contract 6.10). */
const cardBinAnswer = schema('CardBin', {
  card_iin: text,
  ...texts('card_issuer card_network card_type card_sub_type card_issuing_country'),
})

const card = { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2030', card_holder_name: 'Grace Hopper' }

const defaultSetting = endpoint('POST /customers/{customer_id}/payment_methods/{payment_method_id}/default', 'setDefaultPaymentMethod', {
  sdk: 'customers.setDefaultPaymentMethod',
  title: 'Set the default payment method',
  description: 'Sets a payment method as its customer’s default.',
  auth: { credential: 'secret or ephemeral', permission: 'payments:write', scope: 'merchant' },
  answers: defaultMethodAnswer,
  errors: ['customer_redacted'],
  json: ({ context, merchant, path }) => setDefault(context, merchant.merchant_id, path.customer_id, path.payment_method_id),
})

const viewerOf = ({ is }: ApiRequest['who']): 'server' | 'client' => (is === 'secret' ? 'server' : 'client')

export const paymentMethodRoutes = tagged(
  'Payment methods',
  "A customer's saved payment methods. Card numbers are stored encrypted and never returned. A payment method created without data waits 15 minutes for the customer's browser to send it, with the publishable key and its client_secret.",
  { confidential: 'personal data', sdk: ['paymentMethods', 'PaymentMethod'] },
  [
    endpoint('POST /payment_methods', 'createPaymentMethod', {
      title: 'Create a payment method',
      description:
        'Saves a card or a payout method for a customer (bank_transfer, wallet, bank_redirect: for `payout_method_id` and `payout_token`); saving the same one again updates the existing payment method. Without customer_id a customer is created. For card_redirect, pay_later, bank_redirect, crypto and bank_debit (`payment_method_data`) only a record is stored, which is returned masked and cannot be charged.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'merchant' },
      body: methodShape,
      answers: methodAnswer,
      errors: ['not_found', 'customer_redacted', 'not_supported', 'invalid_value'],
      example: {
        summary: 'Saves a card',
        value: { payment_method: 'card', payment_method_type: 'credit', customer_id: 'cus_grace', card },
      },
      json: ({ context, merchant, body }) => createMethod(context, merchant.merchant_id, body, showMethod),
    }),
    endpoint('POST /payment_methods/migrate', 'migratePaymentMethod', {
      title: 'Migrate a payment method',
      description:
        'Saves a card from another vault, so that it can be charged without its customer: by what a processor calls it (`connector_mandate_details`), or by the network’s id of the payment in which the cardholder agreed. With `network_transaction_id` and one account in `connector_mandate_details`, the id is used at that account; otherwise at any account, if the business profile has is_connector_agnostic_mit_enabled. A network token (`network_token`, with `network_transaction_id`, and without `card`) is charged off-session only. Migrating the same card again updates the existing payment method.',
      auth: { credential: 'secret', permission: 'payments:write', scope: 'merchant' },
      body: migrateShape,
      answers: methodAnswer,
      errors: ['not_found', 'customer_redacted', 'not_supported', 'invalid_value'],
      example: {
        summary: 'Saves a card with the network’s id',
        value: { customer_id: 'cus_grace', card, network_transaction_id: '016150703802094' },
      },
      json: ({ context, merchant, body }) => migrateMethod(context, merchant, body, showMethod),
    }),
    endpoint('GET /payment_methods/{payment_method_id}', 'retrievePaymentMethod', {
      title: 'Retrieve a payment method',
      description: 'Retrieves a payment method.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'merchant' },
      answers: methodAnswer,
      json: async ({ context, services, merchant, path }) => {
        await services.saved.writeDown()
        return showMethod(await needMethod(context, merchant.merchant_id, path.payment_method_id))
      },
    }),
    endpoint('POST /payment_methods/{payment_method_id}/update', 'updatePaymentMethod', {
      title: 'Update a payment method',
      description: 'Updates the expiry date, name or number of a saved card. Fields that are not sent are unchanged.',
      auth: { credential: 'secret or client', permission: 'payments:write', scope: 'merchant' },
      clientSecretOf: 'payment method',
      body: methodUpdateShape,
      answers: methodAnswer,
      errors: ['customer_redacted', 'not_supported', 'invalid_value', 'unknown'],
      example: { summary: 'The new expiry of a card', value: { card: { card_exp_month: '06', card_exp_year: '2034' } } },
      json: ({ context, merchant, path, body, who }) =>
        updateMethod(context, merchant.merchant_id, path.payment_method_id, body, method => showMethod(method, viewerOf(who))),
    }),
    endpoint('POST /payment_methods/{payment_method_id}/save', 'savePaymentMethod', {
      title: 'Add the data of a payment method',
      description: 'Adds card data to a payment method that was created without it.',
      auth: { credential: 'secret or client', permission: 'payments:write', scope: 'merchant' },
      clientSecretOf: 'payment method',
      body: saveShape,
      answers: methodAnswer,
      errors: ['customer_redacted', 'invalid_value'],
      example: { summary: 'A card from the browser', value: { payment_method_data: { card } } },
      json: ({ context, merchant, path, body, who }) =>
        saveMethod(context, merchant.merchant_id, path.payment_method_id, body, method => showMethod(method, viewerOf(who))),
    }),
    endpoint('DELETE /payment_methods/{payment_method_id}', 'deletePaymentMethod', {
      title: 'Delete a payment method',
      description:
        'Deletes a payment method and its card number. If it was the customer’s default, the customer has no default afterwards. With an ephemeral key, only a payment method of its customer is found.',
      auth: { credential: 'secret or ephemeral', permission: 'payments:write', scope: 'merchant' },
      answers: deletedMethodAnswer,
      errors: ['customer_redacted'],
      json: ({ context, merchant, path, who }) =>
        deleteMethod(context, merchant.merchant_id, path.payment_method_id, who.is === 'ephemeral' ? who.customer_id : undefined),
    }),
    endpoint('DELETE /customers/{customer_id}/payment_methods/{payment_method_id}', 'deleteCustomerPaymentMethod', {
      title: 'Delete a payment method of a customer',
      description:
        'Deletes a payment method of this customer and its card number, also from the customer’s browser with an ephemeral key. Another customer’s is not found.',
      auth: { credential: 'secret or ephemeral', permission: 'payments:write', scope: 'merchant' },
      answers: deletedMethodAnswer,
      errors: ['customer_redacted'],
      json: ({ context, merchant, path }) => deleteMethod(context, merchant.merchant_id, path.payment_method_id, path.customer_id),
    }),
    defaultSetting,
    alias(defaultSetting, 'POST /{customer_id}/payment_methods/{payment_method_id}/default', 'setDefaultPaymentMethodToo', {
      title: 'Set the default payment method (short path)',
      description: 'Sets a payment method as its customer’s default.',
    }),
    endpoint('GET /customers/{customer_id}/payment_methods', 'listCustomerPaymentMethods', {
      sdk: 'customers.listPaymentMethods',
      title: "List a customer's payment methods",
      description:
        'Lists a customer’s saved payment methods: the default first, then the most recently used. The merchant’s server also receives methods that are for payouts only (`payout_method_data`). Each call creates new payment tokens, valid for 15 minutes.',
      auth: { credential: 'secret, client or ephemeral', permission: 'payments:read', scope: 'merchant' },
      clientSecretOf: 'payment of customer',
      query: methodsQuery,
      answers: methodsAnswer,
      errors: ['customer_redacted'],
      json: async ({ context, services, merchant, path, query, opened, headers, who }) => {
        const customer = await needCustomer(context, merchant.merchant_id, path.customer_id)
        const profile_id = opened?.profile_id ?? narrowedTo(headers) ?? merchant.default_profile
        const viewer = viewerOf(who)
        await completeFollowUpsOf(context, merchant.merchant_id, customer.customer_id)
        const listed = await listMethods({ context, saved: services.saved }, { merchant, profile_id, viewer }, customer, query)
        return {
          customer_payment_methods: listed.map(one => showSaved(one, viewer, merchant, opened)),
          is_guest_customer: opened ? false : null,
        }
      },
    }),
    endpoint('GET /customers/payment_methods', 'listOwnPaymentMethods', {
      title: "List the payment methods of a payment's customer",
      description:
        'Lists, for a checkout, the saved payment methods of the customer of the payment that client_secret belongs to, or of the customer of an ephemeral key. Servers can omit the client_secret; the list is then empty. Each call creates new payment tokens, valid for 15 minutes.',
      auth: { credential: 'secret, client or ephemeral', permission: 'payments:read', scope: 'merchant' },
      clientSecretOf: 'any payment',
      query: methodsQuery,
      answers: methodsAnswer,
      errors: ['not_found'],
      json: async ({ context, services, merchant, query, opened, who }) => {
        const of = who.is === 'ephemeral' ? { customer_id: who.customer_id, profile_id: null } : opened
        const listed = of ? await savedMethodsOf({ context, services }, merchant, of, query) : []
        return {
          customer_payment_methods: listed.map(one => showSaved(one, viewerOf(who), merchant, opened)),
          is_guest_customer: of === null ? null : of.customer_id === null,
        }
      },
    }),
    endpoint('GET /cards/{bin}', 'retrieveCardBin', {
      title: 'Retrieve what is known about a BIN',
      description: 'Returns the network, type, issuer and country of the cards that begin with these six to eight digits.',
      auth: { credential: 'secret', permission: 'payments:read', scope: 'merchant' },
      answers: cardBinAnswer,
      errors: ['card_bin_unknown', 'card_bin_malformed'],
      json: async ({ context, path: { bin } }) => {
        if (!/^\d{6,8}$/.test(bin)) refuse('card_bin_malformed')
        const known = (await context.bins.of(bin)) ?? refuse('card_bin_unknown', { digits: bin })
        return {
          card_iin: bin,
          card_issuer: known.issuer,
          card_network: known.networks[0] ?? null,
          card_type: known.card_type,
          card_sub_type: known.card_subtype ?? null,
          card_issuing_country: known.country_name ?? known.country,
        }
      },
    }),
    ...offeredMethods,
  ],
)

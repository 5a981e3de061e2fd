import Type from 'typebox'
import { decimalOf } from '../../base/money.ts'
import { orNull } from '../../base/shapes.ts'
import { nextActionSeen, showNextAction } from '../../connectors/next-action.ts'
import { calculateTax, calculateTaxShape } from '../../payments/checkout/calculate-tax.ts'
import { postSessionTokens, postSessionTokensShape } from '../../payments/checkout/post-session-tokens.ts'
import { lifecycle } from '../../payments/lifecycle.ts'
import type { Payment } from '../../payments/payment.ts'
import { needPayment } from '../../payments/rows.ts'
import { minor, schema, text } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'

const taxAnswer = schema('CalculatedTax', {
  payment_id: text,
  net_amount: minor,
  order_tax_amount: orNull(minor),
  shipping_cost: orNull(minor),
  display_amount: schema('DisplayAmount', 'The same in the major unit of the currency, as wallets require', {
    net_amount: text,
    order_tax_amount: orNull(text),
    shipping_cost: orNull(text),
  }),
})

function showTax({ payment_id, net_amount, currency, request }: Payment): Record<string, unknown> {
  const { order_tax_amount = null, shipping_cost = null } = request
  const shown = (amount: number | null) => (amount === null ? null : decimalOf(amount, currency))
  return {
    payment_id,
    net_amount,
    order_tax_amount,
    shipping_cost,
    display_amount: {
      net_amount: decimalOf(net_amount, currency),
      order_tax_amount: shown(order_tax_amount),
      shipping_cost: shown(shipping_cost),
    },
  }
}

const orderAnswer = schema('PostSessionTokens', {
  payment_id: text,
  next_action: orNull(nextActionSeen),
  status: Type.Enum(Object.keys(lifecycle)),
})

const nowhere = {
  start: '',
  back: '',
  waiting: null,
  authentication: { authenticate: '', authorize: '', poll_id: '', connector: null, card_network: null },
}

function showOrder({ payment_id, status, request: { ordered } }: Payment): Record<string, unknown> {
  const next_action = ordered ? showNextAction({ type: 'invoke_sdk_client', order_id: ordered.order_id }, nowhere) : null
  return { payment_id, next_action, status }
}

export const paymentsCheckout = [
  endpoint('POST /payments/{payment_id}/calculate_tax', 'calculateTax', {
    title: 'Calculate tax',
    description:
      "Calculates the tax for the shipping address from the business profile's tax_rates and adds it to the amount to charge. No tax is added when there is no matching rate, when tax_status is exempt, or with skip_external_tax_calculation. The tax is recalculated when the address changes, until an order_tax_amount is set.",
    auth: { credential: 'secret or client', permission: 'payments:write', scope: 'profile' },
    clientSecretOf: 'payment',
    body: calculateTaxShape,
    answers: taxAnswer,
    replay: async (call, payment_id) => showTax(await needPayment(call.context, call.merchant.merchant_id, payment_id)),
    partialResponse: (_call, written) => showTax(written.at(-1)!.after as Payment),
    errors: ['busy', 'not_supported'],
    example: { summary: 'To Oslo', value: { shipping: { address: { city: 'Oslo', country: 'NO', zip: '0155' } } } },
    json: async call => showTax(await calculateTax(call, call.path.payment_id, call.body)),
  }),
  endpoint('POST /payments/{payment_id}/post_session_tokens', 'postSessionTokens', {
    title: 'Create a wallet order',
    description:
      'Creates the order at the processor that a wallet needs before payment (PayPal); next_action contains its id. Nothing is charged: the wallet returns the id, and the confirmation with that id goes to the same connector account.',
    auth: { credential: 'secret or client', permission: 'payments:write', scope: 'profile' },
    clientSecretOf: 'payment',
    body: postSessionTokensShape,
    answers: orderAnswer,
    replay: async (call, payment_id) => showOrder(await needPayment(call.context, call.merchant.merchant_id, payment_id)),
    partialResponse: (_call, written) => showOrder(written.at(-1)!.after as Payment),
    errors: ['no_connector', 'flow_not_supported', 'busy'],
    example: { summary: 'PayPal', value: { payment_method: 'wallet', payment_method_type: 'paypal' } },
    json: async call => showOrder(await postSessionTokens(call, call.path.payment_id, call.body)),
  }),
]

import { readFileSync } from 'node:fs'

/** The payment and the refund of which all examples speak. */
export const PAYMENT = 'pay_01K2ZQ4V9T5M8R3X7C6B1N0HJD'
export const REFUND = 'ref_01K2ZQ7C3E8W4F1Y6KM0T9A5XB'

/** A request that does what its operation is for, by operation. A test sends each of them (`tools/answers.test.ts`). */
export const examples: Readonly<Record<string, { summary: string; value: Record<string, unknown> }>> = {
  createPayment: {
    summary: 'Takes 12.50 USD at once',
    value: {
      amount: 1250,
      currency: 'USD',
      confirm: true,
      payment_method: 'card',
      payment_method_data: { card: { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' } },
      authentication_type: 'no_three_ds',
      return_url: 'https://shop.example/thanks',
      metadata: { order: '1047' },
    },
  },
  confirmPayment: {
    summary: 'Pays with a card sent now',
    value: {
      payment_method: 'card',
      payment_method_data: { card: { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' } },
    },
  },
  capturePayment: { summary: 'Takes a part of the hold', value: { amount_to_capture: 1000 } },
  cancelPayment: { summary: 'Lets the hold go', value: { cancellation_reason: 'the customer changed their mind' } },
  createRefund: {
    summary: 'Gives 5.00 back',
    value: { payment_id: PAYMENT, amount: 500, reason: 'one chair came back' },
  },
  createMerchantAccount: {
    summary: 'A shop',
    value: { merchant_id: 'chairs', merchant_name: 'Chairs & Co', return_url: 'https://shop.example/thanks' },
  },
  createApiKey: { summary: 'A key without an end', value: { name: 'shop server', expiration: 'never' } },
  createConnectorAccount: {
    summary: 'An account at the sandbox processor',
    value: {
      connector_type: 'payment_processor',
      connector_name: 'phonypay',
      connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_chairs' },
      connector_webhook_details: { merchant_secret: 'a secret that the processor signs with' },
    },
  },
}

/** What an operation was asked by its address, and what it answered: a body, a text, an address to go to, or nothing. */
export type ExampleAnswer = { asked: Record<string, string>; json?: unknown; text?: string; location?: string }

/** What the requests above, and those that need no body, were answered. Frozen by `tools/answers.test.ts`, which also holds it fresh. */
export const answers = (): Readonly<Record<string, ExampleAnswer>> =>
  JSON.parse(readFileSync(new URL('./openapi-answers.json', import.meta.url), 'utf8'))

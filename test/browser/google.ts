import { equal } from 'node:assert/strict'
import { type Body, openShop, type ShopOptions } from '../shop.ts'

// Google Pay in a browser: the stand-in for Google's script behaves as Google documents, is as strict as Google's, and
// records all calls to it.

export const GOOGLE = 'https://pay.google.com'
/**
 * Gives Google's script. `does`: the customers' actions, one sheet after the other; `is declined` pays with a token
 * that the processor declines.
 */
export const google = (does: ('pays' | 'is declined' | 'goes away' | 'breaks')[], token = 'TOKEN_OF_GOOGLE', isReady = true) => `
const does = ${JSON.stringify(does)}
const need = (request, ...names) => { for (const name of names) if (request[name] === undefined) throw new TypeError(name) }
window.google = { payments: { api: { PaymentsClient: class {
  constructor({ environment, merchantInfo }) { console.log('google', JSON.stringify({ environment, merchantInfo })) }
  async isReadyToPay(request) {
    need(request, 'apiVersion', 'apiVersionMinor', 'allowedPaymentMethods')
    for (const method of request.allowedPaymentMethods) need(method.parameters, 'allowedAuthMethods', 'allowedCardNetworks')
    return { result: ${isReady} }
  }
  createButton({ onClick, buttonLocale, buttonColor, buttonSizeMode }) {
    const whole = document.createElement('div')
    whole.innerHTML = '<style>.gpay { width: 100%; height: 100%; border: 0; font: 600 1rem sans-serif }</style><button class="gpay" type="button" aria-label="Google Pay">Google Pay</button>'
    whole.style.height = '100%'
    const button = whole.querySelector('button')
    button.style.background = buttonColor === 'white' ? '#fff' : '#000'
    button.style.color = buttonColor === 'white' ? '#000' : '#fff'
    button.addEventListener('click', onClick)
    console.log('google', JSON.stringify({ buttonLocale, buttonColor }))
    return whole
  }
  async loadPaymentData(request) {
    if (!navigator.userActivation.isActive) throw new Error('must be the customer’s doing')
    need(request, 'merchantInfo', 'transactionInfo')
    need(request.transactionInfo, 'totalPrice', 'currencyCode', 'totalPriceStatus')
    for (const { tokenizationSpecification } of request.allowedPaymentMethods) need(tokenizationSpecification, 'type', 'parameters')
    console.log('google', JSON.stringify({ request }))
    const now = does.shift()
    if (now === 'goes away') throw { statusCode: 'CANCELED' }
    if (now === 'breaks') throw { statusCode: 'INTERNAL_ERROR' }
    const token = now === 'is declined' ? 'TOKEN_0002' : ${JSON.stringify(token)}
    return { apiVersion: 2, apiVersionMinor: 0, email: 'grace@example.com', paymentMethodData: {
      type: 'CARD', description: 'Visa •••• 4242',
      info: { cardNetwork: 'VISA', cardDetails: '4242', assuranceDetails: { cardHolderAuthenticated: false, accountVerified: true },
        billingAddress: { name: 'Grace Hopper', address1: 'Storgata 1', locality: 'Oslo', postalCode: '0155', countryCode: 'NO' } },
      tokenizationData: { type: 'PAYMENT_GATEWAY', token },
    } }
  }
} } } }`

const google_pay = {
  merchant_info: { merchant_name: 'Chairs & Co', merchant_id: 'BCR2DN4T' },
  allowed_payment_methods: [
    {
      type: 'CARD',
      parameters: { allowed_auth_methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'], allowed_card_networks: ['VISA', 'MASTERCARD'] },
      tokenization_specification: {
        type: 'PAYMENT_GATEWAY',
        parameters: { gateway: 'phonypay', gateway_merchant_id: 'chairs', 'phony:version': '1' },
      },
    },
  ],
}

/**
 * Opens a shop that accepts cards and the wallets of `types`, by default Google Pay, and lets its customers try again.
 */
export async function openGoogleShop({ types = ['google_pay'], ...options }: ShopOptions & { types?: string[] } = {}) {
  const shop = await openShop({ account: { merchant_name: 'Chairs & Co', return_url: 'https://shop.example/thanks' }, ...options })
  await shop.profile({ is_manual_retry_enabled: true, always_collect_billing_details_from_wallet_connector: true })
  const answer = await shop.post(`/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, {
    connector_type: 'payment_processor',
    connector_wallets_details: { google_pay },
  })
  equal(answer.status, 200, answer.text)
  return { ...shop, create: (more: Body = {}) => shop.create({ allowed_payment_method_types: ['credit', 'debit', ...types], ...more }) }
}

export const serving = (script: string) => ({ serves: { [`${GOOGLE}/gp/p/js/pay.js`]: script }, mayAsk: [GOOGLE] })

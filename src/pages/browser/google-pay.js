// Google Pay. Google's script runs in a frame of its own, beside the form and not in it (`google-pay-frame.js`). The
// frame receives the payment request and returns the customer's payment data.
import { element, fill } from './parts.js'

const NAME = 'Google Pay'

/** The time limit for Google's script. Later Google Pay is not offered. */
const LONGEST_MS = 15_000

/** Returns the value with our API's names replaced by Google's, at every depth. @param {any} value @returns {any} */
function inGooglesNames(value) {
  if (Array.isArray(value)) return value.map(inGooglesNames)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(
    members.map(([name, one]) => [name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), inGooglesNames(one)]),
  )
}

/** Returns the request to Google from the payment's session token. @param {any} token */
function requestOf(token) {
  const { merchant_info, allowed_payment_methods, transaction_info } = token
  const { email_required, shipping_address_required, shipping_address_parameters } = token
  return {
    apiVersion: 2,
    apiVersionMinor: 0,
    ...inGooglesNames({ merchant_info, allowed_payment_methods, transaction_info, email_required, shipping_address_required }),
    ...(shipping_address_required && inGooglesNames({ shipping_address_parameters })),
  }
}

/**
 * Returns the frame with Google's button. `isReady` resolves to whether this browser has Google Pay. Until then the
 * frame's place is kept.
 * @param {any} page
 * @param {any} token of the payment's session
 * @param {import('./express.js').Calls} calls
 */
export function googlePay({ words: texts, root, locale, publishable_key }, token, { calm, work, showError, pay }) {
  const { scheme = 'auto' } = document.documentElement.dataset
  const frame = element('iframe', {
    id: 'google-pay',
    class: 'bar',
    src: new URL(`${root}sdk/google-pay?${new URLSearchParams({ locale, theme: scheme })}`, location.href).href,
    title: fill(texts.payBy, { wallet: NAME }),
    allow: 'payment',
  })
  const begin = {
    google_pay: 'begin',
    // Live keys open the customer's own wallet, all others Google's test cards.
    environment: String(publishable_key).startsWith('pk_prd_') ? 'PRODUCTION' : 'TEST',
    request: requestOf(token),
    radius: Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--round')) || 0,
  }
  const post = (/** @type {object} */ message) => frame.contentWindow?.postMessage(message, location.origin)
  const isReady = new Promise(done => {
    const patience = setTimeout(() => done(false), LONGEST_MS)
    const settle = (/** @type {boolean} */ ready) => {
      clearTimeout(patience)
      frame.classList.remove('bar')
      done(ready)
    }
    addEventListener('message', async ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== location.origin) return
      switch (data?.google_pay) {
        case 'hello':
          return post(begin)
        case 'ready':
        case 'not ready':
          return settle(data.google_pay === 'ready')
        case 'opened':
          calm()
          return work(fill(texts.inSheet, { wallet: NAME }))
        case 'closed':
          return work(null)
        case 'failed':
          work(null)
          return showError(texts.notNow)
        case 'paid': {
          const { go } = await pay({ ...confirmBody(data.payment), connector: [token.connector] })
          await go()
        }
      }
    })
  })
  return { frame, isReady }
}

/**
 * Returns the customer's data as the body of a confirm. Only the processor reads Google's token.
 * @param {any} payment
 */
function confirmBody({ paymentMethodData, shippingAddress, email }) {
  const { type, description, info, tokenizationData } = paymentMethodData
  const { cardNetwork: card_network, cardDetails: card_details, assuranceDetails, cardFundingSource, billingAddress } = info
  const assurance_details = assuranceDetails && {
    card_holder_authenticated: assuranceDetails.cardHolderAuthenticated,
    account_verified: assuranceDetails.accountVerified,
  }
  return {
    payment_method: 'wallet',
    payment_method_type: 'google_pay',
    payment_experience: 'invoke_sdk_client',
    payment_method_data: {
      wallet: {
        google_pay: {
          type,
          description,
          info: {
            card_network,
            card_details,
            ...(assurance_details && { assurance_details }),
            ...(cardFundingSource && { card_funding_source: cardFundingSource }),
          },
          tokenization_data: { type: tokenizationData.type, token: tokenizationData.token },
        },
      },
    },
    ...(billingAddress && { billing: addressIn(billingAddress) }),
    ...(shippingAddress && { shipping: { ...addressIn(shippingAddress), ...(email && { email }) } }),
  }
}

/** Returns our address from a Google address. @param {any} address */
function addressIn({ name = '', address1, address2, address3, locality, administrativeArea, postalCode, countryCode, phoneNumber }) {
  const [first, ...others] = name.trim().split(/\s+/)
  const address = {
    first_name: first || undefined,
    last_name: others.join(' ') || undefined,
    line1: address1 || undefined,
    line2: address2 || undefined,
    line3: address3 || undefined,
    city: locality || undefined,
    state: administrativeArea || undefined,
    zip: postalCode || undefined,
    country: countryCode || undefined,
  }
  return { address, ...(phoneNumber && { phone: { number: phoneNumber } }) }
}

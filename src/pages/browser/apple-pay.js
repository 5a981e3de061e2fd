// Apple Pay in browsers that have it built in: no third-party script is loaded.
import { element, fill } from './parts.js'

/** The version of the browser's Apple Pay interface that this module uses. */
const VERSION = 3

/** The members of the payment request that the browser's interface has. */
const asked = [
  'country_code',
  'currency_code',
  'total',
  'merchant_capabilities',
  'supported_networks',
  'required_billing_contact_fields',
  'required_shipping_contact_fields',
]

const NAME = 'Apple Pay'

/** Returns the browser's ApplePaySession; null if it has none, or if it has no card for Apple Pay. @returns {any} */
export function native() {
  const Session = /** @type {any} */ (window).ApplePaySession
  try {
    return Session?.supportsVersion(VERSION) && Session.canMakePayments() ? Session : null
  } catch {
    return null
  }
}

const camel = (/** @type {string} */ name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())
/** Returns the members that have a value, with Apple's names. @param {any} of @param {string[]} names */
const inApplesNames = (of, names) =>
  Object.fromEntries(names.filter(name => (of[name] ?? null) !== null).map(name => [camel(name), of[name]]))

/**
 * Returns our session token that opens Apple Pay at this domain; null if there is none. @param {any} page
 * @param {any} service
 */
async function tokenFor(page, service) {
  if (page.setup || native() === null) return null
  const { status, body } = await service.wallet('apple_pay')
  const token = status === 200 ? body.session_token[0] : undefined
  // The browser requires that the domain which Apple has verified is the page's own.
  return token?.session_token_data?.domain_name === location.hostname ? token : null
}

/**
 * Returns the Apple Pay button, which confirms the payment once the customer has approved it; null if Apple Pay is not
 * available. `gone` is called when Apple Pay stops being available.
 * @param {any} page
 * @param {any} service
 * @param {import('./express.js').Calls} calls
 * @param {() => void} gone
 */
export async function applePay(page, service, { isBusy, calm, work, showError, pay }, gone) {
  const { words: texts } = page
  const first = await tokenFor(page, service)
  if (first === null) return null
  const request = inApplesNames(first.payment_request_data, asked)
  /** The token whose merchant session no payment sheet has used yet. */
  let unused = Promise.resolve(first)
  const button = element(
    'button',
    { type: 'button', id: 'apple-pay', 'aria-label': fill(texts.payBy, { wallet: NAME }), lang: page.locale },
    element('span', { text: NAME }),
  )

  /** Requests a new token, because a merchant session is for one sheet. Without a token the button is removed. */
  function renew() {
    unused = tokenFor(page, service)
    unused.then(token => token ?? gone())
    return unused
  }

  button.addEventListener('click', () => {
    if (isBusy()) return
    calm()
    const mine = unused
    // True once the customer has approved or cancelled: later events of the sheet are ignored.
    let over = false
    const session = new (native())(VERSION, request)
    session.onvalidatemerchant = async () => {
      const before = (await mine)?.session_token_data
      const merchant = before && before.expires_at <= Date.now() ? (await renew())?.session_token_data : before
      if (over) return
      if (merchant) return session.completeMerchantValidation(inApplesNames(merchant, Object.keys(merchant)))
      over = true
      session.abort()
      work(null)
      showError(texts.notNow)
    }
    session.onpaymentauthorized = async (/** @type {any} */ { payment }) => {
      over = true
      const { is, go } = await pay({ ...confirmBody(payment), connector: [first.connector] })
      const { STATUS_SUCCESS, STATUS_FAILURE } = native()
      // An unknown result cannot be given to the sheet: the sheet is closed, and the page looks up the payment.
      if (is === 'unknown') session.abort()
      else session.completePayment({ status: is === 'paid' ? STATUS_SUCCESS : STATUS_FAILURE })
      if (is !== 'paid') renew()
      go()
    }
    session.oncancel = () => {
      if (over) return
      over = true
      work(null)
      renew()
    }
    work(fill(texts.inSheet, { wallet: NAME }))
    session.begin()
  })
  return button
}

/**
 * Returns the customer's data as the body of a confirm. Only the processor reads Apple's token.
 * @param {any} payment
 */
function confirmBody({ token, billingContact, shippingContact }) {
  const { paymentData, paymentMethod, transactionIdentifier } = token
  const { displayName: display_name, network, type } = paymentMethod
  return {
    payment_method: 'wallet',
    payment_method_type: 'apple_pay',
    payment_experience: 'invoke_sdk_client',
    payment_method_data: {
      wallet: {
        apple_pay: {
          payment_data: base64(JSON.stringify(paymentData)),
          payment_method: { display_name, network, type },
          transaction_identifier: transactionIdentifier,
        },
      },
    },
    ...(billingContact && { billing: addressIn(billingContact) }),
    ...(shippingContact && { shipping: addressIn(shippingContact) }),
  }
}

const base64 = (/** @type {string} */ text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Returns our address from an Apple contact. @param {any} contact */
function addressIn({
  givenName,
  familyName,
  addressLines = [],
  locality,
  administrativeArea,
  postalCode,
  countryCode,
  emailAddress,
  phoneNumber,
}) {
  const [line1, line2, line3] = addressLines
  const country = countryCode?.toUpperCase()
  const address = {
    first_name: givenName,
    last_name: familyName,
    line1,
    line2,
    line3,
    city: locality,
    state: administrativeArea,
    zip: postalCode,
    country,
  }
  return { address, ...(emailAddress && { email: emailAddress }), ...(phoneNumber && { phone: { number: phoneNumber } }) }
}

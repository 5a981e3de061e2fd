// The row of wallet buttons above the form, one for each wallet that this browser and this payment support.
import { applePay, native } from './apple-pay.js'
import { googlePay } from './google-pay.js'
import { isElsewhere } from './offer.js'
import { element, fill } from './parts.js'
import { pause } from './service.js'

/**
 * The functions of the form that a wallet's button calls. `pay` confirms the payment with the customer's data and
 * returns the result.
 * @typedef {{ isBusy: () => boolean, calm: () => void, work: (message: string | null) => void,
 *   showError: (message: string) => void,
 *   pay: (body: object) => Promise<{ is: 'paid' | 'not paid' | 'unknown', go: () => unknown }> }} Calls
 */

/** The time limit for the session token of Google Pay. Later no button is shown. */
const LONGEST_MS = 1500

/**
 * Returns the offered wallet type, null if it is not offered with this experience.
 * @param {any} page
 * @param {any} offered
 * @param {string} type
 */
function offers(page, offered, type, experience = 'invoke_sdk_client') {
  if (page.setup || isElsewhere(page, type)) return null
  const found = offered.payment_methods
    .filter((/** @type {any} */ one) => one.payment_method === 'wallet')
    .flatMap((/** @type {any} */ one) => one.payment_method_types)
    .find((/** @type {any} */ one) => one.payment_method_type === type)
  const isSeen = found?.payment_experience?.some((/** @type {any} */ one) => one.payment_experience_type === experience)
  return isSeen ? found : null
}

/**
 * Returns the row of buttons and the types that are left out of the form's list; null if there are no buttons. `known`
 * resolves to the types that remain once all wallets have been checked. Until then each place is kept, so that nothing
 * moves. `gone` is called when the last button is removed.
 * @param {any} page
 * @param {ReturnType<typeof import('./service.js').serviceOf>} service
 * @param {any} offered
 * @param {Calls} calls
 * @param {() => void} [gone]
 * @returns {{ whole: HTMLElement, types: string[], known: Promise<string[]> } | null}
 */
export function express(page, service, offered, calls, gone = () => {}) {
  const row = element('div', { class: 'wallets' })
  const whole = element('div', { class: 'express' }, row, element('p', { class: 'or', text: page.words.or }))
  /** @type {Map<string, Element>} */
  const places = new Map()
  /** @type {Promise<unknown>[]} */
  const awaited = []
  /** @param {string} type @param {Element} place */
  function put(type, place) {
    const before = places.get(type)
    if (before) before.replaceWith(place)
    else row.append(place)
    places.set(type, place)
  }
  /** @param {string} type */
  function without(type) {
    places.get(type)?.remove()
    if (places.delete(type) && places.size === 0) {
      whole.remove()
      gone()
    }
  }

  async function google() {
    const token = await tokenOfGoogle(service)
    if (token === null) return without('google_pay')
    const { frame, isReady } = googlePay(page, token, calls)
    put('google_pay', frame)
    if (!(await isReady)) without('google_pay')
  }

  if (native() !== null && offers(page, offered, 'apple_pay') !== null) {
    // The token is requested from Apple meanwhile, which may take some time.
    put('apple_pay', element('span', { class: 'bar' }))
    awaited.push(
      applePay(page, service, calls, () => without('apple_pay')).then(button => (button ? put('apple_pay', button) : without('apple_pay'))),
    )
  }
  if (offers(page, offered, 'google_pay') !== null) {
    // The form does not wait for Google Pay.
    put('google_pay', element('span', { class: 'bar' }))
    awaited.push(google())
  }
  const paypal = offers(page, offered, 'paypal', 'redirect_to_url')
  if (paypal !== null && !asksMore(page, paypal)) put('paypal', paypalButton(page, calls))
  if (places.size === 0) return null
  return { whole, types: [...places.keys()], known: Promise.all(awaited).then(() => [...places.keys()]) }
}

/** @param {ReturnType<typeof import('./service.js').serviceOf>} service */
async function tokenOfGoogle(service) {
  const answer = await Promise.race([service.wallet('google_pay'), pause(LONGEST_MS)])
  return answer?.status === 200 ? (answer.body.session_token[0] ?? null) : null
}

/**
 * Whether a type needs further input or has a message to read: it stays in the list.
 * @param {any} page
 * @param {any} type
 */
const asksMore = ({ messages }, { payment_method_type, required_fields }) =>
  Object.entries(required_fields ?? {}).some(
    ([path, { value }]) => value === null && (!path.startsWith('payment_method_data.') || path.includes('.paypal_redirect.')),
  ) ||
  messages.some((/** @type {any} */ one) =>
    one.payment_method_types.some((/** @type {any} */ other) => other.payment_method_type === payment_method_type),
  )

/**
 * Returns the PayPal button, which confirms the payment and redirects to PayPal's page.
 * @param {any} page
 * @param {Calls} calls
 */
function paypalButton({ words: texts, locale }, { isBusy, calm, pay }) {
  const button = element(
    'button',
    { type: 'button', id: 'paypal', 'aria-label': fill(texts.payBy, { wallet: 'PayPal' }), lang: locale },
    element('span', { text: 'PayPal' }),
  )
  button.addEventListener('click', async () => {
    if (isBusy()) return
    calm()
    const { go } = await pay({
      payment_method: 'wallet',
      payment_method_type: 'paypal',
      payment_experience: 'redirect_to_url',
      payment_method_data: { wallet: { paypal_redirect: {} } },
    })
    await go()
  })
  return button
}

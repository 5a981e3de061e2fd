// Adds a card to a customer's saved payment methods, by a payment of amount 0: the issuer verifies the card, and
// nothing is charged. The form is all that this module needs of a page.

import { openConfirm, wordFor } from './confirm.js'
import { offerForm } from './offer.js'
import { pauses, serviceOf } from './service.js'

/** The maximum number of next actions for one card. */
const MOST_ACTIONS = 5
/** The number of lookups of the payment before the customer is told that the result takes a while. */
const TRIES = 6

/**
 * The result of adding a card. `open`: the payment has no result yet, and `later` resolves when it has. `closed`: the
 * customer has closed the bank's page. `word`: the name of the message for the customer.
 * @typedef {{ is: 'added', payment: any } | { is: 'open', later: () => Promise<any> } | { is: 'closed' } |
 *   { is: 'failed', word: string, type: string, code: string, message?: string }} Added
 */

/**
 * @param {any} page the page's data, to which the facts of the payment are added
 * @param {{ secret: () => Promise<string | null>, act: () => Promise<boolean> }} shop `secret` returns the
 *   client_secret of a new payment (null if the shop cannot make one now). `act` shows the next action to the customer
 *   and returns true if the customer has closed it.
 */
export function openAddMethod(page, { secret, act }) {
  /** @type {ReturnType<typeof serviceOf> | null} */
  let service = null
  /** @type {any} */
  let offered = null
  page.networksOf = (/** @type {string} */ digits) => service?.networksOf(digits) ?? null

  /** @param {string} type @param {string} code @param {string} [message] @returns {Added} */
  const failed = (type, code, message, word = 'notNow') => ({ is: 'failed', word, type, code, message })

  /**
   * Prepares the payment that adds a card. Returns the error, null if the payment is ready.
   * @returns {Promise<Added | null>}
   */
  async function prepare() {
    if (service !== null) return null
    const client_secret = await secret()
    if (client_secret === null) return failed('integration_error', 'setup_unavailable')
    const payment_id = client_secret.split('_secret_')[0] ?? ''
    const made = serviceOf({ root: page.root, publishable_key: page.publishable_key, client_secret, payment_id, actions: 'page' })
    const [methods, payment] = await Promise.all([made.methods(), made.payment()])
    const refused = [methods, payment].find(({ status }) => status >= 400 && status < 500)
    if (refused) return failed('session_error', 'session_expired', refused.body?.error?.message)
    if (methods.status !== 200 || payment.status !== 200) return failed('connection_error', 'service_unreachable')
    const { amount, status, attempt_count, currency, customer_id } = payment.body
    // A customer who adds a card is never charged, and cannot add it to another customer's payment methods.
    if (amount !== 0) return failed('integration_error', 'setup_not_free', 'The payment to add a card by must have amount 0')
    if (methods.body.is_guest_customer || (customer_id && customer_id !== page.of))
      return failed('integration_error', 'setup_of_another', 'The payment to add a card by must be of the same customer')
    if (!page.payable.includes(status)) return failed('session_error', 'session_expired')
    service = made
    offered = methods.body
    Object.assign(page, {
      status,
      attempts: attempt_count,
      currency,
      country: null,
      customer_id,
      merchant: offered.merchant_name,
      setup: true,
    })
    return null
  }

  /** @param {import('./confirm.js').Outcome} outcome @param {boolean} closed @returns {Promise<Added>} */
  async function settled(outcome, closed, round = 0) {
    const word = wordFor(page, outcome)
    if (word !== null) {
      if (outcome.is === 'declined') return failed('payment_error', outcome.payment.error_code ?? 'payment_declined', undefined, word)
      if (outcome.is === 'refused') return failed('request_error', outcome.error?.code ?? 'refused', outcome.error?.message, word)
      return failed('connection_error', 'not_received', undefined, word)
    }
    if (outcome.is !== 'answered') {
      const known = service
      if (outcome.is === 'over') service = null
      return outcome.is === 'over' || known === null
        ? failed('session_error', 'session_expired')
        : { is: 'open', later: () => later(known) }
    }
    const { payment } = outcome
    switch (payment.status) {
      case 'succeeded':
        service = null
        return { is: 'added', payment }
      case 'failed':
        // This payment cannot be retried; the next attempt needs a new payment.
        service = null
        return failed('payment_error', payment.error_code ?? 'payment_failed', undefined, 'declined')
      case 'requires_customer_action':
        if (closed || round === MOST_ACTIONS) {
          service = null
          return { is: 'closed' }
        }
        return settled(...(await lookedUp(await act())), round + 1)
      default: {
        const known = /** @type {ReturnType<typeof serviceOf>} */ (service)
        service = null
        return { is: 'open', later: () => later(known) }
      }
    }
  }

  /**
   * Looks up the payment once the customer has returned.
   * @returns {Promise<[import('./confirm.js').Outcome, boolean]>}
   */
  async function lookedUp(/** @type {boolean} */ closed) {
    const known = /** @type {ReturnType<typeof serviceOf>} */ (service)
    const { outcomeOf } = openConfirm(page, known)
    for (let round = 0; ; round++) {
      const { status, body } = await known.payment(true)
      if (status === 200) return [outcomeOf(body), closed]
      if (status >= 400 && status < 500) return [{ is: 'over' }, closed]
      if (round === TRIES) return [{ is: 'unknown' }, closed]
      await pauses().next()
    }
  }

  /** Waits for the payment's result. Returns the payment, or null if the session ends before. */
  async function later(/** @type {ReturnType<typeof serviceOf>} */ known) {
    for await (const round of pauses()) {
      const { status, body } = await known.payment(round % 4 === 0)
      if (status >= 400 && status < 500) return null
      if (status === 200 && ['succeeded', 'failed', 'cancelled'].includes(body.status)) return body
    }
  }

  return {
    prepare,
    /**
     * Returns the form, once the payment is prepared; null if no card can be added.
     * @param {Omit<Parameters<typeof offerForm>[1], 'offered' | 'saved' | 'alone'>} of
     */
    form: of => offerForm(page, { offered, saved: [], alone: true, ...of }),
    /**
     * Confirms the payment with the typed card. If the session ended meanwhile, a new payment is made and confirmed.
     * @param {object} body
     * @returns {Promise<Added>}
     */
    async add(body) {
      for (let round = 0; ; round++) {
        const fault = await prepare()
        if (fault !== null) return fault
        const { confirm } = openConfirm(page, /** @type {ReturnType<typeof serviceOf>} */ (service))
        const { ends } = await confirm({ ...body, is_iframe_redirection_enabled: true })
        const outcome = await ends()
        if (outcome.is !== 'over' || round > 0) return settled(outcome, false)
        service = null
      }
    },
  }
}

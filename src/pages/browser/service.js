// The service's public API as every checkout uses it, with the publishable key and the payment's client_secret.

/**
 * @typedef {{ root: string, publishable_key: string, client_secret?: string, actions?: 'all' | 'page',
 *   ephemeral_key?: string }} Access `actions`: the next actions that the page shows itself; with `page`, another page
 *   of ours shows all of them. `ephemeral_key`: the key for the customer's saved payment methods.
 */
/** @typedef {{ status: number, body: any }} Answer `status` 0: no answer came, or it cannot be read. */

/** Returns the data that the page contains: data, never markup. */
export const pageData = () => JSON.parse(/** @type {HTMLElement} */ (document.getElementById('page')).textContent ?? '{}')

/** Returns the function that calls the API with the publishable key and the client_secret. @param {Access} access */
const caller =
  ({ root, publishable_key, client_secret, actions = 'all' }) =>
  /** @returns {Promise<Answer>} */
  async (/** @type {string} */ method, /** @type {string} */ path, /** @type {object | undefined} */ body = undefined) => {
    try {
      const answer = await fetch(new URL(root + path, location.href), {
        method,
        headers: { 'api-key': publishable_key, 'content-type': 'application/json', 'x-next-actions': actions },
        ...(body && { body: JSON.stringify({ client_secret, ...body }) }),
      })
      return { status: answer.status, body: await answer.json() }
    } catch {
      return { status: 0, body: null }
    }
  }

/** Returns the API operations that the page of a payment calls. @param {Access & { payment_id: string }} access */
export function serviceOf(access) {
  const { payment_id, client_secret } = access
  const call = caller(access)
  const get = (/** @type {string} */ path, more = '') =>
    call('GET', `${path}?client_secret=${encodeURIComponent(client_secret ?? '')}${more}`)
  return {
    methods: () => get('account/payment_methods'),
    saved: () => get('customers/payment_methods'),
    payment: (/** @type {boolean} */ ask = false) => get(`payments/${payment_id}`, ask ? '&force_sync=true' : ''),
    askIssuer: (/** @type {object} */ body) => call('POST', `payments/${payment_id}/3ds/authentication`, body),
    /** Returns the networks of a card that has several; null for all other cards, or if the networks are unknown. */
    networksOf: async (/** @type {string} */ card_number) => {
      const ask = { payment_method_type: 'card', payment_method_data: { card: { card_number } } }
      const { status, body } = await call('POST', `payments/${payment_id}/eligibility`, ask)
      return /** @type {string[] | null} */ (status === 200 ? body.card_networks : null)
    },
    /** Returns the session token that opens a wallet. */
    wallet: (/** @type {string} */ type) => call('POST', 'payments/session_tokens', { payment_id, wallets: [type] }),
    confirm: (/** @type {object} */ body) => call('POST', `payments/${payment_id}/confirm`, body),
    forget: (/** @type {{ customer_id: string, payment_method_id: string }} */ { customer_id, payment_method_id }) =>
      customerServiceOf({ ...access, ephemeral_key: access.ephemeral_key ?? '', customer_id }).forget(payment_method_id),
    complete: (/** @type {object} */ body) => call('POST', `payments/${payment_id}/complete_authorize`, body),
  }
}

/**
 * Returns the operations on a customer's saved payment methods, called with the customer's ephemeral key.
 * @param {{ root: string, ephemeral_key: string, customer_id: string }} access
 */
export function customerServiceOf({ root, ephemeral_key, customer_id }) {
  const call = caller({ root, publishable_key: ephemeral_key, client_secret: undefined })
  const path = `customers/${encodeURIComponent(customer_id)}/payment_methods`
  const of = (/** @type {string} */ id) => `${path}/${encodeURIComponent(id)}`
  return {
    list: () => call('GET', path),
    makeDefault: (/** @type {string} */ id) => call('POST', `${of(id)}/default`, {}),
    /** Deletes a saved payment method. @param {string} id */
    forget: id => call('DELETE', of(id)),
  }
}

/**
 * Returns the operations on a payout that a recipient's browser may call.
 * @param {Access & { payout_id: string }} access
 */
export function recipientServiceOf(access) {
  const call = caller(access)
  const path = `payouts/${access.payout_id}`
  return {
    payout: () => call('GET', `${path}/client?client_secret=${encodeURIComponent(access.client_secret ?? '')}`),
    confirm: (/** @type {object} */ body) => call('POST', `${path}/confirm`, body),
  }
}

/**
 * Returns the function that submits a recipient's account, the only request of that page. `submits`: the path of the
 * request. @param {Access & { submits: string }} access
 */
export const submitterOf = access => {
  const call = caller(access)
  return (/** @type {object} */ body) => call('POST', access.submits, body)
}

/**
 * Loads the page again and returns the status that it shows; null while the page still has its form, undefined if the
 * page cannot be loaded.
 */
export async function standsNow() {
  try {
    const answer = await fetch(location.href)
    return answer.ok ? (/ data-stands="([^"]*)"/.exec(await answer.text())?.[1] ?? null) : undefined
  } catch {
    return undefined
  }
}

/** Returns the browser data that a bank needs (3-D Secure). */
export const browserInfo = () => ({
  user_agent: navigator.userAgent,
  accept_header: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  language: navigator.language,
  color_depth: screen.colorDepth,
  screen_height: screen.height,
  screen_width: screen.width,
  time_zone: new Date().getTimezoneOffset(),
  java_enabled: false,
  java_script_enabled: true,
})

/** Resolves after `ms` milliseconds. */
export const pause = (/** @type {number} */ ms) => new Promise(done => setTimeout(done, ms))

const EVERY_MS = 2000
const LONGEST_MS = 30_000

/** Yields when the page should poll: at growing intervals, and never while the page is hidden. */
export async function* pauses() {
  for (let round = 1; ; round++) {
    await pause(Math.min(EVERY_MS * 1.2 ** round, LONGEST_MS))
    if (!document.hidden) yield round
  }
}

/** Reloads the page, which then shows the current status. */
export const lookAgain = () => location.replace(location.href)

// The service, as any checkout meets it: the publishable key, the payment's client_secret, and its public operations.

/** @typedef {{ root: string, publishable_key: string, payment_id: string, client_secret: string }} Access */
/** @typedef {{ status: number, body: any }} Answer `status` 0: nobody has answered, or not in a way that can be read. */

/** What the page was given: data, never markup. */
export const pageData = () => JSON.parse(/** @type {HTMLElement} */ (document.getElementById('page')).textContent ?? '{}')

/** @param {Access} access */
export function serviceOf({ root, publishable_key, payment_id, client_secret }) {
  /** @returns {Promise<Answer>} */
  const call = async (/** @type {string} */ method, /** @type {string} */ path, /** @type {object} */ body) => {
    try {
      const answer = await fetch(new URL(root + path, location.href), {
        method,
        headers: { 'api-key': publishable_key, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify({ client_secret, ...body }) }),
      })
      return { status: answer.status, body: await answer.json() }
    } catch {
      return { status: 0, body: null }
    }
  }
  const get = (/** @type {string} */ path, more = '') =>
    call('GET', `${path}?client_secret=${encodeURIComponent(client_secret)}${more}`, /** @type {any} */ (undefined))
  return {
    methods: () => get('account/payment_methods'),
    saved: () => get('customers/payment_methods'),
    payment: (/** @type {boolean} */ ask = false) => get(`payments/${payment_id}`, ask ? '&force_sync=true' : ''),
    askIssuer: (/** @type {object} */ body) => call('POST', `payments/${payment_id}/3ds/authentication`, body),
    confirm: (/** @type {object} */ body) => call('POST', `payments/${payment_id}/confirm`, body),
  }
}

/** What a bank wants to know of a browser (3-D Secure). */
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

/** Ends after a while. */
export const pause = (/** @type {number} */ ms) => new Promise(done => setTimeout(done, ms))

/** The page anew, as the payment stands now. */
export const lookAgain = () => location.replace(location.href)

// The common part of the forms on our pages, for payments and payouts: messages, progress, and the end of the form.
import { element } from './parts.js'
import { lookAgain } from './service.js'

/** Returns the form of the page and its controls. */
export function pageForm() {
  const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id))
  const form = /** @type {HTMLFormElement} */ (at('pay'))
  const submit = /** @type {HTMLButtonElement} */ (at('submit'))
  let busy = false
  return {
    form,
    submit,
    at,
    isBusy: () => busy,
    /** Shows an error and moves the focus to it, so that screen readers read it. */
    showError(/** @type {string} */ message, /** @type {Node | null} */ more = null) {
      at('alert').replaceChildren(element('p', { class: 'alert', text: message }, more))
      at('alert').focus()
    },
    calm: () => at('alert').replaceChildren(),
    /** Shows the progress and locks the form, so that nothing can be changed or sent twice; null unlocks the form. */
    work(/** @type {string | null} */ message) {
      busy = message !== null
      at('progress').textContent = message ?? ''
      form.classList.toggle('busy', busy)
      submit.setAttribute('aria-disabled', String(busy))
      at('ways').inert = busy
      const wallets = /** @type {HTMLElement | null} */ (document.querySelector('.express'))
      if (wallets) wallets.inert = busy
    },
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Reloads the page when its form is out of date, and hides a logo that fails to load.
 * @param {{ expires_in_ms: number }} page
 * @param {() => boolean} isBusy
 */
export function endings({ expires_in_ms }, isBusy) {
  // After the back button the browser shows the page as it was left, but the payment may have changed.
  addEventListener('pageshow', event => event.persisted && lookAgain())
  // The page is reloaded when the session expires, and then says so.
  if (expires_in_ms < LONGEST_TIMER_MS) setTimeout(() => isBusy() || lookAgain(), expires_in_ms + 500)
  // A logo that cannot be loaded is removed.
  document.getElementById('logo')?.addEventListener('error', event => /** @type {HTMLElement} */ (event.target).remove())
}

// The frame of a form on a page of ours, whichever way the money goes: what it says, and how it comes to its end.
import { element } from './parts.js'
import { lookAgain } from './service.js'

/** The form as it stands in the page. */
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
    /** Says what went wrong, to eyes and ears. */
    alarm(/** @type {string} */ words, /** @type {Node | null} */ more = null) {
      at('alert').replaceChildren(element('p', { class: 'alert', text: words }, more))
      at('alert').focus()
    },
    calm: () => at('alert').replaceChildren(),
    /** While something is under way nothing can be changed or sent again. */
    work(/** @type {string | null} */ says) {
      busy = says !== null
      at('progress').textContent = says ?? ''
      form.classList.toggle('busy', busy)
      submit.setAttribute('aria-disabled', String(busy))
      at('ways').inert = busy
      const wallets = /** @type {HTMLElement | null} */ (document.querySelector('.express'))
      if (wallets) wallets.inert = busy
    },
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** What becomes of the page without the form. @param {{ expires_in_ms: number }} page @param {() => boolean} isBusy */
export function endings({ expires_in_ms }, isBusy) {
  // Come back to by the back button: it is shown as it was left, but time has gone on.
  addEventListener('pageshow', event => event.persisted && lookAgain())
  // When the time is over the page says so.
  if (expires_in_ms < LONGEST_TIMER_MS) setTimeout(() => isBusy() || lookAgain(), expires_in_ms + 500)
  // A logo that cannot be had leaves no hole.
  document.getElementById('logo')?.addEventListener('error', event => /** @type {HTMLElement} */ (event.target).remove())
}

// The messages between a frame and the shop's page around it. Each message is checked: window, origin, and the channel
// that both have agreed on (`docs/checkout.md`).

/** The version of the protocol between loader and frame. */
export const PROTOCOL = 1

/**
 * @typedef {{ post: (type: string, data?: object) => void, on: (type: string, handler: (data: any) => void) => void,
 *   began: Promise<any> }} Channel
 */

/**
 * Tells the page around the frame that the frame has loaded, and waits for that page's `init`. The first `init` names
 * the channel; from then on the frame exchanges messages only with the origin of that `init`.
 * @returns {Channel}
 */
export function openChannel() {
  const around = window.parent
  /** @type {Map<string, (data: any) => void>} */
  const handlers = new Map()
  /** @type {{ origin: string, channel: string } | null} */
  let peer = null
  /** @type {(init: any) => void} */
  let begins
  const began = new Promise(done => {
    begins = done
  })
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== around || around === window || data?.switchyard !== PROTOCOL || typeof data.channel !== 'string') return
    if (peer === null) {
      // A page without an origin of its own cannot be addressed, so other pages might receive the answers.
      if (data.type !== 'init' || !/^https?:/.test(origin)) return
      peer = { origin, channel: data.channel }
      return begins(data)
    }
    if (origin === peer.origin && data.channel === peer.channel) handlers.get(data.type)?.(data)
  })
  // Every page may know that the frame has loaded. Nothing else is sent before the channel is agreed on.
  if (around !== window) around.postMessage({ switchyard: PROTOCOL, type: 'hello' }, '*')
  return {
    began,
    on: (type, handler) => void handlers.set(type, handler),
    post(type, data = {}) {
      if (peer !== null) around.postMessage({ ...data, switchyard: PROTOCOL, channel: peer.channel, type }, peer.origin)
    },
  }
}

/** Returns the part of a payment that the shop's page receives: of the payment method, only its kind. */
export const seenOutside = (/** @type {any} */ payment) => {
  const names = 'payment_id status amount currency payment_method payment_method_type error_code error_message manual_retry_allowed'
  return Object.fromEntries(names.split(' ').map(name => [name, payment[name] ?? null]))
}

/**
 * Sends the frame's height, its focus changes and the escape key to the page around it.
 * @param {Channel} channel
 * @param {HTMLElement} whole
 */
export function reportToParent({ post }, whole) {
  let height = 0
  const measure = () => {
    const now = Math.ceil(whole.getBoundingClientRect().height)
    // The height does not change until the form is shown, so that the content below the frame moves at most once.
    if (now === height || whole.querySelector(':scope > .loading:not([hidden])')) return
    height = now
    post('resize', { height })
  }
  new ResizeObserver(measure).observe(whole)
  measure()
  addEventListener('focusin', () => post('focus'))
  addEventListener('focusout', event => event.relatedTarget === null && post('blur'))
  addEventListener('keydown', event => event.key === 'Escape' && post('escape'))
}

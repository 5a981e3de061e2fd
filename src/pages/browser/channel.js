// How a frame and the shop's page around it speak: by messages, each held to the window and the origin that it must
// come from, and to the channel that was agreed on (`docs/checkout.md`).

/** Of messages between loader and frame; another one would be another protocol. */
export const PROTOCOL = 1

/**
 * @typedef {{ post: (type: string, said?: object) => void, on: (type: string, hears: (said: any) => void) => void,
 *   began: Promise<any> }} Channel
 */

/**
 * Says that the frame is there, and waits for the page around it to begin: the first `init` names the channel, and its
 * origin is the only one that is spoken to from then on.
 * @returns {Channel}
 */
export function openChannel() {
  const around = window.parent
  /** @type {Map<string, (said: any) => void>} */
  const hearers = new Map()
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
      // A page without an origin of its own cannot be answered alone.
      if (data.type !== 'init' || !/^https?:/.test(origin)) return
      peer = { origin, channel: data.channel }
      return begins(data)
    }
    if (origin === peer.origin && data.channel === peer.channel) hearers.get(data.type)?.(data)
  })
  // That it is there may be known to every page: nothing else is said before the channel is agreed on.
  if (around !== window) around.postMessage({ switchyard: PROTOCOL, type: 'hello' }, '*')
  return {
    began,
    on: (type, hears) => void hearers.set(type, hears),
    post(type, said = {}) {
      if (peer !== null) around.postMessage({ ...said, switchyard: PROTOCOL, channel: peer.channel, type }, peer.origin)
    },
  }
}

/** What a shop's page hears of a payment: how it stands, and nothing of what it was paid with but its kind. */
export const seenOutside = (/** @type {any} */ payment) => {
  const names = 'payment_id status amount currency payment_method payment_method_type error_code error_message manual_retry_allowed'
  return Object.fromEntries(names.split(' ').map(name => [name, payment[name] ?? null]))
}

/**
 * Tells the page around how high the frame is, and who has the focus.
 * @param {Channel} channel
 * @param {HTMLElement} whole
 */
export function tellAround({ post }, whole) {
  let height = 0
  const measure = () => {
    const now = Math.ceil(whole.getBoundingClientRect().height)
    // Until it has its form it stays as high as it began: what stands below moves once at most.
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

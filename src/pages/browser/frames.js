// A bank's pages: one that is opened by sending a form, or a hidden one that examines the browser.
import { element } from './parts.js'
import { pause } from './service.js'

/**
 * Creates a form and sends it at once.
 * @param {string} action
 * @param {Record<string, string>} fields
 * @param {string} target
 */
export function send(action, fields, target) {
  const inputs = Object.entries(fields).map(([name, value]) => element('input', { type: 'hidden', name, value }))
  const form = element('form', { method: 'post', action, target, hidden: true }, ...inputs)
  document.body.append(form)
  form.submit()
}

/**
 * Loads a hidden page and returns whether it loaded in time. `fields`: the form sent to the page; null: only loaded.
 * @param {string} url @param {Record<string, string> | null} fields @param {number} within_ms
 * @returns {Promise<'Y' | 'N'>}
 */
export function seenBy(url, fields, within_ms) {
  const frame = element('iframe', { name: 'hidden', hidden: true, title: 'hidden', ...(fields === null && { src: url }) })
  // Before the form is sent, the frame fires `load` for its blank page.
  const isBlank = () => frame.contentDocument?.URL === 'about:blank'
  const seen = /** @type {Promise<'Y'>} */ (new Promise(done => frame.addEventListener('load', () => isBlank() || done('Y'))))
  document.body.append(frame)
  if (fields !== null) send(url, fields, 'hidden')
  return Promise.race([seen, pause(within_ms).then(() => /** @type {'N'} */ ('N'))])
}

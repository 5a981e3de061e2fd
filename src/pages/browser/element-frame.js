// The common part of all element frames: the shop's appearance, and the messages to the shop's page about height,
// focus and errors.
import { applyAppearance, readAppearance } from './appearance.js'
import { reportToParent } from './channel.js'

/**
 * Returns an error as the shop's page receives it.
 * @param {string} type
 * @param {string} code
 * @param {string} message for the customer, in the language of the frame
 * @param {string} [developer_message] what only a developer understands: the service's own sentence
 */
export const failure = (type, code, message, developer_message = undefined, more = {}) => ({
  error: { type, code, message, ...(developer_message !== undefined && { developer_message }), ...more },
})

/**
 * Draws the frame, and handles messages about appearance and focus from the page around it.
 * @param {import('./channel.js').Channel} channel
 * @param {unknown} appearance
 * @param {() => void} focus moves the focus to the first field
 */
export function beginFrame(channel, appearance, focus) {
  const look = (/** @type {unknown} */ asked) => {
    const { taken, faults } = readAppearance(asked)
    applyAppearance(taken)
    channel.post('drawn', { theme: taken.theme })
    if (faults.length === 0) return
    const message = 'These members of appearance are not as they must be, or cannot be read well, and are not used'
    // Nothing is wrong for the customer: the frame looks as it does without them.
    channel.post('error', failure('integration_error', 'appearance_invalid', '', `${message}: ${faults.join(', ')}`))
  }
  look(appearance)
  reportToParent(channel, /** @type {HTMLElement} */ (document.querySelector('main')))
  channel.on('update', data => look(data.appearance))
  channel.on('focus', focus)
  channel.on('blur', () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur())
}

/**
 * Returns the function that tells the shop's page whether the form is complete and which type is chosen, if changed.
 * @param {import('./channel.js').Channel} channel
 */
export function changes(channel) {
  let posted = ''
  return (/** @type {import('./methods.js').Way | undefined} */ way) => {
    const say = { complete: way?.ready() ?? false, value: { type: way?.type ?? null } }
    if (JSON.stringify(say) === posted) return
    posted = JSON.stringify(say)
    channel.post('change', say)
  }
}

/**
 * Returns an amount as text in the page's locale.
 * @param {any} page
 * @param {number} amount in the lowest denomination
 * @param {string} currency
 */
export function priced({ locale, decimals }, amount, currency) {
  const digits = decimals[currency] ?? 2
  const written = { style: /** @type {'currency'} */ ('currency'), currency, minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(locale, written).format(amount / 10 ** digits)
}

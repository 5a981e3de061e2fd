// What a shop charges beside the price.
import { fill } from './parts.js'

/** @param {any} page @param {HTMLElement} place where it is said, if there is any */
export function sayAdded({ words, surcharge, currency, locale, decimals }, place) {
  place.hidden = surcharge === 0
  if (surcharge === 0) return
  const digits = decimals[currency] ?? 2
  const written = { style: /** @type {'currency'} */ ('currency'), currency, minimumFractionDigits: digits, maximumFractionDigits: digits }
  const amount = new Intl.NumberFormat(locale, written).format(surcharge / 10 ** digits)
  place.textContent = fill(words.surchargeIncluded, { amount })
}

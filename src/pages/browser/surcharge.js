// What a shop charges beside the price.
import { priced } from './element-frame.js'
import { fill } from './parts.js'

/** @param {any} page @param {HTMLElement} place where it is said, if there is any */
export function sayAdded(page, place) {
  const { words, surcharge, currency } = page
  place.hidden = surcharge === 0
  if (surcharge !== 0) place.textContent = fill(words.surchargeIncluded, { amount: priced(page, surcharge, currency) })
}

// The surcharge that a shop adds to the price.
import { priced } from './element-frame.js'
import { fill } from './parts.js'

/** @param {any} page @param {HTMLElement} place the element that shows the surcharge, if there is any */
export function sayAdded(page, place) {
  const { words: texts, surcharge, currency } = page
  place.hidden = surcharge === 0
  if (surcharge !== 0) place.textContent = fill(texts.surchargeIncluded, { amount: priced(page, surcharge, currency) })
}

// What a payment can be paid with, as a form: on its page, and in the frame in a shop's.
import { keeper } from './keeping.js'
import { cardWay, chooser, otherWay, savedWay, shown } from './ways.js'

/**
 * Is a way to pay none of this payer's: of other currencies, or of other countries, where theirs is known?
 * @param {{ homes: Record<string, { currencies: string[], countries: string[] }>, currency: string,
 *   country: string | null }} page
 * @param {string} type
 */
export function isElsewhere({ homes, currency, country }, type) {
  const home = homes[type]
  return home !== undefined && !(home.currencies.includes(currency) && (country === null || home.countries.includes(country)))
}

/**
 * The form of what is offered; null if nothing is. `without`: types that have a button of their own; `alone`: cards
 * that are typed, and nothing else.
 * @param {any} page
 * @param {{ offered: any, saved: any[], without?: string[], alone?: boolean,
 *   places: { ways: HTMLElement, terms: HTMLElement }, changed: () => void, chosen: () => void }} of
 */
export function offerForm(page, { offered, saved, without = [], alone = false, places, changed, chosen }) {
  const types = offered.payment_methods.flatMap((/** @type {any} */ one) =>
    one.payment_method_types.map((/** @type {any} */ type) => ({ method: one.payment_method, type })),
  )
  const networks = /** @type {string[]} */ ([
    ...new Set(
      types.flatMap((/** @type {any} */ { type }) => (type.card_networks ?? []).map((/** @type {any} */ one) => one.card_network)),
    ),
  ])
  const cards = alone ? [] : saved.filter(one => one.card)
  const others = types.filter(
    (/** @type {any} */ { method, type }) =>
      !alone &&
      method !== 'card' &&
      !without.includes(type.payment_method_type) &&
      !isElsewhere(page, type.payment_method_type) &&
      (type.payment_experience ?? []).some((/** @type {any} */ one) => shown.includes(one.payment_experience_type)),
  )
  const ways = [
    ...cards.map(one => savedWay(page, one, changed)),
    ...(networks.length > 0 ? [cardWay(page, networks, cards.length === 0, changed)] : []),
    ...others.map((/** @type {any} */ { method, type }) => otherWay(page, method, type, changed)),
  ]
  if (ways.length === 0) return null
  const keeping = keeper(page, offered, places)
  // A saved card is what most want; a new one first only if that is all there is, and if the merchant would have it
  // open.
  const list = chooser(page, ways, page.cardFirst || cards.length > 0 ? 0 : null, way => {
    chosen()
    keeping.show(way.keeps === true)
    changed()
  })
  places.ways.replaceChildren(list.whole)
  keeping.show(list.current().keeps === true)
  return {
    current: list.current,
    /** What the customer has said, as a confirm says it. */
    said() {
      const way = list.current()
      const { nick_name, ...kept } = /** @type {any} */ (way.keeps && keeping.isAsked() ? keeping.said() : {})
      const body = way.body()
      if (nick_name && body.payment_method_data?.card) body.payment_method_data.card.nick_name = nick_name
      return { ...body, ...kept }
    },
  }
}

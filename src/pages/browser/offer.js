// The form with the ways to pay, for the payment page and for the frame in a shop's page.

import { rankOf } from './method-names.js'
import { cardWay, chooser, otherWay, savedWay, shown } from './methods.js'
import { saveConsent } from './save-method.js'

/**
 * Whether a way to pay does not fit the payment: it has other currencies or, if the payer's country is known, other
 * countries.
 * @param {{ homes: Record<string, { currencies: string[], countries: string[] }>, currency: string,
 *   country: string | null }} page
 * @param {string} type
 */
export function isElsewhere({ homes, currency, country }, type) {
  const home = homes[type]
  return home !== undefined && !(home.currencies.includes(currency) && (country === null || home.countries.includes(country)))
}

/** Wallets that only a button of a device that has them can open. */
const ofDevices = ['apple_pay', 'samsung_pay']

/** @param {any} page @param {any} one */
const rank = (page, { type: { payment_method_type: type } }) => rankOf(type, page.homes[type] !== undefined)

/**
 * Returns the form with the offered ways to pay; null if there are none. `without`: types that have a button of their
 * own. `alone`: whether only new cards are offered.
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
      !ofDevices.includes(type.payment_method_type) &&
      !isElsewhere(page, type.payment_method_type) &&
      (type.payment_experience ?? []).some((/** @type {any} */ one) => shown.includes(one.payment_experience_type)),
  )
  const ways = [
    ...cards.map(one => savedWay(page, one, changed)),
    ...(networks.length > 0 ? [cardWay(page, networks, cards.length === 0, changed)] : []),
    ...others
      .toSorted((/** @type {any} */ a, /** @type {any} */ b) => rank(page, a) - rank(page, b))
      .map((/** @type {any} */ { method, type }) => otherWay(page, method, type, changed)),
  ]
  if (ways.length === 0) return null
  const keeping = saveConsent(page, offered, places)
  // A saved card is chosen at first because most customers want one. Without saved cards the first way is chosen only
  // if the merchant wants the card form open.
  const list = chooser(page, ways, page.cardFirst || cards.length > 0 ? 0 : null, way => {
    chosen()
    keeping.show(way.keeps === true)
    changed()
  })
  places.ways.replaceChildren(list.whole)
  keeping.show(list.current().keeps === true)
  return {
    current: list.current,
    /** Returns the customer's input as the body of a confirm. */
    body() {
      const way = list.current()
      const { nick_name, ...kept } = /** @type {any} */ (way.keeps && keeping.isAsked() ? keeping.body() : {})
      const body = way.body()
      if (nick_name && body.payment_method_data?.card) body.payment_method_data.card.nick_name = nick_name
      return { ...body, ...kept }
    },
  }
}

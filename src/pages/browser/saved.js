// A customer's saved payment methods as shown to the customer, and the buttons that delete them.
import { element, fill } from './parts.js'

/**
 * Returns the texts for a saved card. `isOver`: whether the card has expired.
 * @param {any} page
 * @param {any} card
 */
export function shownCard({ words: texts, marked, locale }, card) {
  const { scheme, last4_digits, expiry_month, expiry_year, nick_name } = card
  const until = new Date(Number(expiry_year), Number(expiry_month) - 1, 1)
  const date = new Intl.DateTimeFormat(locale, { month: '2-digit', year: 'numeric' }).format(until)
  const number = fill(texts.endingIn, { network: scheme ?? texts.card, digits: last4_digits })
  return {
    label: nick_name ?? number,
    number,
    expires: fill(texts.expires, { date }),
    isOver: new Date(until.getFullYear(), until.getMonth() + 1, 1) <= new Date(),
    mark: marked.includes(scheme) ? scheme : 'card',
  }
}

/** @param {string} text @param {() => void} does @param {Record<string, string | undefined>} [more] */
export function linkButton(text, does, more = {}) {
  const made = element('button', { type: 'button', class: 'link', text, ...more })
  made.addEventListener('click', does)
  return made
}

/**
 * Returns the button that deletes a saved payment method after a second question. `of`: the id of the element that
 * names the payment method to screen readers.
 * @param {any} page
 * @param {any} saved
 * @param {{ word: string, of?: string, beside?: Node | null }} how
 */
export function forgetting({ words: texts, forget }, saved, { word, of, beside = null }) {
  const whole = element('div', { class: 'forget' })
  const named = { 'aria-describedby': of }
  const ask = () => {
    const yes = linkButton(
      texts.forget,
      async () => {
        whole.inert = true
        if (!(await forget(saved))) rest()
        whole.inert = false
      },
      named,
    )
    const no = () => {
      rest()
      const last = whole.querySelector('button:last-of-type')
      if (last instanceof HTMLElement) last.focus()
    }
    whole.replaceChildren(element('span', { text: texts.forgetSure }), yes, linkButton(texts.forgetNot, no, named))
    yes.focus()
  }
  const rest = () => whole.replaceChildren(...(beside ? [beside] : []), linkButton(word, ask, named))
  rest()
  return whole
}

// The customer's consent to saving a card.
import { element, field, fill } from './parts.js'

/**
 * Returns the consent to saving a card: a checkbox where the customer may choose, no question where the payment's
 * purpose is to save the card. `ways`: the element after which the checkbox is placed. `terms`: the element that shows
 * the merchant's terms.
 * @param {any} page
 * @param {any} offered
 * @param {{ ways: HTMLElement, terms: HTMLElement }} places
 */
export function saveConsent(page, { intent_data, mandate_payment }, places) {
  const { words: texts } = page
  const wanted = intent_data?.setup_future_usage
  const must = page.setup || wanted === 'off_session' || mandate_payment !== null
  // A card that is saved for payments with the customer present is never charged without the customer.
  const charged = must && (mandate_payment !== null || wanted !== 'on_session')
  const noConsent = { isAsked: () => false, body: () => ({}), show: () => terms(must) }
  if (must) return { isAsked: () => true, body: () => accepted(mandate_payment !== null, wanted ?? 'off_session'), show: () => terms(true) }
  if (page.customer_id === null) return noConsent
  const box = element('input', { type: 'checkbox', id: 'save' })
  const nickname = field({ label: texts.nickname, optional: texts.optional, maxlength: 255, autocomplete: 'off', check: () => null })
  const name = element('div', { hidden: true }, nickname.whole)
  const whole = element(
    'div',
    { class: 'keep' },
    element('div', { class: 'check' }, box, element('label', { for: 'save', text: texts.save })),
    page.nickname ? name : null,
  )
  box.addEventListener('change', () => {
    name.hidden = !box.checked
    terms(box.checked)
  })
  places.ways.after(whole)
  return {
    isAsked: () => box.checked && !whole.hidden,
    body: () => ({ ...accepted(false, 'on_session'), nick_name: nickname.value.trim() }),
    show(/** @type {boolean} */ card) {
      whole.hidden = !card
      terms(card && box.checked)
    },
  }

  function terms(/** @type {boolean} */ saves) {
    const shown = !page.ownTerms && page.terms !== 'never' && (saves || page.terms === 'always')
    places.terms.hidden = !shown
    places.terms.textContent = shown ? fill(charged ? texts.terms : texts.savedTerms, { merchant: page.merchant }) : ''
  }
}

/** Returns the members of a confirm that state the customer's consent and its purpose. */
function accepted(/** @type {boolean} */ mandate, /** @type {string} */ setup_future_usage) {
  const customer_acceptance = {
    acceptance_type: 'online',
    accepted_at: new Date().toISOString(),
    online: { user_agent: navigator.userAgent },
  }
  return { customer_acceptance, setup_future_usage, ...(mandate && { mandate_data: { customer_acceptance } }) }
}

// Shows a payment's status in a frame, in place of the form.
import { element } from './parts.js'

/**
 * @param {any} page
 * @param {(id: string) => HTMLElement} at
 * @param {HTMLElement} form
 * @param {string} status of the payment, or `expired`
 * @param {() => void} [resume] continues with the customer's next action
 */
export function drawResult({ words: texts, outcomes }, at, form, status, resume) {
  const { tone, heading, says: message } = outcomes[status] ?? outcomes.processing
  const onward = resume && element('button', { type: 'button', class: 'button', text: texts.resume })
  onward?.addEventListener('click', () => resume?.())
  form.hidden = true
  document.querySelector('.express')?.remove()
  at('alert').replaceChildren()
  at('ended').replaceChildren(
    element(
      'section',
      { class: `outcome ${tone}` },
      element('span', { class: 'sign', 'aria-hidden': 'true' }),
      element('h1', { text: heading }),
      element('p', { role: 'status', text: message }),
      onward,
    ),
  )
}

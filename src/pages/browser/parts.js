// Parts of forms, made as DOM elements, so that text never becomes markup.

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} properties attributes; `text` is what it says
 * @param {...(Node | string | null | undefined)} inside
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, { text, ...attributes } = {}, ...inside) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '')
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(name, String(value))
  }
  if (text !== undefined) made.textContent = String(text)
  made.append(...inside.filter(one => one !== null && one !== undefined))
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

/** Returns the mark of a network, one of those that the page contains. */
export function mark(/** @type {string} */ name) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'mark')
  svg.setAttribute('viewBox', '0 0 38 24')
  svg.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(SVG, 'use')
  use.setAttribute('href', `#mark-${name}`)
  svg.append(use)
  return svg
}

/** Returns the text with its placeholders filled in. */
export const fill = (/** @type {string} */ text, /** @type {Record<string, string>} */ facts) =>
  text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? '')

let count = 0

/**
 * Returns an input with its label, hint and error. `check` returns the error message, or null.
 * @param {{ label: string, optional?: string, hint?: string, beside?: Node, check: (value: string) => string | null,
 * onInput?: () => void, options?: [string, string][] } & Record<string, any>} of
 */
export function field({ label, optional, hint, beside, check, onInput, options, ...attributes }) {
  const id = `field-${++count}`
  const error = element('p', { id: `${id}-error`, class: 'error' })
  const help = hint === undefined ? null : element('p', { id: `${id}-hint`, class: 'hint', text: hint })
  const described = () => [error.textContent ? error.id : help?.id].filter(Boolean).join(' ')
  const input = options
    ? element('select', { id, ...attributes }, ...options.map(([value, text]) => element('option', { value, text })))
    : element('input', { id, type: 'text', ...attributes })
  const name = element('label', { for: id, text: label }, optional ? element('span', { class: 'optional', text: ` (${optional})` }) : null)
  const whole = element('div', { class: 'field' }, name, element('div', { class: 'input' }, input, beside), help, error)
  let touched = false
  const say = (/** @type {string | null} */ fault) => {
    error.textContent = fault ?? ''
    if (fault) input.setAttribute('aria-invalid', 'true')
    else input.removeAttribute('aria-invalid')
    const by = described()
    if (by) input.setAttribute('aria-describedby', by)
    else input.removeAttribute('aria-describedby')
  }
  say(null)
  input.addEventListener('input', () => {
    onInput?.()
    // An error disappears as soon as the value is valid, and appears only when the customer has left the field.
    if (touched && check(input.value) === null) say(null)
  })
  input.addEventListener('blur', () => {
    if (input.value === '') return
    touched = true
    say(check(input.value))
  })
  return {
    whole,
    input,
    help,
    get value() {
      return input.value
    },
    ready: () => check(input.value) === null,
    /** Shows the error, if any. Returns whether the value is valid. */
    hold() {
      touched = true
      const fault = check(input.value)
      say(fault)
      return fault === null
    },
    say,
  }
}

/** Formats the input's value, and keeps the caret after the same digit. */
export function rewrite(/** @type {HTMLInputElement} */ input, /** @type {(text: string) => string} */ form) {
  const before = input.value
  const caret = input.selectionStart ?? before.length
  const after = form(before)
  if (after === before) return
  const digits = before.slice(0, caret).replace(/\D/g, '').length
  input.value = after
  if (caret === before.length) return input.setSelectionRange(after.length, after.length)
  let at = 0
  for (let seen = 0; at < after.length && seen < digits; at++) if (/\d/.test(/** @type {string} */ (after[at]))) seen++
  input.setSelectionRange(at, at)
}

// The form for a card: number with the network's mark, expiry, security code, name.
import { codeFault, dated, digitsOf, expiryOf, grouped, kindOf, longest, numberFault } from './card.js'
import { element, field, fill, mark, rewrite } from './parts.js'

/**
 * @param {any} page
 * @param {readonly string[]} networks
 * @param {() => void} changed
 * @param {{ asksCode: boolean }} how asksCode is false for payouts: money is paid to a card by its number alone
 */
export function cardForm(page, networks, changed, { asksCode } = { asksCode: true }) {
  const { words: texts, kinds, marked } = page
  const kind = () => kindOf(digitsOf(number.value), kinds)

  const sign = element('span', { class: 'marks-beside' })
  const shown = networks.filter(name => marked.includes(name)).slice(0, 4)
  const drawn = () => {
    const network = kind()?.network
    sign.replaceChildren(...(network && marked.includes(network) ? [network] : digitsOf(number.value) === '' ? shown : ['card']).map(mark))
  }

  const number = field({
    label: texts.number,
    inputmode: 'numeric',
    autocomplete: 'cc-number',
    name: 'cardnumber',
    placeholder: '1234 1234 1234 1234',
    maxlength: 24,
    required: true,
    beside: sign,
    check: value => {
      const fault = numberFault(digitsOf(value), kinds, networks)
      return fault && fill(texts[fault], { network: kind()?.network ?? '' })
    },
    onInput() {
      rewrite(/** @type {HTMLInputElement} */ (number.input), text => {
        const is = kindOf(digitsOf(text), kinds)
        return grouped(digitsOf(text).slice(0, longest(is)), is)
      })
      drawn()
      codeLength()
      choice.look(digitsOf(number.value))
      changed()
    },
  })
  const choice = networkChoice(page, digits => numberFault(digits, kinds, networks) === null)
  const expiry = field({
    label: texts.expiry,
    inputmode: 'numeric',
    autocomplete: 'cc-exp',
    name: 'exp-date',
    placeholder: texts.expiryForm,
    maxlength: 9,
    required: true,
    check: value => {
      const read = expiryOf(value, new Date())
      return typeof read === 'string' ? texts[read] : null
    },
    onInput() {
      rewrite(/** @type {HTMLInputElement} */ (expiry.input), dated)
      changed()
    },
  })
  const code = codeField(page, kind, changed)
  const codeLength = () => code.expects(kind())
  const name = field({
    label: texts.name,
    autocomplete: 'cc-name',
    name: 'ccname',
    maxlength: 255,
    optional: texts.optional,
    check: () => null,
    onInput: changed,
  })
  drawn()

  const all = [number, expiry, ...(asksCode ? [code.field] : []), name]
  return {
    whole: element(
      'div',
      { class: 'card-form' },
      number.whole,
      choice.whole,
      element('div', { class: 'two' }, expiry.whole, asksCode ? code.field.whole : null),
      name.whole,
    ),
    ready: () => all.every(one => one.ready()),
    /** Shows the errors of all fields. Returns the first invalid field. */
    fault: () => all.filter(one => !one.hold())[0]?.input ?? null,
    focus: () => number.input.focus(),
    body() {
      const { month, year } = /** @type {{ month: string, year: string }} */ (expiryOf(expiry.value, new Date()))
      const network = choice.chosen()
      return {
        card_number: digitsOf(number.value),
        card_exp_month: month,
        card_exp_year: year,
        ...(asksCode && { card_cvc: digitsOf(code.field.value) }),
        ...(name.value.trim() && { card_holder_name: name.value.trim() }),
        ...(network && { card_network: network }),
      }
    },
  }
}

/**
 * The choice of network for a card with several networks, shown to the cardholder once the number is complete.
 * @param {any} page
 * @param {(digits: string) => boolean} isWhole
 */
function networkChoice({ words: texts, networksOf }, isWhole) {
  const whole = element('div', { hidden: true })
  /** @type {ReturnType<typeof field> | null} */
  let made = null
  let asked = ''
  const show = (/** @type {string[] | null} */ networks) => {
    made = null
    if (networks !== null && networks.length > 1)
      made = field({
        label: texts.network,
        options: networks.map(name => [name, name.replace(/([a-z])([A-Z])/g, '$1 $2')]),
        check: () => null,
      })
    whole.replaceChildren(.../** @type {any} */ (made ? [made.whole] : []))
    whole.hidden = made === null
  }
  return {
    whole,
    chosen: () => made?.value,
    async look(/** @type {string} */ digits) {
      if (digits === asked || !networksOf) return
      asked = digits
      show(null)
      if (!isWhole(digits)) return
      const networks = await networksOf(digits)
      // Shown only if no other number has been typed meanwhile.
      if (digits === asked) show(networks)
    },
  }
}

/**
 * The field for the security code, also used for a saved card.
 * @param {any} page
 * @param {() => (import('./card.js').Kind | null)} kind
 * @param {() => void} changed
 */
export function codeField({ words: texts }, kind, changed) {
  const made = field({
    label: texts.code,
    hint: texts.codeBehind,
    inputmode: 'numeric',
    autocomplete: 'cc-csc',
    name: 'cvc',
    placeholder: '123',
    maxlength: 4,
    required: true,
    check: value => {
      const fault = codeFault(digitsOf(value), kind())
      return fault && texts[fault]
    },
    onInput() {
      rewrite(/** @type {HTMLInputElement} */ (made.input), digitsOf)
      changed()
    },
  })
  return {
    field: made,
    expects(/** @type {import('./card.js').Kind | null} */ is) {
      const four = is?.code === 4
      made.input.setAttribute('maxlength', String(is?.code ?? 4))
      made.input.setAttribute('placeholder', four ? '1234' : '123')
      if (made.help) made.help.textContent = four ? texts.codeInFront : texts.codeBehind
    },
  }
}

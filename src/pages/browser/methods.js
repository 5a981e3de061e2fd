// The list of ways to pay from which the customer chooses: saved cards, a new card, and all other payment methods that
// the merchant accepts.
import { cardForm, codeField } from './card-form.js'
import { kindOf, nameOf, plainName } from './method-names.js'
import { element, field, fill, mark } from './parts.js'
import { forgetting, shownCard } from './saved.js'

/**
 * @typedef {{ id: string, type?: string, kind?: string, label: string, note?: string, mark?: string,
 *   panel: HTMLElement | null, keeps?: boolean, ready: () => boolean, fault: () => HTMLElement | null,
 *   focus: () => void,
 *   blame?: (refusal: string) => HTMLElement | null, body: () => any }} Way
 */

/** Returns the way to pay by a saved card. */
export function savedWay(/** @type {any} */ page, /** @type {any} */ saved, /** @type {() => void} */ changed) {
  const { words: texts, kinds } = page
  const shown = shownCard(page, saved.card)
  const kind = kinds.find((/** @type {any} */ one) => one.network === saved.card.scheme) ?? null
  const asksCode = page.asksCode || saved.requires_cvv !== false
  const code = codeField(page, () => kind, changed)
  code.expects(kind)
  return /** @type {Way} */ ({
    id: saved.payment_method_id,
    type: 'saved_card',
    label: shown.label,
    note: shown.label === shown.number ? shown.expires : shown.number,
    mark: shown.mark,
    panel:
      asksCode || page.forget
        ? element(
            'div',
            {},
            asksCode ? element('div', { class: 'narrow' }, code.field.whole) : null,
            page.forget ? forgetting(page, saved, { word: texts.forgetCard }) : null,
          )
        : null,
    ready: () => !asksCode || code.field.ready(),
    fault: () => (!asksCode || code.field.hold() ? null : code.field.input),
    focus: () => code.field.input.focus(),
    body: () => ({
      payment_method: 'card',
      payment_token: saved.payment_token,
      customer_id: saved.customer_id,
      ...(asksCode && { card_cvc: code.field.value }),
    }),
  })
}

/** Returns the way to pay by a new card. */
export function cardWay(
  /** @type {any} */ page,
  /** @type {readonly string[]} */ networks,
  /** @type {boolean} */ alone,
  /** @type {() => void} */ changed,
) {
  const form = cardForm(page, networks, changed)
  return /** @type {Way} */ ({
    id: 'card',
    type: 'card',
    label: alone ? page.words.card : page.words.anotherCard,
    mark: 'card',
    panel: form.whole,
    keeps: true,
    ready: form.ready,
    fault: form.fault,
    focus: form.focus,
    body: () => ({ payment_method: 'card', payment_method_data: { card: form.body() } }),
  })
}

/** The labels of the fields that a payer must fill in. */
const labels = {
  user_full_name: 'fullName',
  user_email_address: 'email',
  user_phone_number: 'phone',
  user_address_line1: 'line1',
  user_address_line2: 'line2',
  user_address_city: 'city',
  user_address_pincode: 'zip',
  user_address_state: 'state',
  user_address_country: 'country',
  user_country: 'country',
  user_bank: 'bank',
  user_bank_options: 'bank',
  user_iban: 'iban',
  user_bank_account_number: 'account',
  user_bank_account_holder_name: 'holder',
}
/** The labels of a name that has two fields. */
const parts = { first_name: 'firstName', last_name: 'lastName' }
const kinds = {
  user_email_address: { type: 'email', autocomplete: 'email' },
  user_full_name: { autocomplete: 'name' },
  user_billing_name: { autocomplete: 'name' },
  user_phone_number: { type: 'tel', autocomplete: 'tel' },
  user_address_line1: { autocomplete: 'address-line1' },
  user_address_line2: { autocomplete: 'address-line2' },
  user_address_city: { autocomplete: 'address-level2' },
  user_address_pincode: { autocomplete: 'postal-code' },
}

/** Puts a value at a path of a request, such as `billing.address.zip`. */
function put(/** @type {any} */ body, /** @type {string} */ path, /** @type {unknown} */ value) {
  const parts = path.split('.')
  const last = /** @type {string} */ (parts.pop())
  let at = body
  for (const part of parts) at = at[part] ??= {}
  at[last] = value
}

/**
 * The payment methods whose data for a redirect has a member of its own (`…_redirect`): wallets and pay-later
 * lenders, except the types in `calledPlainly`.
 */
const paged = ['wallet', 'pay_later']
const calledPlainly = ['paysera', 'revolut_pay', 'skrill', 'mifinity']
/** The bank types whose member name also contains the payment method. */
const ofBanks = ['ach', 'sepa', 'becs', 'bacs', 'multibanco', 'bni_va', 'bri_va', 'cimb_va', 'danamon_va', 'mandiri_va']
const placeOf = (/** @type {string} */ method, /** @type {string} */ type) =>
  `payment_method_data.${method}` +
  (method === 'crypto'
    ? ''
    : method.startsWith('bank_') && ofBanks.includes(type)
      ? `.${type}_${method}`
      : paged.includes(method) && !calledPlainly.includes(type)
        ? `.${type}_redirect`
        : `.${type}`)

/**
 * The payment experiences that this page can show: a redirect, or instructions on our own page. The page has no
 * scripts of SDKs.
 */
export const shown = ['redirect_to_url', 'display_qr_code', 'display_wait_screen', 'invoke_payment_app']
/** The payment methods whose instructions are shown on this page. */
const withInstructions = ['bank_transfer', 'voucher', 'real_time_payment', 'mobile_payment', 'upi']

/** Returns any other way to pay: the fields that the payer must fill in, before the payer approves the payment. */
export function otherWay(
  /** @type {any} */ page,
  /** @type {string} */ method,
  /** @type {any} */ type,
  /** @type {() => void} */ changed,
) {
  const { words: texts } = page
  const name = nameOf(method, type.payment_method_type)
  const place = placeOf(method, type.payment_method_type)
  // Fields of another way of the same type (such as an SDK's token) are left out.
  const isOurs = (/** @type {string} */ path) =>
    !path.startsWith('payment_method_data.') || path.startsWith('payment_method_data.billing.') || path.startsWith(`${place}.`)
  const asked = Object.entries(/** @type {Record<string, any>} */ (type.required_fields ?? {})).filter(
    ([path, { value }]) => value === null && isOurs(path),
  )
  const fields = asked.map(([path, { field_type, display_name }]) => {
    const kind = typeof field_type === 'string' ? field_type : (Object.keys(field_type)[0] ?? '')
    const word = /** @type {Record<string, string>} */ (labels)[kind] ?? /** @type {Record<string, string>} */ (parts)[display_name]
    const choices = typeof field_type === 'string' ? undefined : field_type[kind]?.options
    // No option is preselected.
    const options = choices && [['', ''], ...choices.map((/** @type {string} */ one) => [one, plainName(one)])]
    return {
      path,
      label: word === undefined ? plainName(display_name) : texts[word],
      more: { ...(options && { options }), .../** @type {Record<string, object>} */ (kinds)[kind] },
    }
  })
  const message = page.messages
    .find((/** @type {any} */ one) => one.payment_method === method)
    ?.payment_method_types.find((/** @type {any} */ one) => one.payment_method_type === type.payment_method_type)?.message
  const experience = type.payment_experience
    .map((/** @type {any} */ one) => one.payment_experience_type)
    .find((/** @type {string} */ one) => shown.includes(one))
  const hasInstructions = experience !== 'redirect_to_url' || withInstructions.includes(method)
  const usual = fill(hasInstructions ? texts.instructed : texts.onward, { method: name })
  const hint = { hidden: null, default_sdk_message: usual, custom_message: message?.value }[
    /** @type {'hidden'} */ (message?.display_mode ?? 'custom_message')
  ]
  return fieldsWay(page, {
    id: `${method}-${type.payment_method_type}`,
    type: type.payment_method_type,
    kind: kindOf(method),
    label: name,
    fields,
    hint: hint === null ? undefined : (hint ?? usual),
    changed,
    body() {
      const body = {
        payment_method: method,
        payment_method_type: type.payment_method_type,
        payment_experience: experience,
        payment_method_data: {},
      }
      put(body, place, {})
      return body
    },
  })
}

/**
 * Returns a way to pay with text fields, each for a path of the request.
 * @param {any} page
 * @param {{ id: string, type?: string, kind?: string, label: string,
 *   fields: { path: string, label: string, more?: object, optional?: boolean }[],
 *   hint?: string, changed: () => void, body: () => object }} of
 */
function fieldsWay({ words: texts }, { id, type, kind, label, fields, hint, changed, body }) {
  const made = fields.map(({ path, label, more, optional }) => ({
    path,
    field: field({
      label,
      ...(optional ? { optional: texts.optional } : { required: true }),
      ...more,
      check: value => (!optional && value.trim() === '' ? texts.needed : null),
      onInput: changed,
    }),
  }))
  return /** @type {Way} */ ({
    id,
    type,
    kind,
    label,
    panel: element('div', {}, ...made.map(one => one.field.whole), hint === undefined ? null : element('p', { class: 'hint', text: hint })),
    ready: () => made.every(one => one.field.ready()),
    fault: () => made.filter(one => !one.field.hold())[0]?.field.input ?? null,
    focus: () => made[0]?.field.input.focus(),
    blame(refusal) {
      const found = made.find(({ path }) => new RegExp(`\\b${path.replaceAll('.', '\\.')}\\b`).test(refusal))
      found?.field.say(texts.wrong)
      return found?.field.input ?? null
    },
    body() {
      const whole = body()
      for (const { path, field } of made) if (field.value.trim() !== '') put(whole, path, field.value.trim())
      return whole
    },
  })
}

/** The input attributes of the recipients' fields. */
const inputAttributes = {
  email: { type: 'email', autocomplete: 'email' },
  telephone_number: { type: 'tel', autocomplete: 'tel' },
  account_holder_name: { autocomplete: 'name' },
  bank_account_number: { autocomplete: 'off' },
  bank_routing_number: { inputmode: 'numeric', autocomplete: 'off' },
  bank_sort_code: { inputmode: 'numeric', autocomplete: 'off' },
  iban: { autocomplete: 'off', spellcheck: 'false', placeholder: 'DE00 0000 0000 0000 0000 00' },
}

/** Returns a way to be paid (`instruments/recipient-ways.ts`). */
export function recipientWay(/** @type {any} */ page, /** @type {any} */ way, /** @type {() => void} */ changed) {
  const { words: texts } = page
  const place = `payout_method_data.${way.place}`
  if (way.is === 'card') {
    const networks = page.kinds.map((/** @type {any} */ one) => one.network)
    const form = cardForm(page, networks, changed, { asksCode: false })
    return /** @type {Way} */ ({
      id: 'card',
      type: 'card',
      label: texts.card,
      mark: 'card',
      panel: form.whole,
      ready: form.ready,
      fault: form.fault,
      focus: form.focus,
      body() {
        const { card_exp_month: expiry_month, card_exp_year: expiry_year, ...card } = form.body()
        return { payout_type: 'card', payout_method_data: { card: { ...card, expiry_month, expiry_year } } }
      },
    })
  }
  const asked = (/** @type {string} */ name, optional = false) => ({
    path: `${place}.${name}`,
    label: texts[name],
    more: /** @type {Record<string, object>} */ (inputAttributes)[name] ?? { autocomplete: 'off' },
    optional,
  })
  return fieldsWay(page, {
    id: way.type,
    type: way.type,
    label: texts[way.type],
    fields: [
      ...way.asks.map((/** @type {string} */ name) => asked(name)),
      ...way.option.map((/** @type {string} */ name) => asked(name, true)),
    ],
    changed,
    body() {
      const body = { payout_type: way.is }
      put(body, place, { ...way.said })
      return body
    },
  })
}

/** Returns the way to be paid to the account that the sender already knows, which needs no input. */
export const knownWay = (/** @type {any} */ { words: texts, there }) =>
  /** @type {Way} */ ({
    id: 'there',
    type: 'on_file',
    label: texts.toThere,
    note: there,
    panel: null,
    ready: () => true,
    fault: () => null,
    focus: () => {},
    body: () => ({}),
  })

/** Returns the way that stands for no choice yet. @param {() => HTMLElement | null} where */
const nothing = where => ({
  id: '',
  label: '',
  panel: null,
  ready: () => false,
  fault: where,
  focus: () => where()?.focus(),
  body: () => ({}),
})

const MOST_AT_ONCE = 6
/** So many ways of a kind, or fewer kinds than two, need no folding. */
const FEW = 3

/**
 * Returns the rows of the rest of a list, those of one kind behind its name.
 * @param {any} texts
 * @param {{ way: Way, row: HTMLElement }[]} rest
 */
function folds(texts, rest) {
  if (rest.length <= FEW) return rest.map(({ row }) => row)
  /** @type {Map<string, HTMLElement[]>} */
  const byKind = new Map()
  for (const { way, row } of rest) {
    const kind = way.kind ?? 'kindOther'
    byKind.set(kind, [...(byKind.get(kind) ?? []), row])
  }
  return [...byKind].map(([kind, its]) =>
    element('details', { class: 'fold' }, element('summary', { text: `${texts[kind]} (${its.length})` }), ...its),
  )
}

/**
 * Returns the list of ways; a single way needs no list. `chosen` is called when the customer has chosen.
 * @param {any} page
 * @param {Way[]} ways
 * @param {number | null} first the way that is chosen at first; null: none
 * @param {(way: Way) => void} chosen
 */
export function chooser({ words: texts }, ways, first, chosen) {
  const [only] = ways
  if (ways.length === 1 && only) return { whole: only.panel ?? element('div'), current: () => only }
  let current = /** @type {Way} */ (first === null ? nothing(() => rows[0]?.row.querySelector('input') ?? null) : (ways[first] ?? only))
  const rows = ways.map(way => {
    const id = `way-${way.id}`
    const input = element('input', { type: 'radio', name: 'way', id, value: way.id, checked: way === current })
    const label = element(
      'label',
      { for: id },
      way.mark ? mark(way.mark) : null,
      element(
        'span',
        { class: 'way-name' },
        element('span', { text: way.label }),
        way.note ? element('span', { class: 'note', text: way.note }) : null,
      ),
    )
    const panel = element('div', { class: 'panel' }, way.panel)
    const row = element('div', { class: 'way' }, element('div', { class: 'way-head' }, input, label), panel)
    input.addEventListener('change', () => {
      current = way
      draw()
      chosen(way)
    })
    return { way, row, panel }
  })
  const draw = () => {
    for (const { way, row, panel } of rows) {
      row.classList.toggle('chosen', way === current)
      panel.hidden = way !== current || way.panel === null
    }
  }
  draw()
  const whole = element('fieldset', { class: 'ways' }, element('legend', { text: texts.payWith }), ...rows.map(({ row }) => row))
  // The end of a long list is hidden behind a button, because most customers want one of the first ways; then it is
  // folded by kind.
  const rest = rows.slice(MOST_AT_ONCE)
  if (rest.length > 1) {
    const folded = element('div', { class: 'more-ways' }, ...folds(texts, rest))
    folded.hidden = true
    const more = element('button', { type: 'button', class: 'link more', text: texts.moreWays })
    more.addEventListener('click', () => {
      folded.hidden = false
      more.remove()
      const first = folded.querySelector('summary, input')
      if (first instanceof HTMLElement) first.focus()
    })
    whole.append(folded, more)
  }
  return { whole, current: () => current }
}

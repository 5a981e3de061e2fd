// The frame in a shop's page in which customers manage their saved payment methods, with only their ephemeral key.
import { openAddMethod } from './add-method.js'
import { openChannel } from './channel.js'
import { beginFrame, changes, failure } from './element-frame.js'
import { pageForm } from './form.js'
import { nameOf } from './method-names.js'
import { element, mark } from './parts.js'
import { drawResult } from './result.js'
import { forgetting, linkButton, shownCard } from './saved.js'
import { customerServiceOf, pageData } from './service.js'

const channel = openChannel()
const page = pageData()
const { words: texts } = page
const { form, at, showError, calm, work, isBusy } = pageForm()
const init = await channel.began

const { publishable_key, customer_id, ephemeral_key } = init
Object.assign(page, { publishable_key, of: customer_id, forget })
const service = customerServiceOf({ root: page.root, ephemeral_key, customer_id })

/** @param {string} type @param {string} code @param {string} message @param {string} [developer_message] */
const failed = (type, code, message, developer_message) => channel.post('error', failure(type, code, message, developer_message))
const did = (/** @type {string} */ action, /** @type {string | null} */ payment_method_id) =>
  channel.post('saved', { action, payment_method_id })

/**
 * Sends a request to the script in the shop's page, and returns the answer.
 * @param {string} type
 * @returns {Promise<any>}
 */
const ask = type =>
  new Promise(done => {
    channel.on(type, done)
    channel.post(type)
  })
const shop = {
  secret: async () => (await ask('setup')).client_secret ?? null,
  act: async () => (await ask('act')).closed === true,
}
const { prepare, form: cardForm, add } = openAddMethod(page, shop)

/** @type {any[]} */
let methods = []
/** @type {ReturnType<typeof cardForm>} */
let offer = null

const reportChange = changes(channel)
const changed = () => reportChange(offer?.current())

beginFrame(channel, init.appearance, () => /** @type {HTMLElement | null} */ (document.querySelector('main button:not([hidden])'))?.focus())
at('add').addEventListener('click', begin)
at('cancel').addEventListener('click', () => close(true))
// A message about an earlier action is cleared when the customer begins another.
at('methods').addEventListener('click', () => say(''), { capture: true })
at('add').hidden = true
read().then(isThere => isThere && channel.post('ready'))

/** Shows a message of success, which screen readers read too. @param {string} message */
function say(message) {
  at('progress').textContent = message
}

/** Reads and draws the saved payment methods. Returns false if they cannot be read. */
async function read() {
  const { status, body } = await service.list()
  at('loading').hidden = true
  const code = body?.error?.code
  if (status === 401 || status === 403) return over(body.error.message)
  // A customer whom the service does not know yet (404) has saved nothing.
  const isNew = status === 404
  if (status !== 200 && !isNew) {
    showError(texts.notNow, linkButton(texts.again, again))
    if (status >= 400 && status < 500) failed('request_error', code ?? 'refused', texts.notNow, body?.error?.message)
    else failed('connection_error', 'service_unreachable', texts.notNow)
    return false
  }
  if (isNew) failed('request_error', 'customer_not_found', texts.notNow, body?.error?.message)
  methods = isNew ? [] : body.customer_payment_methods
  draw()
  return true
}

function again() {
  calm()
  read()
}

/** Ends the frame because the key has expired or is invalid. @param {string} message */
function over(message) {
  close(false)
  methods = []
  at('methods').replaceChildren()
  at('saved').hidden = true
  at('add').hidden = true
  drawResult(page, at, form, 'expired')
  failed('session_error', 'key_refused', page.outcomes.expired.says, message)
  return false
}

function draw() {
  at('methods').replaceChildren(...methods.map(row))
  at('none').hidden = methods.length > 0
  at('methods').hidden = methods.length === 0
  at('add').hidden = !init.adds || !form.hidden
}

/**
 * Returns the texts for a payment method other than a card: its type, and the end of its number if it has one.
 * @param {any} saved
 */
function shownOther({ payment_method, payment_method_type, payment_method_data }) {
  /** @returns {any[]} */
  const values = (/** @type {any} */ value) =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(values) : [value]
  const hint = values(payment_method_data).find((/** @type {any} */ text) => typeof text === 'string' && /\*|^\d{4}$/.test(text))
  return { label: nameOf(payment_method, payment_method_type ?? payment_method), note: hint ?? null, mark: null, isOver: false }
}

/** @param {any} saved @param {number} i */
function row(saved, i) {
  const card = saved.card && shownCard(page, saved.card)
  const { label, mark: sign, isOver } = card ?? shownOther(saved)
  const note = card ? (isOver ? texts.expired : card.expires) : shownOther(saved).note
  const id = `saved-${i}`
  const isDefault = saved.default_payment_method_set === true
  const name = element(
    'div',
    { class: 'way-name', id },
    element('span', {}, element('bdi', { text: label }), isDefault ? element('span', { class: 'badge', text: texts.isDefault }) : null),
    card && card.label !== card.number ? element('span', { class: 'note', text: card.number }) : null,
    note ? element('span', { class: isOver ? 'note bad' : 'note', text: note }) : null,
  )
  const first = isDefault ? null : linkButton(texts.makeDefault, () => prefer(saved), { 'aria-describedby': id })
  const actions = forgetting(page, saved, { word: texts.forget, of: id, beside: first })
  return element('li', { class: 'saved' }, sign ? mark(sign) : mark('card'), name, actions)
}

/** @param {any} saved */
async function prefer(saved) {
  if (isBusy()) return
  calm()
  const { status, body } = await service.makeDefault(saved.payment_method_id)
  if (status === 401 || status === 403) return over(body.error.message)
  if (status !== 200) return unchanged(status, body)
  await read()
  say(texts.defaultSet)
  did('default', saved.payment_method_id)
  at('methods').querySelector('button')?.focus()
}

/** Deletes a payment method. Returns false if the deletion failed. @param {any} saved */
async function forget(saved) {
  if (isBusy()) return false
  calm()
  const { status, body } = await service.forget(saved.payment_method_id)
  if (status === 401 || status === 403) return over(body.error.message)
  // A payment method that is already deleted (404) counts as deleted.
  if (status !== 200 && status !== 404) return unchanged(status, body)
  const place = methods.indexOf(saved)
  await read()
  say(texts.deleted)
  did('deleted', saved.payment_method_id)
  const rows = at('methods').children
  const next = rows[Math.min(place, rows.length - 1)]?.querySelector('button')
  ;(next ?? at('add')).focus()
  return true
}

/**
 * Shows that a change failed: another page may have been quicker, or the service does not answer.
 * @param {number} status
 * @param {any} body
 */
async function unchanged(status, body) {
  if (status >= 400 && status < 500) {
    failed('request_error', body?.error?.code ?? 'refused', texts.notNow, body?.error?.message)
    await read()
  } else failed('connection_error', 'service_unreachable', texts.notNow)
  showError(texts.notNow)
  return false
}

/** Opens the form for a card. */
async function begin() {
  if (isBusy()) return
  calm()
  say('')
  at('add').hidden = true
  at('loading').hidden = false
  const fault = await prepare()
  at('loading').hidden = true
  if (fault?.is === 'failed') {
    at('add').hidden = false
    return wrong(fault)
  }
  const places = { ways: at('ways'), terms: at('terms') }
  offer = cardForm({ places, changed, chosen: calm })
  if (offer === null) {
    at('add').hidden = false
    return showError(texts.noCards)
  }
  form.hidden = false
  offer.current().focus()
  changed()
}

/** Closes the form and discards its input. @param {boolean} byHand */
function close(byHand) {
  if (isBusy()) return
  offer = null
  form.hidden = true
  at('ways').replaceChildren()
  calm()
  changed()
  if (methods.length > 0 || byHand) at('add').hidden = !init.adds
  if (byHand) at('add').focus()
}

/** @param {Extract<import('./add-method.js').Added, { is: 'failed' }>} fault */
function wrong({ word, type, code, message }) {
  showError(texts[word])
  failed(type, code, texts[word], message)
}

form.addEventListener('submit', async event => {
  event.preventDefault()
  if (isBusy() || offer === null) return
  const fault = offer.current().fault()
  if (fault) return fault.focus()
  calm()
  if (!navigator.onLine) return showError(texts.notNow)
  work(texts.savingCard)
  at('saved').inert = true
  const added = await add(offer.body())
  work(null)
  at('saved').inert = false
  switch (added.is) {
    case 'failed':
      return wrong(added)
    case 'closed':
      showError(texts.cardClosed)
      return failed('action_error', 'action_closed', texts.cardClosed)
    case 'open':
      close(true)
      say(texts.cardOpen)
      return decided(await added.later())
    default:
      close(true)
      return kept(added.payment)
  }
})

/**
 * Shows the result of a card whose payment was still open; null if the result is unknown. Input typed meanwhile stays.
 * @param {any} payment
 */
async function decided(payment) {
  if (payment === null) return void (await read())
  if (payment.status === 'succeeded') return kept(payment)
  say('')
  showError(texts.declined)
  failed('payment_error', payment.error_code ?? 'payment_failed', texts.declined)
}

/** Shows that the card is saved, and tells the shop's page. @param {any} payment */
async function kept(payment) {
  const before = methods.map(one => one.payment_method_id)
  if (!(await read())) return
  say(texts.cardSaved)
  const added = methods.map(one => one.payment_method_id).find(id => !before.includes(id))
  did('added', payment.payment_method_id ?? added ?? null)
}

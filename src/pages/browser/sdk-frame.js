// The frame of an element in a shop's page: the customer's input stays here, and the frame sends the confirm itself.
import { openChannel, seenOutside } from './channel.js'
import { openConfirm, wordFor } from './confirm.js'
import { beginFrame, changes, failure } from './element-frame.js'
import { express } from './express.js'
import { pageForm } from './form.js'
import { offerForm } from './offer.js'
import { element } from './parts.js'
import { drawResult } from './result.js'
import { pageData, pauses, serviceOf } from './service.js'
import { sayAdded } from './surcharge.js'

const channel = openChannel()
const page = pageData()
const { words: texts } = page
const { form, at, showError, calm, work, isBusy } = pageForm()
const init = await channel.began

Object.assign(page, { publishable_key: init.publishable_key, client_secret: init.client_secret, ephemeral_key: init.ephemeral_key })
page.payment_id = String(init.client_secret).split('_secret_')[0]
const service = serviceOf({ ...page, actions: 'page' })
page.networksOf = service.networksOf
if (typeof init.ephemeral_key === 'string')
  page.forget = async (/** @type {any} */ saved) => {
    const { status } = await service.forget(saved)
    // A payment method that is already deleted (404) counts as deleted.
    if (status !== 200 && status !== 404) return false
    form.querySelector('.keep')?.remove()
    await begin()
    return true
  }
const { confirm, outcomeOf } = openConfirm(page, service)

/** @type {ReturnType<typeof offerForm>} */
let offer = null

/**
 * Returns an error for the shop's page. `message` is for the customer; what only a developer understands is in
 * `developer_message`.
 * @param {string} type @param {string} code @param {string} message @param {any} payment
 * @param {string} [developer_message]
 */
const failed = (type, code, message, payment = null, developer_message = undefined) =>
  failure(type, code, message, developer_message, payment === null ? {} : { payment: seenOutside(payment) })

/**
 * Whether the customer can pay: before the first attempt, and after a decline if another attempt is allowed.
 * @param {any} payment
 */
const isPayable = ({ status, manual_retry_allowed }) =>
  page.payable.includes(status) && (status !== 'failed' || manual_retry_allowed === true)

const reportChange = changes(channel)
const changed = () => reportChange(offer?.current())

beginFrame(channel, init.appearance, focusFirst)
begin()

function focusFirst() {
  if (form.hidden) return
  const first = /** @type {HTMLElement | null} */ (form.querySelector('input:checked') ?? form.querySelector('input, select'))
  const way = offer?.current()
  if (way?.panel) way.focus()
  else first?.focus()
}

async function begin() {
  at('loading').hidden = init.element === 'express'
  const [offered, saved, payment] = await Promise.all([service.methods(), service.saved(), service.payment()])
  const calls = { isBusy, calm, work, showError, pay }
  if (payment.status === 200 && offered.status === 200) {
    know(payment.body, offered.body)
    if (!isPayable(payment.body)) ended(payment.body)
    else {
      // The last attempt may have been made elsewhere.
      const word = payment.body.status === 'failed' ? wordFor(page, outcomeOf(payment.body)) : null
      if (word !== null) showError(texts[word])
      const wallets = init.element === 'card' ? null : express(page, service, offered.body, calls, alone)
      draw(offered.body, saved.status === 200 ? saved.body.customer_payment_methods : [], wallets)
      // The express element has only wallets, so the wallets of this browser are awaited.
      if (init.element === 'express') channel.post('offers', { wallets: (await wallets?.known) ?? [] })
    }
    at('loading').hidden = true
    return channel.post('ready')
  }
  at('loading').hidden = true
  const refused = [payment, offered].find(({ status }) => status >= 400 && status < 500)
  if (payment.status === 200 && !isPayable(payment.body)) ended(payment.body)
  else if (refused) over(refused.body?.error?.code === 'IR_01' ? 'key_refused' : 'session_expired', refused.body?.error?.message)
  else unreachable()
}

function unreachable() {
  const again = element('button', { type: 'button', class: 'link', text: texts.again })
  again.addEventListener('click', () => {
    calm()
    begin()
  })
  showError(texts.notNow, again)
  channel.post('error', failed('connection_error', 'service_unreachable', texts.notNow))
}

/** @param {string} code @param {string} [message] */
function over(code, message) {
  drawResult(page, at, form, 'expired')
  channel.post('error', failed('session_error', code, page.outcomes.expired.says, null, message))
}

/** @param {any} payment @param {any} offered */
function know(payment, offered) {
  Object.assign(page, {
    status: payment.status,
    attempts: payment.attempt_count,
    currency: payment.currency,
    country: payment.billing?.address?.country ?? null,
    customer_id: offered.is_guest_customer ? null : (payment.customer_id ?? true),
    merchant: offered.merchant_name,
    setup: payment.amount === 0,
    surcharge: (payment.surcharge_details?.surcharge_amount ?? 0) + (payment.surcharge_details?.tax_amount ?? 0),
  })
}

/** Called when the last wallet button is removed. */
const alone = () => offer === null && init.element !== 'express' && showError(texts.nothingOffered)

/** @param {any} offered @param {any[]} saved @param {ReturnType<typeof express>} wallets */
function draw(offered, saved, wallets) {
  const places = { ways: at('ways'), terms: at('terms') }
  const chosen = () => {
    calm()
    changed()
  }
  if (init.element !== 'express') {
    const isCard = init.element === 'card'
    offer = offerForm(page, { offered, saved, without: wallets?.types ?? [], alone: isCard, places, changed, chosen })
    form.hidden = offer === null
  }
  document.querySelector('.express')?.remove()
  if (wallets) form.before(wallets.whole)
  if (offer === null) wallets?.whole.classList.add('alone')
  if (init.element !== 'express' && offer === null && wallets === null) showError(texts.nothingOffered)
  sayAdded(page, at('surcharge'))
  channel.post('offers', { wallets: wallets?.types ?? [] })
  changed()
}

// The enter key in a field acts as the shop's button.
form.addEventListener('submit', event => {
  event.preventDefault()
  if (!isBusy()) channel.post('submit')
})

channel.on('confirm', async ({ id, return_url }) => channel.post('result', { id, ...(await paid(return_url)) }))
channel.on('settled', async ({ id, closed }) => channel.post('result', { id, ...(await lookedUp(closed === true)) }))

/** @param {unknown} return_url */
async function paid(return_url) {
  if (isBusy()) return failed('integration_error', 'in_progress', texts.paying, null, 'A confirmation of this element is under way')
  if (offer === null || form.hidden)
    return failed(
      'integration_error',
      'not_payable',
      at('ended').textContent || texts.nothingOffered,
      null,
      'The element shows no form: retrieve the payment to see how it stands',
    )
  const fault = offer.current().fault()
  if (fault) {
    fault.focus()
    return failed('validation_error', 'incomplete', document.getElementById(`${fault.id}-error`)?.textContent || texts.needed)
  }
  calm()
  if (!navigator.onLine) {
    showError(texts.notNow)
    return failed('connection_error', 'not_sent', texts.notNow)
  }
  const { is, ends } = await asked({ ...offer.body(), ...(typeof return_url === 'string' && { return_url }) })
  if (is === 'unknown') work(texts.checking)
  return settle(await ends(), false)
}

/** Confirms the payment. The bank's challenge will return to our frame. @param {object} body */
function asked(body) {
  work(texts.paying)
  return confirm({ ...body, is_iframe_redirection_enabled: true })
}

/** Confirms by a wallet's button. The result goes to the shop's page without its request. @param {object} body */
async function pay(body) {
  const { is, ends } = await asked(body)
  return { is, go: async () => channel.post('paid', settle(await ends(), false)) }
}

/** Looks up the payment after the customer has finished or closed the next action. @param {boolean} closed */
async function lookedUp(closed) {
  work(texts.checking)
  for await (const _round of tries()) {
    const { status, body } = await service.payment(true)
    if (status === 200) return settle(outcomeOf(body), closed)
    if (status >= 400 && status < 500) return settle({ is: 'over' }, closed)
  }
  return settle({ is: 'unknown' }, closed)
}

/** Yields at once, and then at growing intervals, seven times in all. */
async function* tries() {
  yield 0
  for await (const round of pauses()) {
    if (round > 6) return
    yield round
  }
}

/**
 * Shows an outcome to the customer, and returns the part for the shop's page. `acted`: whether the customer has
 * already been shown the next action.
 * @param {import('./confirm.js').Outcome} outcome
 * @param {boolean} acted
 */
function settle(outcome, acted) {
  const word = wordFor(page, outcome)
  if (word !== null) {
    work(null)
    reopen()
    showError(texts[word])
    if (outcome.is === 'declined')
      return failed('payment_error', outcome.payment.error_code ?? 'payment_declined', texts[word], outcome.payment)
    if (outcome.is === 'refused')
      return failed('request_error', outcome.error?.code ?? 'refused', texts[word], null, outcome.error?.message)
    return failed('connection_error', 'not_received', texts[word])
  }
  if (outcome.is === 'over') {
    drawResult(page, at, form, 'expired')
    work(null)
    return failed('session_error', 'session_expired', page.outcomes.expired.says)
  }
  if (outcome.is !== 'answered') {
    drawResult(page, at, form, 'processing')
    work(null)
    watch('')
    return failed('connection_error', 'result_unknown', page.outcomes.processing.says)
  }
  const { payment } = outcome
  if (payment.status !== 'requires_customer_action') {
    ended(payment)
    work(null)
    return payment.status === 'failed'
      ? failed('payment_error', payment.error_code ?? 'payment_failed', page.outcomes.failed.says, payment)
      : { payment: seenOutside(payment) }
  }
  if (!acted) return onward(payment)
  ended(payment)
  work(null)
  return failed('action_error', 'action_closed', page.outcomes.requires_customer_action.says, payment)
}

/** Shows the form again, as the customer left it, after its place showed the payment's status. */
function reopen() {
  if (offer === null || !form.hidden) return
  at('ended').replaceChildren()
  form.hidden = false
}

/** Returns how the next action is shown: in our frame over the shop's page, or by a redirect. @param {any} payment */
function onward(payment) {
  const { next_action, payment_method } = payment
  const address = next_action?.redirect_to_url ?? next_action?.popup_url
  if (
    next_action?.type === 'three_ds_invoke' ||
    (address && (payment_method === 'card' || new URL(address).pathname.includes('/waiting/')))
  ) {
    work(texts.toBank)
    return { action: true }
  }
  if (!address)
    return failed(
      'action_error',
      'action_unsupported',
      texts.notTaken,
      payment,
      'The next action of the payment is for a script of its processor',
    )
  work(texts.leaving)
  return { redirect: address }
}

/** Shows the payment's status in place of the form. @param {any} payment */
function ended(payment) {
  const resume = () => channel.post('resume')
  drawResult(page, at, form, payment.status, payment.status === 'requires_customer_action' ? resume : undefined)
  if (page.outcomes[payment.status]?.tone === 'open') watch(payment.status)
}

let watching = false
/** Reads the payment until it is decided, and tells the shop's page each new status. @param {string} before */
async function watch(before) {
  if (watching) return
  watching = true
  for await (const round of pauses()) {
    const { status, body } = await service.payment(round % 4 === 0)
    if (status >= 400 && status < 500) break
    if (status !== 200 || body.status === before) continue
    ended(body)
    channel.post('payment', { payment: seenOutside(body) })
    before = body.status
    if (page.outcomes[before]?.tone !== 'open') break
  }
  watching = false
}

// The form of a payment page: what can be paid with, what was typed, one confirm, and where its answer leads.
import { applePay } from './apple-pay.js'
import { endings, pageForm } from './form.js'
import { element, field, fill } from './parts.js'
import { browserInfo, lookAgain, pageData, pause, serviceOf } from './service.js'
import { cardWay, chooser, otherWay, savedWay, shown } from './ways.js'

const page = pageData()
const { words } = page
const service = serviceOf(page)
page.networksOf = service.networksOf
const { form, submit, at, alarm, calm, work, isBusy } = pageForm()

/** @type {import('./ways.js').Way[]} */
let ways = []
/** @type {() => import('./ways.js').Way} */
let current
/** Who wants the card saved, and under which name. */
let keeping = { isAsked: () => false, said: () => ({}), show: (/** @type {boolean} */ _card) => {} }

const changed = () => {
  if (page.onlyWhenReady) submit.disabled = !(current?.().ready() ?? false)
}

begin()

async function begin() {
  at('loading').hidden = false
  const [offered, saved, apple] = await Promise.all([
    service.methods(),
    page.saved ? service.saved() : null,
    applePay(page, service, { isBusy, calm, work, alarm, pay }),
  ])
  at('loading').hidden = true
  if (offered.status !== 200) {
    // The session is over, or the payment is no longer what this page shows.
    if (offered.status >= 400 && offered.status < 500) return lookAgain()
    const again = element('button', { type: 'button', class: 'link', text: words.again })
    again.addEventListener('click', () => {
      calm()
      begin()
    })
    return alarm(words.notNow, again)
  }
  draw(offered.body, saved?.status === 200 ? saved.body.customer_payment_methods : [], apple)
}

/** @param {any} offered @param {any[]} saved @param {HTMLElement | null} apple */
function draw(offered, saved, apple) {
  const types = offered.payment_methods.flatMap((/** @type {any} */ one) =>
    one.payment_method_types.map((/** @type {any} */ type) => ({ method: one.payment_method, type })),
  )
  const networks = [
    ...new Set(
      types.flatMap((/** @type {any} */ { type }) => (type.card_networks ?? []).map((/** @type {any} */ one) => one.card_network)),
    ),
  ]
  const cards = saved.filter(one => one.card)
  const others = types.filter(
    (/** @type {any} */ { method, type }) =>
      method !== 'card' &&
      !(apple && type.payment_method_type === 'apple_pay') &&
      !page.elsewhere.includes(type.payment_method_type) &&
      (type.payment_experience ?? []).some((/** @type {any} */ one) => shown.includes(one.payment_experience_type)),
  )
  ways = [
    ...cards.map(one => savedWay(page, one, changed)),
    ...(networks.length > 0 ? [cardWay(page, /** @type {string[]} */ (networks), cards.length === 0, changed)] : []),
    ...others.map((/** @type {any} */ { method, type }) => otherWay(page, method, type, changed)),
  ]
  if (apple) form.before(apple)
  if (ways.length === 0) return apple ? apple.classList.add('alone') : alarm(words.nothingOffered)
  keeping = keeper(offered)
  // A saved card is what most want; a new one first only if that is all there is, and if the merchant would have it
  // open.
  const list = chooser(page, ways, page.cardFirst || cards.length > 0 ? 0 : null, way => {
    calm()
    keeping.show(way.keeps === true)
    changed()
  })
  current = list.current
  at('ways').replaceChildren(list.whole)
  keeping.show(current().keeps === true)
  form.hidden = false
  changed()
}

/**
 * The customer's word on saving a card: asked where it can be saved, and taken for granted where the payment is made
 * to save it. @param {any} offered
 */
function keeper({ intent_data, mandate_payment }) {
  const wanted = intent_data?.setup_future_usage
  const must = page.setup || wanted === 'off_session' || mandate_payment !== null
  const nobody = { isAsked: () => false, said: () => ({}), show: () => terms(must) }
  if (must) return { isAsked: () => true, said: () => accepted(mandate_payment !== null, wanted ?? 'off_session'), show: () => terms(true) }
  if (page.customer_id === null) return nobody
  const box = element('input', { type: 'checkbox', id: 'save' })
  const nickname = field({ label: words.nickname, optional: words.optional, maxlength: 255, autocomplete: 'off', check: () => null })
  const name = element('div', { hidden: true }, nickname.whole)
  const whole = element(
    'div',
    { class: 'keep' },
    element('div', { class: 'check' }, box, element('label', { for: 'save', text: words.save })),
    page.nickname ? name : null,
  )
  box.addEventListener('change', () => {
    name.hidden = !box.checked
    terms(box.checked)
  })
  at('ways').after(whole)
  return {
    isAsked: () => box.checked && !whole.hidden,
    said: () => ({ ...accepted(false, 'on_session'), nick_name: nickname.value.trim() }),
    show(/** @type {boolean} */ card) {
      whole.hidden = !card
      terms(card && box.checked)
    },
  }

  function terms(/** @type {boolean} */ saves) {
    const shown = !page.ownTerms && page.terms !== 'never' && (saves || page.terms === 'always')
    at('terms').hidden = !shown
    at('terms').textContent = shown ? fill(must ? words.terms : words.savedTerms, { merchant: page.merchant }) : ''
  }
}

/** That the customer agrees, with what that is about. */
function accepted(/** @type {boolean} */ mandate, /** @type {string} */ setup_future_usage) {
  const customer_acceptance = {
    acceptance_type: 'online',
    accepted_at: new Date().toISOString(),
    online: { user_agent: navigator.userAgent },
  }
  return { customer_acceptance, setup_future_usage, ...(mandate && { mandate_data: { customer_acceptance } }) }
}

form.addEventListener('submit', async event => {
  event.preventDefault()
  if (isBusy() || !current) return
  const way = current()
  const fault = way.fault()
  if (fault) return fault.focus()
  calm()
  const { nick_name, ...kept } = /** @type {any} */ (way.keeps && keeping.isAsked() ? keeping.said() : {})
  const body = way.body()
  if (nick_name && body.payment_method_data?.card) body.payment_method_data.card.nick_name = nick_name
  const { go } = await pay({ ...body, ...kept })
  await go()
})

/**
 * Confirms with what the customer has said; `go` leads on from there. @param {object} said @returns {Promise<{ is:
 * 'paid' | 'not paid' | 'unknown', go: () => unknown }>}
 */
async function pay(said) {
  work(words.paying)
  const answer = await service.confirm({
    ...said,
    browser_info: browserInfo(),
    ...(page.status === 'failed' && { retry_action: 'manual_retry' }),
  })
  if (answer.status === 200 && answer.body.status)
    return { is: answer.body.status === 'failed' ? 'not paid' : 'paid', go: () => act(answer.body) }
  if (answer.status > 0 && answer.status < 500) return { is: 'not paid', go: () => refused(answer.body?.error) }
  // Whether it was charged is unknown: that is looked up, and never tried again by the page.
  return { is: 'unknown', go: lookUp }
}

/** Where the payment leads from here. @param {any} payment */
function act(payment) {
  const { status, next_action, manual_retry_allowed } = payment
  if (status === 'requires_customer_action' && next_action?.redirect_to_url) {
    work(words.toBank)
    return go(next_action.redirect_to_url)
  }
  if (status === 'failed' && manual_retry_allowed) {
    Object.assign(page, { status, attempts: payment.attempt_count })
    work(null)
    return alarm(/insufficient/.test(payment.error_code ?? '') ? words.declinedFunds : words.declined)
  }
  lookAgain()
}

/** A bank's page is no page for a frame. */
function go(/** @type {string} */ address) {
  const whole = window.top ?? window
  whole.location.href = address
}

/** @param {any} error */
async function refused(error) {
  // It may have been paid meanwhile, in another tab; or the time is over.
  const { status, body } = await service.payment()
  if (status === 200 && !page.payable.includes(body.status)) return lookAgain()
  if (status >= 400 && status < 500) return lookAgain()
  work(null)
  alarm(/too many/i.test(error?.message ?? '') ? words.tooMany : error?.type === 'blocked' ? words.declined : words.notTaken)
}

const TRIES = 8

async function lookUp() {
  work(words.checking)
  for (let round = 1; round <= TRIES; round++) {
    await pause(1000 * round)
    const { status, body } = await service.payment(round > 1)
    if (status === 200 && (body.status !== page.status || body.attempt_count !== page.attempts)) return act(body)
    if (status >= 400 && status < 500) return lookAgain()
    // It has not arrived, or is still where it was: only what has arrived is waited for.
    if (status === 200 && round >= TRIES / 2) {
      work(null)
      return alarm(words.notNow)
    }
  }
  lookAgain()
}

// Back from the bank by the back button: the page is shown as it was left, but the payment has gone on.
endings(page, isBusy)

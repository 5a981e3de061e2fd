// The form of a payment page: the ways to pay, the customer's input, one confirm, and the next step.

import { openConfirm, wordFor } from './confirm.js'
import { express } from './express.js'
import { endings, pageForm } from './form.js'
import { offerForm } from './offer.js'
import { element } from './parts.js'
import { lookAgain, pageData, serviceOf } from './service.js'

const page = pageData()
const { words: texts } = page
const service = serviceOf(page)
page.networksOf = service.networksOf
const { form, submit, at, showError, calm, work, isBusy } = pageForm()
const { confirm } = openConfirm(page, service)

/** @type {ReturnType<typeof offerForm>} */
let offer = null

const changed = () => {
  if (page.onlyWhenReady) submit.disabled = !(offer?.current().ready() ?? false)
}

begin()

async function begin() {
  at('loading').hidden = false
  const [offered, saved] = await Promise.all([service.methods(), page.saved ? service.saved() : null])
  const isThere = offered.status === 200
  const wallets = isThere ? express(page, service, offered.body, { isBusy, calm, work, showError, pay }, alone) : null
  at('loading').hidden = true
  if (!isThere) {
    // The session has ended, or the payment's status is no longer the one that this page shows.
    if (offered.status >= 400 && offered.status < 500) return lookAgain()
    const again = element('button', { type: 'button', class: 'link', text: texts.again })
    again.addEventListener('click', () => {
      calm()
      begin()
    })
    return showError(texts.notNow, again)
  }
  draw(offered.body, saved?.status === 200 ? saved.body.customer_payment_methods : [], wallets)
}

/** Called when the last wallet button is removed. */
function alone() {
  if (offer === null) showError(texts.nothingOffered)
}

/** @param {any} offered @param {any[]} saved @param {ReturnType<typeof express>} wallets */
function draw(offered, saved, wallets) {
  const places = { ways: at('ways'), terms: at('terms') }
  offer = offerForm(page, { offered, saved, without: wallets?.types ?? [], places, changed, chosen: calm })
  if (wallets) form.before(wallets.whole)
  if (offer === null) return wallets ? wallets.whole.classList.add('alone') : showError(texts.nothingOffered)
  form.hidden = false
  changed()
}

form.addEventListener('submit', async event => {
  event.preventDefault()
  if (isBusy() || !offer) return
  const fault = offer.current().fault()
  if (fault) return fault.focus()
  calm()
  const { go } = await pay(offer.body())
  await go()
})

/**
 * Confirms the payment with the customer's input. `go` continues with the result.
 * @param {object} body @returns {Promise<{ is:
 * 'paid' | 'not paid' | 'unknown', go: () => unknown }>}
 */
async function pay(body) {
  work(texts.paying)
  const { is, ends } = await confirm(body)
  return {
    is,
    async go() {
      if (is === 'unknown') work(texts.checking)
      act(await ends())
    },
  }
}

/**
 * Continues with the next action, the payment's new page, or an error message.
 * @param {import('./confirm.js').Outcome} outcome
 */
function act(outcome) {
  const { status, next_action } = outcome.is === 'answered' ? outcome.payment : { status: null, next_action: null }
  if (status === 'requires_customer_action' && next_action?.redirect_to_url) {
    work(texts.toBank)
    return go(next_action.redirect_to_url)
  }
  const word = wordFor(page, outcome)
  if (word === null) return lookAgain()
  work(null)
  showError(texts[word])
}

/** Opens an address in the top window, because a bank's page is not shown in a frame. */
function go(/** @type {string} */ address) {
  const whole = window.top ?? window
  whole.location.href = address
}

// After the back button from the bank's page, the browser shows the form as it was, but the payment has changed.
endings(page, isBusy)

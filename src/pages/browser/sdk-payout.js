// The frame of a payout in a shop's page: the recipient enters the account to be paid to and sees the payout's status.
import { openChannel } from './channel.js'
import { beginFrame, changes, failure, priced } from './element-frame.js'
import { pageForm } from './form.js'
import { element, fill } from './parts.js'
import { recipientForm } from './payout-form.js'
import { drawResult } from './result.js'
import { linkButton } from './saved.js'
import { pageData, pauses, recipientServiceOf } from './service.js'

const channel = openChannel()
const page = pageData()
const { words: texts } = page
const frame = pageForm()
const { form, at, showError, calm, work } = frame
const init = await channel.began

const { publishable_key, client_secret } = init
// The client_secret of a payout begins with `payout_` and the payout's id.
const payout_id = String(client_secret).slice('payout_'.length, String(client_secret).lastIndexOf('_secret_'))
const service = recipientServiceOf({ root: page.root, publishable_key, client_secret, payout_id })

/** @type {ReturnType<typeof recipientForm> | null} */
let recipient = null
/** The payout as it was read last. @type {any} */
let payout = null
let isOver = false

/** @param {string} type @param {string} code @param {string} message @param {string} [developer_message] */
const failed = (type, code, message, developer_message) => channel.post('error', failure(type, code, message, developer_message))
const reportChange = changes(channel)

beginFrame(channel, init.appearance, () => recipient?.current().focus())
form.addEventListener('submit', event => {
  event.preventDefault()
  recipient?.send()
})
begin()

/** Whether the recipient can still enter an account. */
const isOpen = () => page.open.includes(payout?.status)

/** Reads the payout. Returns the HTTP status and the error. */
async function read() {
  const { status, body } = await service.payout()
  if (status === 200) payout = body
  isOver = status >= 400 && status < 500
  return { status, error: body?.error }
}

async function begin() {
  at('loading').hidden = false
  const { status, error } = await read()
  at('loading').hidden = true
  if (status === 200) {
    if (isOpen()) draw()
    else ended()
    return channel.post('ready')
  }
  if (!isOver) return unreachable()
  ended()
  failed('session_error', error?.code === 'IR_01' ? 'key_refused' : 'session_expired', page.outcomes.expired.says, error?.message)
}

function unreachable() {
  showError(
    texts.notNow,
    linkButton(texts.again, () => {
      calm()
      begin()
    }),
  )
  failed('connection_error', 'service_unreachable', texts.notNow)
}

function draw() {
  const { amount, currency, merchant_name, description, masked_payout_method, has_payout_method, payout_methods_enabled } = payout
  const price = priced(page, amount, currency)
  at('heading').textContent = fill(texts.paidBy, { merchant: merchant_name })
  at('amount').textContent = price
  at('what').textContent = description ?? ''
  at('summary').hidden = false
  at('submit-words').textContent = fill(texts.receive, { amount: price })
  page.there = has_payout_method ? masked_payout_method : null
  page.ways = payout_methods_enabled.map((/** @type {any} */ way) => ({
    is: way.payout_type,
    type: way.payout_method_type,
    place: way.path,
    said: way.fixed_fields,
    asks: way.required_fields,
    option: way.optional_fields,
  }))
  if (page.there === null && page.ways.length === 0) return showError(texts.noWay)
  const changed = () => reportChange(recipient?.current())
  const isDecided = async () => {
    await read()
    return isOver || !isOpen()
  }
  recipient = recipientForm(page, frame, { submit: sent, isDecided, decided, changed, failed })
  changed()
}

/** Confirms the payout with the recipient's input. Returns the service's answer. @param {object} body */
async function sent(body) {
  const answer = await service.confirm(body)
  if (answer.status === 200) payout = { ...payout, ...answer.body }
  return answer
}

/** Shows the payout after it was confirmed, here or elsewhere, or after its session has ended. */
async function decided() {
  const { status } = await read()
  work(null)
  ended()
  if (isOver && status !== 200 && isOpen()) return failed('session_error', 'session_expired', page.outcomes.expired.says)
  channel.post('payout', { payout: seen() })
}

/** Returns the part of a payout that the shop's page receives: of the recipient's account, only its kind. */
const seen = () =>
  Object.fromEntries(['payout_id', 'status', 'amount', 'currency', 'payout_type'].map(name => [name, payout[name] ?? null]))

/** Shows the payout's status in place of the form. */
function ended() {
  recipient = null
  at('summary').hidden = true
  const status = payout === null || isOpen() ? 'expired' : payout.status
  drawResult(page, at, form, status)
  if (status === 'expired') return
  const facts = [
    [texts.amount, priced(page, payout.amount, payout.currency)],
    [texts.paidTo, payout.masked_payout_method],
  ].filter(([, value]) => value)
  const lines = facts.map(([name, value]) => element('div', {}, element('dt', { text: name }), element('dd', { text: value })))
  at('ended').firstElementChild?.append(element('dl', { class: 'facts' }, ...lines))
  if (page.underWay.includes(status)) watch(status)
}

let watching = false
/** Reads the payout until it is decided, and tells the shop's page each new status. @param {string} before */
async function watch(before) {
  if (watching) return
  watching = true
  for await (const _round of pauses()) {
    await read()
    if (isOver) break
    if (payout.status === before) continue
    before = payout.status
    ended()
    channel.post('payout', { payout: seen() })
    if (!page.underWay.includes(before)) break
  }
  watching = false
}

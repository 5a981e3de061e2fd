// Our frame over a shop's page: shows the next actions, on our pages or on others, until the payment is decided.
import { applyAppearance, readAppearance } from './appearance.js'
import { openChannel, seenOutside } from './channel.js'
import { failure } from './element-frame.js'
import { send } from './frames.js'
import { pageData, pause, pauses, serviceOf } from './service.js'
import { askIssuer } from './three-ds.js'

const channel = openChannel()
const page = pageData()
const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id))
const bank = /** @type {HTMLIFrameElement} */ (at('bank'))
const init = await channel.began

const { publishable_key, client_secret } = init
const payment_id = String(client_secret).split('_secret_')[0] ?? ''
const service = serviceOf({ root: page.root, publishable_key, client_secret, payment_id, actions: 'page' })

channel.on('retrieve', async ({ id }) => channel.post('result', { id, ...(await retrieved()) }))
applyAppearance(readAppearance(init.appearance).taken)

const SESSION = 'The session of the payment is over, or its client_secret or the publishable key is not known'

/**
 * Reads the payment, and repeats the request if no answer comes.
 * @returns {Promise<{ payment: any } | { error: object }>}
 */
async function asked() {
  for (let round = 1; ; round++) {
    const { status, body } = await service.payment(round > 1)
    if (status === 200) return { payment: body }
    if (status >= 400 && status < 500) return failure('session_error', 'session_expired', page.words.over, SESSION)
    if (round === 5) return failure('connection_error', 'service_unreachable', page.words.silent)
    await pause(500 * round)
  }
}

async function retrieved() {
  const answer = await asked()
  return 'payment' in answer ? { payment: seenOutside(answer.payment) } : answer
}

/** The address or the type of the next action that is shown now. */
let shows = ''
let isOver = false

function done(/** @type {object} */ result) {
  if (isOver) return
  isOver = true
  channel.post('done', result)
}

async function act() {
  at('close').addEventListener('click', leave)
  addEventListener('keydown', event => event.key === 'Escape' && leave())
  at('whole').addEventListener('click', () => channel.post('redirect', { url: shows }))
  // Our last page in the frame reports that the customer has finished the next action.
  addEventListener('message', ({ source, data }) => {
    if (source === bank.contentWindow && (data?.openurl_if_required || data?.poll_status)) look(true)
  })
  bank.addEventListener('load', () => bank.classList.add('loaded'))
  at('close').focus()
  await look(false)
  for await (const _round of pauses()) {
    if (isOver) return
    await look(false)
  }
}

const leave = () => done({ closed: true })

/** Reads the payment. Shows its next action, or ends. @param {boolean} through whether the customer has finished */
async function look(through) {
  const answer = through ? await decided() : await asked()
  if (isOver) return
  if ('error' in answer) return done(answer)
  const { status, next_action, payment_method } = answer.payment
  if (status !== 'requires_customer_action' || !next_action) return done({ payment: seenOutside(answer.payment) })
  const address = next_action.redirect_to_url ?? next_action.popup_url
  const next = address ?? next_action.type
  if (next === shows) return
  shows = next
  if (next_action.type === 'three_ds_invoke') return ask(next_action.three_ds_data)
  if (!address)
    return done(
      failure('action_error', 'action_unsupported', page.words.notTaken, 'The next action of the payment is for a script of its processor'),
    )
  // Pages of other sites are shown in a frame for cards only.
  const isOurs = new URL(address).pathname.includes('/waiting/')
  if (payment_method !== 'card' && !isOurs) return channel.post('redirect', { url: address })
  // Browsers do not report whether a bank's page refuses to be in a frame, so a button that leaves the frame is shown.
  at('whole').hidden = isOurs
  bank.src = address
}

/** The number of queries to the processor once the customer has finished. Then the page only waits again. */
const ROUNDS = 5

async function decided() {
  for (let round = 1; ; round++) {
    const { status, body } = await service.payment(true)
    if (status === 200 && (body.status !== 'requires_customer_action' || round === ROUNDS)) return { payment: body }
    if (status !== 200 && round === ROUNDS) return asked()
    await pause(400 * round)
  }
}

/** @param {any} data the data with which we query the customer's bank (3-D Secure without the processor) */
async function ask({
  three_ds_method_details: { three_ds_method_data_submission: isAsked, three_ds_method_url: url, three_ds_method_data },
}) {
  const method = isAsked ? { url, data: three_ds_method_data } : null
  const ended = await askIssuer(service, method, (address, fields) => send(address, fields, 'bank'))
  if (ended === 'decided') await look(true)
}

if (init.acts === true) act()

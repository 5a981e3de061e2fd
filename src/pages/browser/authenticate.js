// The customer's bank is asked whether it knows them (3-D Secure): its hidden page looks at the browser, then it says yes or no, or wants to hear from the customer on a page of its own.
import { element } from './parts.js'
import { browserInfo, lookAgain, pageData, pause, serviceOf } from './service.js'

const page = pageData()
const service = serviceOf(page)

/** So long the bank's hidden page may take. */
const METHOD_MS = 10_000

/** A form that is sent at once. @param {string} action @param {Record<string, string>} fields @param {string} target */
function send(action, fields, target) {
  const inputs = Object.entries(fields).map(([name, value]) => element('input', { type: 'hidden', name, value }))
  const form = element('form', { method: 'post', action, target, hidden: true }, ...inputs)
  document.body.append(form)
  form.submit()
}

/** Has the bank's hidden page seen this browser? */
async function method() {
  const { method } = page.authentication
  if (method === null) return 'U'
  const frame = element('iframe', { name: 'method', hidden: true, title: 'method' })
  document.body.append(frame)
  const seen = new Promise(done => frame.addEventListener('load', () => done('Y')))
  send(method.url, { threeDSMethodData: method.data }, 'method')
  return Promise.race([seen, pause(METHOD_MS).then(() => 'N')])
}

async function authenticate() {
  const body = { device_channel: 'BRW', threeds_method_comp_ind: await method(), browser_info: browserInfo() }
  for (let round = 1; ; round++) {
    const answer = await service.askIssuer(body)
    if (answer.status === 200) return goOn(answer.body)
    // Refused: it is over, or the payment is no longer what this page shows.
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 422) return lookAgain()
    await pause(1000 * Math.min(round, 10))
  }
}

/** @param {any} said */
async function goOn({ trans_status, acs_url, challenge_request, challenge_request_key }) {
  // A bank's page is no page for a frame.
  if (trans_status === 'C') return send(acs_url, { [challenge_request_key]: challenge_request }, '_top')
  // What the bank has said we are to hear from its directory.
  for (let round = 1; ; round++) {
    const { status, body } = await service.payment(true)
    if ((status === 200 && body.next_action?.type !== 'three_ds_invoke') || (status >= 400 && status < 500)) return lookAgain()
    await pause(1000 * Math.min(round, 10))
  }
}

// Back from the bank by the back button: whoever comes from there is not sent there again by itself.
const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'))
const onward = /** @type {HTMLElement} */ (document.getElementById('authenticate'))
onward.addEventListener('click', () => {
  onward.hidden = true
  authenticate()
})
if (arrival?.type === 'back_forward') onward.hidden = false
else authenticate()
addEventListener('pageshow', event => {
  if (event.persisted) onward.hidden = false
})

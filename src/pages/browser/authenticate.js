// The customer's bank is asked whether it knows them (3-D Secure): its hidden page looks at the browser, then it says
// yes or no, or wants to hear from the customer on a page of its own.
import { seenBy, send } from './frames.js'
import { browserInfo, lookAgain, pageData, pause, serviceOf } from './service.js'

const page = pageData()
const service = serviceOf(page)

/** So long the bank's hidden page may take. */
const METHOD_MS = 10_000

/** Has the bank's hidden page seen this browser? */
async function method() {
  const { method } = page.authentication
  return method === null ? 'U' : seenBy(method.url, { threeDSMethodData: method.data }, METHOD_MS)
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

// Back from the bank by the back button: a customer who comes from there is not sent there again by the page.
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

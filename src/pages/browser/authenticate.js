// The page of a payment that the customer's bank must authenticate (3-D Secure).
import { send } from './frames.js'
import { lookAgain, pageData, serviceOf } from './service.js'
import { askIssuer } from './three-ds.js'

const page = pageData()
const service = serviceOf(page)

async function authenticate() {
  // A bank's page is not shown in a frame.
  const ended = await askIssuer(service, page.authentication.method, (address, fields) => send(address, fields, '_top'))
  if (ended === 'decided') lookAgain()
}

// A customer who returns from the bank by the back button is not sent there again automatically.
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

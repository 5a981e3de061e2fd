// Completes the payment with data from this page: the code that the customer was sent, or whether a hidden page of the
// bank has loaded in the browser.
import { seenBy } from './frames.js'
import { lookAgain, pageData, pause, serviceOf } from './service.js'

const page = pageData()
const service = serviceOf(page)

/** Sends the data until the service answers. Returns the payment, null if refused. @param {object} body */
async function bring(body) {
  for (let round = 1; ; round++) {
    const answer = await service.complete(body)
    if (answer.status === 200) return answer.body
    // Refused: the session has ended, or the payment's status is no longer the one that this page shows.
    if (answer.status >= 400 && answer.status < 500) return null
    await pause(1000 * Math.min(round, 10))
  }
}

if (page.collects.frame) {
  const { url, fields, within_ms } = page.collects.frame
  await bring({ threeds_method_comp_ind: await seenBy(url, fields, within_ms) })
  lookAgain()
} else {
  const form = /** @type {HTMLFormElement} */ (document.getElementById('code'))
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem('otp'))
  const wrong = /** @type {HTMLElement} */ (document.getElementById('otp-error'))
  const say = (/** @type {string} */ message) => {
    wrong.textContent = message
    if (message === '') return input.removeAttribute('aria-invalid')
    input.setAttribute('aria-invalid', 'true')
    input.focus()
  }
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const otp = input.value.trim()
    if (!/^\d{4,8}$/.test(otp)) return say(wrong.dataset.form ?? '')
    say('')
    form.inert = true
    const payment = await bring({ otp })
    form.inert = false
    // The same status means that the code was wrong.
    if (payment?.status === page.status) return say(wrong.dataset.wrong ?? '')
    lookAgain()
  })
}

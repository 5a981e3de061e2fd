// The form of a payout page or a collect link: the recipient's account, one request, and then the page reloaded.
import { endings, pageForm } from './form.js'
import { recipientForm } from './payout-form.js'
import { lookAgain, pageData, standsNow, submitterOf } from './service.js'

const page = pageData()
const frame = pageForm()
const { form, at, isBusy } = frame

const { send } = recipientForm(page, frame, { submit: submitterOf(page), isDecided: standsNow, decided: lookAgain })
at('loading').hidden = true

form.addEventListener('submit', event => {
  event.preventDefault()
  send()
})

endings(page, isBusy)

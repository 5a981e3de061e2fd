// The page of a payment in progress: polls the payment and reloads the page when the status has changed.
import { lookAgain, pageData, pauses, serviceOf } from './service.js'

const page = pageData()
const service = serviceOf(page)

// The deadline is written in the time zone of the customer.
const until = document.getElementById('until')
if (until) {
  const { until: at = '', words = '', locale } = until.dataset
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(at))
  until.textContent = words.replace('{date}', date)
}

/** Every fourth time the service queries the processor. */
for await (const round of pauses()) {
  const { status, body } = await service.payment(round % 4 === 0)
  if (status === 200 && body.status !== page.status) lookAgain()
  // The session has ended: the service gives a browser no further information.
  if (status >= 400 && status < 500) break
}

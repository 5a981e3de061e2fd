// A payment that is on its way: looks how it stands, and shows the page anew when that has changed.
import { lookAgain, pageData, pauses, serviceOf } from './service.js'

const page = pageData()
const service = serviceOf(page)

/** Now and then the processor itself is asked. */
for await (const round of pauses()) {
  const { status, body } = await service.payment(round % 4 === 0)
  if (status === 200 && body.status !== page.status) lookAgain()
  // The session is over: nothing more is told to a browser.
  if (status >= 400 && status < 500) break
}

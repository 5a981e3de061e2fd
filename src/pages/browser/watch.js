// A payment that is on its way: looks how it stands, and shows the page anew when that has changed.
import { lookAgain, pageData, pause, serviceOf } from './service.js'

const EVERY_MS = 2000
const LONGEST_MS = 30_000

const page = pageData()
const service = serviceOf(page)

/** More and more seldom; now and then the processor itself is asked. */
for (let round = 1; ; round++) {
  await pause(Math.min(EVERY_MS * 1.2 ** round, LONGEST_MS))
  if (document.hidden) continue
  const { status, body } = await service.payment(round % 4 === 0)
  if (status === 200 && body.status !== page.status) lookAgain()
  // The session is over: nothing more is told to a browser.
  if (status >= 400 && status < 500) break
}

// The form of a payout's page, or of a collect link's: where the recipient can be paid, one call, and the page anew.
import { endings, pageForm } from './form.js'
import { lookAgain, pageData, pause, standsNow, submitterOf } from './service.js'
import { chooser, knownWay, recipientWay } from './ways.js'

const page = pageData()
const { words } = page
const submit = submitterOf(page)
const { form, at, alarm, calm, work, isBusy } = pageForm()

const changed = () => {}
const ways = [
  ...(page.there === null ? [] : [knownWay(page)]),
  ...page.ways.map((/** @type {any} */ way) => recipientWay(page, way, changed)),
]
const { whole, current } = chooser(page, ways, 0, calm)
at('ways').replaceChildren(whole)
at('loading').hidden = true
form.hidden = false

form.addEventListener('submit', async event => {
  event.preventDefault()
  if (isBusy()) return
  const way = current()
  const fault = way.fault()
  if (fault) return fault.focus()
  calm()
  work(words.sending)
  const { status, body } = await submit(way.body())
  if (status === 200) return lookAgain()
  if (status > 0 && status < 500) return refused(way, `${body?.error?.message} ${body?.error?.help}`)
  // Whether it has arrived is unknown: that is looked up, and never sent again by the page.
  await lookUp()
})

/** @param {import('./ways.js').Way} way @param {string} refusal */
async function refused(way, refusal) {
  // It may have been sent meanwhile, in another tab; or the time is over.
  if (await standsNow()) return lookAgain()
  work(null)
  const blamed = way.blame?.(refusal) ?? null
  if (blamed) return blamed.focus()
  alarm(words.notTaken)
}

const TRIES = 4

async function lookUp() {
  work(words.checking)
  for (let round = 1; round <= TRIES; round++) {
    await pause(1000 * round)
    if (await standsNow()) return lookAgain()
  }
  work(null)
  alarm(words.notNow)
}

endings(page, isBusy)

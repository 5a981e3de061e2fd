// The form in which a recipient enters the account to be paid to, its one request, and the result: on the page of a
// payout or a collect link, and in the frame in a shop's page.

import { chooser, knownWay, recipientWay } from './methods.js'
import { pause } from './service.js'

/** The number of lookups whether a request whose answer was lost has arrived. */
const TRIES = 4

/**
 * Draws the form. `submit` sends the recipient's input, `isDecided` looks up whether no more input is needed, and
 * `decided` then shows the status. `failed` is called with each error.
 * @param {any} page
 * @param {ReturnType<typeof import('./form.js').pageForm>} frame
 * @param {{ submit: (body: object) => Promise<import('./service.js').Answer>, isDecided: () => Promise<unknown>,
 *   decided: () => unknown, changed?: () => void, failed?: (type: string, code: string, message: string,
 *   developer_message?: string) => void }} of
 */
export function recipientForm(page, frame, { submit, isDecided, decided, changed = () => {}, failed = () => {} }) {
  const { words: texts } = page
  const { form, at, showError, calm, work, isBusy } = frame
  const ways = [
    ...(page.there === null ? [] : [knownWay(page)]),
    ...page.ways.map((/** @type {any} */ way) => recipientWay(page, way, changed)),
  ]
  const list = chooser(page, ways, 0, () => {
    calm()
    changed()
  })
  at('ways').replaceChildren(list.whole)
  form.hidden = false

  async function send() {
    if (isBusy()) return
    const way = list.current()
    const fault = way.fault()
    if (fault) return fault.focus()
    calm()
    work(texts.sending)
    const { status, body } = await submit(way.body())
    if (status === 200) return decided()
    if (status > 0 && status < 500) return refused(way, body?.error)
    // It is unknown whether the request has arrived. The page looks this up and never sends the request again.
    await lookUp()
  }

  /** @param {import('./methods.js').Way} way @param {any} error */
  async function refused(way, error) {
    // The input may have been sent from another tab meanwhile, or the session may have ended.
    if (await isDecided()) return decided()
    work(null)
    failed('request_error', error?.code ?? 'refused', texts.notTaken, error?.message)
    const blamed = way.blame?.(`${error?.message} ${error?.help}`) ?? null
    if (blamed) return blamed.focus()
    showError(texts.notTaken)
  }

  async function lookUp() {
    work(texts.checking)
    for (let round = 1; round <= TRIES; round++) {
      await pause(1000 * round)
      if (await isDecided()) return decided()
    }
    work(null)
    failed('connection_error', 'not_received', texts.notNow)
    showError(texts.notNow)
  }

  return { send, current: list.current }
}

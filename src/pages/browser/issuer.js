// The customer's bank is asked whether it knows them (3-D Secure): its hidden page looks at the browser, then it says
// yes or no, or wants to hear from the customer on a page of its own.
import { seenBy } from './frames.js'
import { browserInfo, pause } from './service.js'

/** So long the bank's hidden page may take. */
const METHOD_MS = 10_000

/**
 * @param {ReturnType<typeof import('./service.js').serviceOf>} service
 * @param {{ url: string, data: string } | null} method the bank's hidden page, and what it is sent
 * @param {(address: string, fields: Record<string, string>) => void} challenge shows the bank's page to the customer
 * @returns {Promise<'challenged' | 'decided'>} decided: the payment is no longer where it was, or cannot be asked about
 */
export async function askIssuer(service, method, challenge) {
  const seen = method === null ? 'U' : await seenBy(method.url, { threeDSMethodData: method.data }, METHOD_MS)
  const body = { device_channel: 'BRW', threeds_method_comp_ind: seen, browser_info: browserInfo() }
  const said = await until(
    () => service.askIssuer(body),
    // Refused: it is over, or the payment is no longer what this page shows.
    ({ status }) => status === 200 || (status >= 400 && status < 500 && status !== 422),
  )
  if (said.status !== 200) return 'decided'
  const { trans_status, acs_url, challenge_request, challenge_request_key } = said.body
  if (trans_status === 'C') {
    challenge(acs_url, { [challenge_request_key]: challenge_request })
    return 'challenged'
  }
  // What the bank has said we are to hear from its directory.
  await until(
    () => service.payment(true),
    ({ status, body }) => (status === 200 && body.next_action?.type !== 'three_ds_invoke') || (status >= 400 && status < 500),
  )
  return 'decided'
}

/**
 * Asks again, more and more seldom. @param {() => Promise<import('./service.js').Answer>} ask @param {(answer:
 * import('./service.js').Answer) => boolean} isEnough
 */
async function until(ask, isEnough) {
  for (let round = 1; ; round++) {
    const answer = await ask()
    if (isEnough(answer)) return answer
    await pause(1000 * Math.min(round, 10))
  }
}

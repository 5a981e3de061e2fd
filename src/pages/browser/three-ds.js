// Authenticates the customer with their bank, the issuer (3-D Secure): the issuer's hidden page examines the browser,
// then the issuer accepts, rejects, or requires a challenge on a page of its own.
import { seenBy } from './frames.js'
import { browserInfo, pause } from './service.js'

/** The time limit for the issuer's hidden page. */
const METHOD_MS = 10_000

/**
 * @param {ReturnType<typeof import('./service.js').serviceOf>} service
 * @param {{ url: string, data: string } | null} method the issuer's hidden page and the data sent to it
 * @param {(address: string, fields: Record<string, string>) => void} challenge shows the issuer's page to the customer
 * @returns {Promise<'challenged' | 'decided'>} decided: the payment has changed, or cannot be read
 */
export async function askIssuer(service, method, challenge) {
  const seen = method === null ? 'U' : await seenBy(method.url, { threeDSMethodData: method.data }, METHOD_MS)
  const body = { device_channel: 'BRW', threeds_method_comp_ind: seen, browser_info: browserInfo() }
  const answer = await until(
    () => service.askIssuer(body),
    // Refused: the session has ended, or the payment's status is no longer the one that this page shows.
    ({ status }) => status === 200 || (status >= 400 && status < 500 && status !== 422),
  )
  if (answer.status !== 200) return 'decided'
  const { trans_status, acs_url, challenge_request, challenge_request_key } = answer.body
  if (trans_status === 'C') {
    challenge(acs_url, { [challenge_request_key]: challenge_request })
    return 'challenged'
  }
  // The issuer's result reaches the service from the directory server, so the payment is read until it has changed.
  await until(
    () => service.payment(true),
    ({ status, body }) => (status === 200 && body.next_action?.type !== 'three_ds_invoke') || (status >= 400 && status < 500),
  )
  return 'decided'
}

/**
 * Repeats a request at growing intervals until `isEnough`.
 * @param {() => Promise<import('./service.js').Answer>} ask @param {(answer:
 * import('./service.js').Answer) => boolean} isEnough
 */
async function until(ask, isEnough) {
  for (let round = 1; ; round++) {
    const answer = await ask()
    if (isEnough(answer)) return answer
    await pause(1000 * Math.min(round, 10))
  }
}

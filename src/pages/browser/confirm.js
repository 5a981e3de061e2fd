// Confirms a payment and finds out the result, even if the answer is lost. Needs no page.
import { browserInfo, pause } from './service.js'

/**
 * The result of a confirm. `answered`: the payment's current state. `declined`: the payment may be tried again.
 * `refused`: the service refused the request before any authorization. `not received`: the confirm has not arrived and
 * may be sent again. `unknown`: the confirm may have arrived and must not be sent again. `over`: the session is over.
 * @typedef {{ is: 'answered' | 'declined', payment: any } | { is: 'refused', error: any } | { is: 'not received' } |
 *   { is: 'unknown' } | { is: 'over' }} Outcome
 */

/** The number of lookups of a payment whose answer was lost. */
const TRIES = 8

/**
 * @param {{ status: string, attempts: number, payable: string[] }} page the facts of the payment that the page knows
 * @param {ReturnType<typeof import('./service.js').serviceOf>} service
 */
export function openConfirm(page, service) {
  /** @param {any} payment @returns {Outcome} */
  function outcomeOf(payment) {
    const { status, attempt_count, manual_retry_allowed } = payment
    if (status !== 'failed' || !manual_retry_allowed) return { is: 'answered', payment }
    Object.assign(page, { status, attempts: attempt_count })
    return { is: 'declined', payment }
  }

  /** @param {any} error @returns {Promise<Outcome>} */
  async function refused(error) {
    // The payment may have been paid in another tab meanwhile, or the session may have ended.
    const { status, body } = await service.payment()
    if (status === 200 && !page.payable.includes(body.status)) return { is: 'answered', payment: body }
    if (status >= 400 && status < 500) return { is: 'over' }
    return { is: 'refused', error }
  }

  /** @returns {Promise<Outcome>} */
  async function lookUp() {
    for (let round = 1; round <= TRIES; round++) {
      await pause(1000 * round)
      const { status, body } = await service.payment(round > 1)
      if (status === 200 && (body.status !== page.status || body.attempt_count !== page.attempts)) return outcomeOf(body)
      if (status >= 400 && status < 500) return { is: 'over' }
      // The payment is unchanged, so the confirm has not arrived. Only a confirm that has arrived is waited for.
      if (status === 200 && round >= TRIES / 2) return { is: 'not received' }
    }
    return { is: 'unknown' }
  }

  return {
    outcomeOf,
    /**
     * Confirms the payment with the customer's input. `ends` returns the result. If the answer is unknown, `ends`
     * looks up the payment; the page never sends the confirm again.
     * @param {object} body
     * @returns {Promise<{ is: 'paid' | 'not paid' | 'unknown', ends: () => Outcome | Promise<Outcome> }>}
     */
    async confirm(body) {
      const answer = await service.confirm({
        ...body,
        browser_info: browserInfo(),
        ...(page.status === 'failed' && { retry_action: 'manual_retry' }),
      })
      if (answer.status === 200 && answer.body.status)
        return { is: answer.body.status === 'failed' ? 'not paid' : 'paid', ends: () => outcomeOf(answer.body) }
      if (answer.status > 0 && answer.status < 500) return { is: 'not paid', ends: () => refused(answer.body?.error) }
      return { is: 'unknown', ends: lookUp }
    },
  }
}

/** @param {any} page @param {any} payment */
function wordForDecline({ declineWords }, { error_code, error_details }) {
  const reason = `${error_details?.unified_details?.standardised_code ?? ''} ${error_code ?? ''}`
  const found = declineWords.find((/** @type {[string, string]} */ [pattern]) => new RegExp(pattern, 'i').test(reason))
  return found?.[1] ?? 'declined'
}

/**
 * Returns the name of the message for a failure that the customer can act on; null otherwise. The service's own
 * sentence of an error is for developers, and is never shown.
 * @param {any} page
 * @param {Outcome} outcome
 */
export function wordFor(page, outcome) {
  switch (outcome.is) {
    case 'declined':
      return wordForDecline(page, outcome.payment)
    case 'refused':
      return wordForError(outcome.error)
    case 'not received':
      return 'notNow'
    default:
      return null
  }
}

/**
 * Returns the name of the customer's message for an error of the service, by its kind. `HE_00`: the service is
 * busy with this payment, or cannot answer now.
 * @param {any} error
 */
export function wordForError(error) {
  if (/too many/i.test(error?.message ?? '')) return 'tooMany'
  if (error?.type === 'blocked') return 'declined'
  return /^HE_00$/.test(error?.code ?? '') ? 'notNow' : 'notTaken'
}

// One confirm of a payment, and what became of it, also where its answer is lost. No page is needed for it.
import { browserInfo, pause } from './service.js'

/**
 * What became of it. `answered`: the payment as it stands now; `declined`: it may be tried again; `refused`: the
 * service said no before any money was asked for; `not received`: it has not arrived, and may be sent again;
 * `unknown`: it may have arrived, and must not; `over`: the session is.
 * @typedef {{ is: 'answered' | 'declined', payment: any } | { is: 'refused', error: any } | { is: 'not received' } |
 *   { is: 'unknown' } | { is: 'over' }} Outcome
 */

/** So often a payment whose answer was lost is looked up. */
const TRIES = 8

/**
 * @param {{ status: string, attempts: number, payable: string[] }} page what is known of the payment
 * @param {ReturnType<typeof import('./service.js').serviceOf>} service
 */
export function taking(page, service) {
  /** @param {any} payment @returns {Outcome} */
  function heard(payment) {
    const { status, attempt_count, manual_retry_allowed } = payment
    if (status !== 'failed' || !manual_retry_allowed) return { is: 'answered', payment }
    Object.assign(page, { status, attempts: attempt_count })
    return { is: 'declined', payment }
  }

  /** @param {any} error @returns {Promise<Outcome>} */
  async function refused(error) {
    // It may have been paid meanwhile, in another tab; or the time is over.
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
      if (status === 200 && (body.status !== page.status || body.attempt_count !== page.attempts)) return heard(body)
      if (status >= 400 && status < 500) return { is: 'over' }
      // It has not arrived, or is still where it was: only what has arrived is waited for.
      if (status === 200 && round >= TRIES / 2) return { is: 'not received' }
    }
    return { is: 'unknown' }
  }

  return {
    heard,
    /**
     * Confirms with what the customer has said. `ends` gives what became of it; of an unknown answer that is looked up,
     * and never tried again by the page.
     * @param {object} said
     * @returns {Promise<{ is: 'paid' | 'not paid' | 'unknown', ends: () => Outcome | Promise<Outcome> }>}
     */
    async confirm(said) {
      const answer = await service.confirm({
        ...said,
        browser_info: browserInfo(),
        ...(page.status === 'failed' && { retry_action: 'manual_retry' }),
      })
      if (answer.status === 200 && answer.body.status)
        return { is: answer.body.status === 'failed' ? 'not paid' : 'paid', ends: () => heard(answer.body) }
      if (answer.status > 0 && answer.status < 500) return { is: 'not paid', ends: () => refused(answer.body?.error) }
      return { is: 'unknown', ends: lookUp }
    },
  }
}

/**
 * The word for a failure that the customer can do something about; null otherwise.
 * @param {Outcome} outcome
 */
export function wordFor(outcome) {
  switch (outcome.is) {
    case 'declined':
      return /insufficient/.test(outcome.payment.error_code ?? '') ? 'declinedFunds' : 'declined'
    case 'refused':
      if (/too many/i.test(outcome.error?.message ?? '')) return 'tooMany'
      return outcome.error?.type === 'blocked' ? 'declined' : 'notTaken'
    case 'not received':
      return 'notNow'
    default:
      return null
  }
}

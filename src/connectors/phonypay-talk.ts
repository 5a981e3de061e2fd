import type { Account, DeclineCode, Outcome } from './connector.ts'
import type { PhonypayError } from './phonypay-wire.ts'
import { plainText } from './text.ts'

/** What all that is said to phonypay, and heard of it, has in common. */

/** An error of the contract: nothing happened. */
export const declinedByPhonypay = ({ code, message }: PhonypayError, as: DeclineCode): Outcome => ({
  is: 'declined',
  reference: null,
  code: as,
  code_said: code,
  said: plainText(as === 'configuration' ? `The processor refused the credentials of this connector account: ${message}` : message),
  facts: {},
})

export const withoutKey: Outcome = {
  is: 'declined',
  reference: null,
  code: 'configuration',
  code_said: '',
  said: 'The connector account has no api_key.',
  facts: {},
}

export const baseOf = ({ base_url }: Account): string => (base_url.endsWith('/') ? base_url.slice(0, -1) : base_url)

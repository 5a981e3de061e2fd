import type { Secret } from '../base/secret.ts'
import type { Reply } from '../context.ts'
import type { Account, DeclineCode, Outcome } from './connector.ts'
import { plainText, redact } from './text.ts'
import { readJson } from './wire.ts'

/** What connectors of processors that write JSON share: what becomes of a reply until it is an outcome. */

/**
 * A no of which the contract says that nothing happened. `exists`: something of this name is there already. `later`:
 * it was not let in now.
 */
export type Refused = { is: 'refused'; as: DeclineCode | 'not_found' | 'exists' | 'later'; code: string; said: string }

export type Unknown = { is: 'unknown'; why: string }

export type ParsedReply<Answer> = { is: 'answer'; answer: Answer } | Refused | { is: 'not_sent'; why: string } | Unknown

/**
 * A reply as far as it is understood: `read` gives the answer or the no that a body is, null for whatever its
 * contract does not know.
 */
export function parseReply<Answer>(
  reply: Reply,
  secrets: readonly Secret[],
  read: (status: number, body: unknown) => { is: 'answer'; answer: Answer } | Refused | null,
): ParsedReply<Answer> {
  if (reply.is === 'not_sent') return reply
  if (reply.is === 'silence') return unknown(reply.why)
  return read(reply.status, readJson(redact(reply.body, secrets))) ?? unknown(`invalid response (HTTP ${reply.status})`)
}

/** What was heard as the outcome of a request that may have moved money, where it is no answer. */
export function outcomeOfNo(heard: Exclude<ParsedReply<never>, { is: 'answer' }>): Outcome {
  if (heard.is !== 'refused') return heard
  const { as, code, said } = heard
  if (as === 'later') return { is: 'not_sent', why: 'the processor asks for a later retry' }
  if (as === 'exists') return unknown(`an object with this id already exists (${code})`)
  const words = as === 'configuration' ? `The processor refused the credentials of this connector account: ${said}` : said
  return declinedWith(as === 'not_found' ? 'invalid_request' : as, code, words)
}

/** The same of a question: what could not be asked, or was not answered, tells nothing. */
export function outcomeOfNoAnswer(heard: Exclude<ParsedReply<never>, { is: 'answer' }>): Outcome {
  if (heard.is !== 'refused') return unknown(heard.why)
  return heard.as === 'not_found' ? { is: 'not_found' } : unknown(`the status request was refused (${heard.code})`)
}

export const unknown = (why: string): Unknown => ({ is: 'unknown', why })

/** A no without a name of the processor's. */
export const declinedWith = (
  code: DeclineCode,
  code_said: string,
  said: string,
  reference: string | null = null,
): Extract<Outcome, { is: 'declined' }> => ({
  is: 'declined',
  reference,
  code,
  code_said,
  said: plainText(said),
  facts: {},
})

/** What the account lacks of these credentials, as a no; null if nothing. */
export function whatLacks({ credentials }: Account, members: readonly string[]): Extract<Outcome, { is: 'declined' }> | null {
  const missing = members.filter(name => !credentials[name])
  return missing.length === 0 ? null : declinedWith('configuration', '', `The connector account has no ${missing.join(' and no ')}.`)
}

/** A no with nothing in it of what only the card's holder may know. */
export const without = (outcome: Outcome, secret: Secret | null): Outcome =>
  outcome.is === 'declined' && secret ? { ...outcome, said: plainText(redact(outcome.said, [secret])) } : outcome

/** What is an answer to `sync` only is, elsewhere, a surprise that a later question has to look into. */
export function firstHand(outcome: Outcome): Outcome {
  if (outcome.is === 'lapsed') return unknown('approved, but no longer authorized')
  return outcome.is === 'not_found' ? unknown('reported as existing, but not found') : outcome
}

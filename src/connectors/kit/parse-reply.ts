import type { Secret } from '../../base/secret.ts'
import type { Reply } from '../../context.ts'
import type { DeclineCode, Outcome } from '../connector.ts'
import { readJson } from './read.ts'
import { plainText, redact } from './text.ts'

/** What becomes of a processor's reply until it is an outcome: the same for all that write JSON. */

/**
 * A no of which the contract says that nothing happened. `exists`: an earlier request of this name decides. `later`:
 * it was not let in now, but may be `after_ms`, where the processor says so.
 */
export type Refused = { is: 'refused'; as: DeclineCode | 'not_found' | 'exists' | 'later'; code: string; said: string; after_ms?: number }

/** `status`: of a reply that was heard, and makes no sense. */
export type Unknown = { is: 'unknown'; why: string; status?: number }

/** A reply that brings no answer. */
export type FailedReply<No extends Refused = Refused> = No | { is: 'not_sent'; why: string } | Unknown
export type ParsedReply<Answer, No extends Refused = Refused> = { is: 'answer'; answer: Answer } | FailedReply<No>

/** The answer or the no that a body is; null for a body that its contract does not know. */
export type ReplyReader<Answer, No extends Refused = Refused> = (
  status: number,
  body: unknown,
) => { is: 'answer'; answer: Answer } | No | null

/**
 * A reader of whole answers, which have one of the statuses `good`, and of errors, which have any other. Each gives
 * null for what its contract does not know.
 */
export const readerOf =
  <Answer, No extends Refused = Refused>(
    answerOf: (body: unknown) => Answer | null,
    refusalOf: (status: number, body: unknown) => No | null,
    good: readonly number[] = [200],
  ): ReplyReader<Answer, No> =>
  (status, body) => {
    if (!good.includes(status)) return refusalOf(status, body)
    const answer = answerOf(body)
    return answer === null ? null : { is: 'answer', answer }
  }

/** A reply as far as it is understood. What it repeats of `secrets` is blanked before it is read. */
export function parseReply<Answer, No extends Refused = Refused>(
  reply: Reply,
  secrets: readonly Secret[],
  read: ReplyReader<Answer, No>,
): ParsedReply<Answer, No> {
  if (reply.is === 'not_sent') return reply
  if (reply.is === 'silence') return unknown(reply.why)
  const { status, headers, body } = reply
  const heard = read(status, readJson(redact(body, secrets))) ?? { is: 'unknown', why: `invalid response (HTTP ${status})`, status }
  const after_s = headers['retry-after'] ?? ''
  // A date would need a clock.
  return heard.is === 'refused' && heard.as === 'later' && /^\d{1,6}$/.test(after_s)
    ? { ...heard, after_ms: Number(after_s) * 1000 }
    : heard
}

/** A no by its status alone; null where the contract knows none of this status, or it says nothing. */
export function refusedBy(meanings: Readonly<Record<number, Refused['as']>>, status: number, said: unknown): Refused | null {
  const as = meanings[status]
  return as === undefined || typeof said !== 'string' ? null : { is: 'refused', as, code: String(status), said }
}

/** A failure as the outcome of a request that may have moved money. */
export function failedOutcome(failure: FailedReply): Outcome {
  if (failure.is === 'not_sent') return failure
  if (failure.is === 'unknown') return unknown(failure.why)
  const { as, code, said } = failure
  if (as === 'later') return { is: 'later', after_ms: failure.after_ms ?? null }
  if (as === 'exists') return unknown(`an object with this id already exists (${code})`)
  return declinedWith(as === 'not_found' ? 'invalid_request' : as, code, refusedWords(as, said))
}

/** A failure of what is said before the request that moves money: nothing has moved. */
export function beforeMoney(failure: FailedReply): Outcome {
  const outcome = failedOutcome(failure)
  return outcome.is === 'unknown' ? { is: 'not_sent', why: outcome.why } : outcome
}

/** What a merchant reads of a no. */
export const refusedWords = (as: Refused['as'], said: string): string =>
  as === 'configuration' ? `The processor refused the credentials of this connector account: ${said}` : said

/** A failure as the outcome of a question: what could not be asked, or was not answered, tells nothing. */
export function failedLookup(failure: FailedReply): Extract<Outcome, { is: 'unknown' | 'not_found' }> {
  return failure.is === 'refused' && failure.as === 'not_found' ? { is: 'not_found' } : failedQuestion(failure)
}

/** The same where nothing can be concluded from a 404 either. */
export const failedQuestion = (failure: FailedReply): Extract<Outcome, { is: 'unknown' }> =>
  unknown(failure.is === 'refused' ? `the status request was refused (${failure.code})` : failure.why)

/** A failure as the answer to a wish that moves no money: a no is a no, unless it only says to come back. */
export function failedWish(failure: FailedReply): { is: 'refused'; code: string; said: string } | Extract<Outcome, { is: 'unknown' }> {
  if (failure.is !== 'refused') return unknown(failure.why)
  const said = plainText(failure.said)
  return failure.as === 'later' ? unknown(said) : { is: 'refused', code: failure.code, said }
}

/** What a failure says of credentials: only that they were refused is a no. */
export const failedVerdict = (failure: FailedReply) =>
  failure.is === 'refused' && failure.as !== 'configuration' ? failedQuestion(failure) : failedWish(failure)

export const unknown = (why: string): { is: 'unknown'; why: string } => ({ is: 'unknown', why })

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

/** A no with nothing in it of what only the card's holder may know. */
export const without = (outcome: Outcome, codes: readonly Secret[]): Outcome =>
  outcome.is === 'declined' ? { ...outcome, said: plainText(redact(outcome.said, codes)) } : outcome

/** What is an answer to `sync` only is, elsewhere, a surprise that a later question has to look into. */
export function firstHand(outcome: Outcome): Outcome {
  if (outcome.is === 'lapsed') return unknown('approved, but no longer authorized')
  if (outcome.is !== 'not_found') return outcome
  const { reference } = outcome
  return { ...unknown(NOT_THERE), ...(reference !== undefined && { reference }) }
}

export const NOT_THERE = 'reported as existing, but not found'

import type { Secret } from '../../base/secret.ts'
import type { Reply } from '../../context.ts'
import type { DeclineCode, Outcome } from '../connector.ts'
import { readJson } from './read.ts'
import { plainText, redact } from './text.ts'

/** Turns a processor's reply into an outcome: shared by all connectors whose processors write JSON. */

/**
 * A refusal which, by the processor's contract, means that nothing happened. `exists`: an earlier request has the same
 * id, and its result counts. `later`: the request was not admitted now; `after_ms`: the milliseconds after which it
 * may be sent again, if the processor says so.
 */
export type Refused = {
  is: 'refused'
  as: DeclineCode | 'not_found' | 'exists' | 'later'
  code: string
  message: string
  after_ms?: number
}

/** A reply that is missing or invalid. `status`: the HTTP status of an invalid reply. */
type Unknown = { is: 'unknown'; why: string; status?: number }

/** A reply without an answer. */
export type FailedReply<No extends Refused = Refused> = No | { is: 'not_sent'; why: string } | Unknown
export type ParsedReply<Answer, No extends Refused = Refused> = { is: 'answer'; answer: Answer } | FailedReply<No>

/** Reads the answer or the refusal in a body; null if the processor's contract does not define such a body. */
export type ReplyReader<Answer, No extends Refused = Refused> = (
  status: number,
  body: unknown,
) => { is: 'answer'; answer: Answer } | No | null

/**
 * Returns a reader of answers, which have one of the statuses `good`, and of errors, which have any other. Each of the
 * two functions returns null for a body that the processor's contract does not define.
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

/** Reads a reply, as far as it is understood. Any of the `secrets` that it repeats is blanked before. */
export function parseReply<Answer, No extends Refused = Refused>(
  reply: Reply,
  secrets: readonly Secret[],
  read: ReplyReader<Answer, No>,
): ParsedReply<Answer, No> {
  if (reply.is === 'not_sent') return reply
  if (reply.is === 'silence') return unknown(reply.why)
  const { status, headers, body } = reply
  const parsed = read(status, readJson(redact(body, secrets))) ?? { is: 'unknown', why: `invalid response (HTTP ${status})`, status }
  const after_s = headers['retry-after'] ?? ''
  // A date in this header is ignored, because it would need a clock.
  return parsed.is === 'refused' && parsed.as === 'later' && /^\d{1,6}$/.test(after_s)
    ? { ...parsed, after_ms: Number(after_s) * 1000 }
    : parsed
}

/**
 * Returns the refusal that a status alone states; null if the contract does not define the status, or if there is no
 * message.
 */
export function refusedBy(meanings: Readonly<Record<number, Refused['as']>>, status: number, message: unknown): Refused | null {
  const as = meanings[status]
  return as === undefined || typeof message !== 'string' ? null : { is: 'refused', as, code: String(status), message }
}

/** Returns the outcome of a failed request that may have moved money. */
export function failedOutcome(failure: FailedReply): Outcome {
  if (failure.is === 'not_sent') return failure
  if (failure.is === 'unknown') return unknown(failure.why)
  const { as, code, message } = failure
  if (as === 'later') return { is: 'later', after_ms: failure.after_ms ?? null }
  if (as === 'exists') return unknown(`an object with this id already exists (${code})`)
  return declinedWith(as === 'not_found' ? 'invalid_request' : as, code, refusedMessage(as, message))
}

/** Returns the outcome of a failed request before the one that moves money: no money has moved. */
export function beforeMoney(failure: FailedReply): Outcome {
  const outcome = failedOutcome(failure)
  return outcome.is === 'unknown' ? { is: 'not_sent', why: outcome.why } : outcome
}

/** Returns the message of a refusal, as merchants read it. */
export const refusedMessage = (as: Refused['as'], message: string): string =>
  as === 'configuration' ? `The processor refused the credentials of this connector account: ${message}` : message

/** Returns the outcome of a failed lookup. A lookup that was not sent or not answered proves nothing. */
export function failedLookup(failure: FailedReply): Extract<Outcome, { is: 'unknown' | 'not_found' }> {
  return failure.is === 'refused' && failure.as === 'not_found' ? { is: 'not_found' } : failedQuestion(failure)
}

/** Returns the outcome of a failed lookup if a 404 proves nothing either. */
export const failedQuestion = (failure: FailedReply): Extract<Outcome, { is: 'unknown' }> =>
  unknown(failure.is === 'refused' ? `the status request was refused (${failure.code})` : failure.why)

/**
 * Returns the result of a failed request that moves no money: refused if the processor refused it, unless it only says
 * to come back later.
 */
export function failedWish(failure: FailedReply): { is: 'refused'; code: string; message: string } | Extract<Outcome, { is: 'unknown' }> {
  if (failure.is !== 'refused') return unknown(failure.why)
  const message = plainText(failure.message)
  return failure.as === 'later' ? unknown(message) : { is: 'refused', code: failure.code, message }
}

/**
 * Returns the verdict on credentials that a failed request gives: invalid only if the processor refused them as such.
 */
export const failedVerdict = (failure: FailedReply) =>
  failure.is === 'refused' && failure.as !== 'configuration' ? failedQuestion(failure) : failedWish(failure)

export const unknown = (why: string): { is: 'unknown'; why: string } => ({ is: 'unknown', why })

/** Returns a decline. `reference`: the processor's id, null if it gave none. */
export const declinedWith = (
  code: DeclineCode,
  processor_code: string,
  message: string,
  reference: string | null = null,
): Extract<Outcome, { is: 'declined' }> => ({
  is: 'declined',
  reference,
  code,
  processor_code,
  message: plainText(message),
  facts: {},
})

/** Removes the codes that only the cardholder may know (`codes`) from the message of a decline. */
export const without = (outcome: Outcome, codes: readonly Secret[]): Outcome =>
  outcome.is === 'declined' ? { ...outcome, message: plainText(redact(outcome.message, codes)) } : outcome

/**
 * Converts results that only `sync` may return. As the direct reply to a request they are unexpected, so the outcome
 * is `unknown` and a later query must find it out.
 */
export function firstHand(outcome: Outcome): Outcome {
  if (outcome.is === 'lapsed') return unknown('approved, but no longer authorized')
  if (outcome.is !== 'not_found') return outcome
  const { reference } = outcome
  return { ...unknown(NOT_THERE), ...(reference !== undefined && { reference }) }
}

export const NOT_THERE = 'reported as existing, but not found'

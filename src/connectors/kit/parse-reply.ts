import type { Money } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { Reply } from '../../context.ts'
import type { DeclineCode, Outcome } from '../connector.ts'
import type { ReportPart } from '../settlement-report.ts'
import { readJson } from './read.ts'
import { plainText, redact } from './text.ts'

/** Nothing happened. `exists`: the earlier request with this id counts. `later`: not admitted now. */
export type Refused = {
  is: 'refused'
  as: DeclineCode | 'not_found' | 'exists' | 'later'
  code: string
  message: string
  after_ms?: number
}

type Unknown = { is: 'unknown'; why: string; status?: number }

export type FailedReply<No extends Refused = Refused> = No | { is: 'not_sent'; why: string } | Unknown
export type ParsedReply<Answer, No extends Refused = Refused> = { is: 'answer'; answer: Answer } | FailedReply<No>

/** Null if the processor's contract does not define such a body. */
export type ReplyReader<Answer, No extends Refused = Refused> = (
  status: number,
  body: unknown,
) => { is: 'answer'; answer: Answer } | No | null

/** Answers have one of the statuses `good`, errors any other. */
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

/** Any of the `secrets` that the reply repeats is blanked before. */
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

/** Null if the contract does not define the status, or if there is no message. */
export function refusedBy(meanings: Readonly<Record<number, Refused['as']>>, status: number, message: unknown): Refused | null {
  const as = meanings[status]
  return as === undefined || typeof message !== 'string' ? null : { is: 'refused', as, code: String(status), message }
}

/** The request may have moved money. */
export function failedOutcome(failure: FailedReply): Outcome {
  if (failure.is === 'not_sent') return failure
  if (failure.is === 'unknown') return unknown(failure.why)
  const { as, code, message } = failure
  if (as === 'later') return { is: 'later', after_ms: failure.after_ms ?? null }
  if (as === 'exists') return unknown(`an object with this id already exists (${code})`)
  return declinedWith(as === 'not_found' ? 'invalid_request' : as, code, refusedMessage(as, message))
}

/** Before the request that moves money: no money has moved. */
export const beforeMoney = (failure: FailedReply): Outcome => unlessMoved(failedOutcome(failure))

export const unlessMoved = (outcome: Outcome): Outcome => (outcome.is === 'unknown' ? { is: 'not_sent', why: outcome.why } : outcome)

export const refusedMessage = (as: Refused['as'], message: string): string =>
  as === 'configuration' ? `The processor refused the credentials of this connector account: ${message}` : message

/** A lookup that was not sent or not answered proves nothing. */
export function failedLookup(failure: FailedReply): Extract<Outcome, { is: 'unknown' | 'not_found' }> {
  return failure.is === 'refused' && failure.as === 'not_found' ? { is: 'not_found' } : failedQuestion(failure)
}

/** A 404 proves nothing either. */
export const failedQuestion = (failure: FailedReply): Extract<Outcome, { is: 'unknown' }> =>
  unknown(failure.is === 'refused' ? `the status request was refused (${failure.code})` : failure.why)

/** Refused if the processor refused it, unless it only says to come back later. */
export function failedWish(failure: FailedReply): { is: 'refused'; code: string; message: string } | Extract<Outcome, { is: 'unknown' }> {
  if (failure.is !== 'refused') return unknown(failure.why)
  const message = plainText(failure.message)
  return failure.as === 'later' ? unknown(message) : { is: 'refused', code: failure.code, message }
}

/** With the processor's words, for the merchant who has to mend it. */
export const failedReport = (failure: FailedReply): Extract<Outcome, { is: 'unknown' }> =>
  unknown(failure.is === 'refused' ? `the processor refused it: ${plainText(failure.message)}` : failure.why)

/** Answers a request that was marked `download`: what is refused has a body as usual. */
export function downloaded(
  reply: Reply,
  secrets: readonly Secret[],
  readRefused: (status: number, body: unknown) => Refused | null,
): ReportPart {
  if (reply.is === 'reply' && reply.status === 200) return { is: 'part', text: reply.body === '' ? null : reply.body, next: null }
  const failure = parseReply<never>(reply, secrets, readRefused)
  if (failure.is === 'answer') return unknown('no download')
  return failure.is === 'refused' && failure.as === 'not_found' ? { is: 'gone', why: plainText(failure.message) } : failedReport(failure)
}

/** Invalid only if the processor refused the credentials as such. */
export const failedVerdict = (failure: FailedReply) =>
  failure.is === 'refused' && failure.as !== 'configuration' ? failedQuestion(failure) : failedWish(failure)

export const unknown = (why: string): { is: 'unknown'; why: string } => ({ is: 'unknown', why })

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

type Done = Extract<Outcome, { is: 'done' }>

/** Nothing is captured, and the processor echoes no request id, unless `more` says otherwise. */
export const doneWith = (reference: string, amount: Money, more: Partial<Done> = {}): Done => ({
  ...{ is: 'done', reference, request_id: null, amount, captured: null, facts: {} },
  ...more,
})

export const without = (outcome: Outcome, codes: readonly Secret[]): Outcome =>
  outcome.is === 'declined' ? { ...outcome, message: plainText(redact(outcome.message, codes)) } : outcome

/** Results that only `sync` may return are unexpected here: a later query must find the outcome out. */
export function firstHand(outcome: Outcome): Outcome {
  if (outcome.is === 'lapsed') return unknown('approved, but no longer authorized')
  if (outcome.is !== 'not_found') return outcome
  const { reference } = outcome
  return { ...unknown(NOT_THERE), ...(reference !== undefined && { reference }) }
}

export const NOT_THERE = 'reported as existing, but not found'

import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Answer } from './shop.ts'

/** The answer is this refusal: its status, its code, and words for a person. */
export function isRefused(answer: Answer, status: number, code: string, names?: RegExp): void {
  equal(answer.body?.error?.code, code, answer.text)
  equal(answer.status, status, answer.text)
  ok(answer.body.error.message.length > 0)
  ok(['invalid_request', 'api', 'connector', 'blocked'].includes(answer.body.error.type))
  if (names) ok(names.test(answer.body.error.message), `${answer.body.error.message} should name ${names}`)
}

/** Both callers get the same words: nothing tells a foreign thing from a missing one. */
export function areTheSame(one: Answer, other: Answer): void {
  deepEqual([one.status, one.body], [other.status, other.body])
}

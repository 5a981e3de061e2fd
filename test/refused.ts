import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Answer } from './shop.ts'

/**
 * Verifies that the answer is this refusal: its status, its code, and a message with help. `names`: a pattern that the
 * message and the help together must fit.
 */
export function isRefused(answer: Answer, status: number, code: string, names?: RegExp): void {
  const error = answer.body?.error
  equal(error?.code, code, answer.text)
  equal(answer.status, status, answer.text)
  ok(error.message.length > 0 && error.help.length > 0)
  ok(['invalid_request', 'api', 'connector', 'blocked'].includes(error.type))
  equal(error.error_type, error.type)
  const texts = [plain(error.message), error.help, errorText(error)]
  if (names)
    ok(
      texts.some(text => names.test(text)),
      `${errorText(error)} should name ${names}`,
    )
}

/** Gives a message without the prefix with which Hyperswitch's parser begins its messages. */
const plain = (message: string): string => message.replace('Json deserialize error: ', '')

/** Gives the message and the help of an error. */
export const errorText = (error: { message: string; help: string }): string => `${error.message}\n${error.help}`

/**
 * Verifies that two callers get the same answer: it must not tell a foreign object from a missing one. Some answers
 * contain the requested id, which may differ.
 */
export function areTheSame(one: Answer, other: Answer): void {
  const shown = (answer: Answer): unknown => JSON.parse(JSON.stringify(answer.body).replace(/\b(?:pro|mca)_\w+/g, 'id'))
  deepEqual([one.status, shown(one)], [other.status, shown(other)])
}

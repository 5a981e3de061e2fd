import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Answer } from './shop.ts'

/**
 * The answer is this refusal: its status, its code, and words for a person. `names`: what the message and the help
 * together name.
 */
export function isRefused(answer: Answer, status: number, code: string, names?: RegExp): void {
  const error = answer.body?.error
  equal(error?.code, code, answer.text)
  equal(answer.status, status, answer.text)
  ok(error.message.length > 0 && error.help.length > 0)
  ok(['invalid_request', 'api', 'connector', 'blocked'].includes(error.type))
  equal(error.error_type, error.type)
  const said = [plain(error.message), error.help, wordsOf(error)]
  if (names)
    ok(
      said.some(words => names.test(words)),
      `${wordsOf(error)} should name ${names}`,
    )
}

/** Without the words by which the ecosystem's parser begins all it says. */
const plain = (message: string): string => message.replace('Json deserialize error: ', '')

/** All that an error says to a person. */
export const wordsOf = (error: { message: string; help: string }): string => `${error.message}\n${error.help}`

/**
 * Both callers get the same words: nothing tells a foreign thing from a missing one. Some name the id that was asked
 * for.
 */
export function areTheSame(one: Answer, other: Answer): void {
  const shown = (answer: Answer): unknown => JSON.parse(JSON.stringify(answer.body).replace(/\b(?:pro|mca)_\w+/g, 'id'))
  deepEqual([one.status, shown(one)], [other.status, shown(other)])
}

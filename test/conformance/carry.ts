import assert from 'node:assert/strict'
import { format, inspect } from 'node:util'
import { type Currency, currencies } from '../../src/base/currencies.ts'
import type { Money } from '../../src/base/money.ts'
import { Secret } from '../../src/base/secret.ts'
import { type Conversation, declineCodes, type Outcome } from '../../src/connectors/connector.ts'
import type { Grant } from '../../src/connectors/conversation.ts'
import { type Counting, inProcessorUnits } from '../../src/connectors/counting.ts'
import { onwardOf } from '../../src/connectors/next-action.ts'
import type { Reply, Request } from '../../src/context.ts'
import fc from '../fast-check.ts'
import type { Specimen } from './specimen.ts'
import { CVC, KEY, NUMBER, TOKEN } from './verbs.ts'

/**
 * Runs conversations against replies: good ones, nearly good ones, and junk. Also checks that an outcome shows no
 * secrets.
 */

export type Carried<T = Outcome> = {
  requests: Request[]
  /**
   * The requests that may have moved money. A request that was refused with 401 and is sent again with a new token is
   * not among them, because nothing happened.
   */
  moved: Request[]
  /** The references that were noted, each with the number of requests sent before. */
  notes: { reference: string; after: number }[]
  outcome: T
}

/**
 * Runs a conversation against these replies; the last reply is repeated until the conversation ends. A request for a
 * token always gets one.
 */
export function carryBy<T = Outcome>(
  movesMoney: (request: Request) => boolean,
  conversation: Conversation<T>,
  replies: Reply[],
): Carried<T> {
  const requests: Request[] = []
  const notes: Carried['notes'] = []
  const moved: Request[] = []
  let reply: Reply | undefined
  let step = conversation.next()
  for (let lines = 0; !step.done; lines++) {
    assert.ok(lines <= 18, 'a conversation that does not end')
    const line = step.value
    if ('note' in line) {
      notes.push({ reference: line.note, after: requests.length })
      step = conversation.next(undefined as never)
    } else if ('customer' in line) {
      step = conversation.next((line.customer === 'known' ? null : undefined) as never)
    } else if ('fetch' in line) {
      if (line.instead_of !== null) {
        assert.ok(reply?.is === 'reply' && reply.status === 401, 'only a 401 says that a token is no good')
        if (movesMoney(requests.at(-1)!)) moved.pop()
      }
      step = conversation.next({ is: 'granted', token: new Secret(TOKEN), expires_in_s: 3600 } satisfies Grant as never)
    } else {
      requests.push(line)
      assert.ok(requests.length <= 6, 'a conversation of more than six requests')
      if (movesMoney(line)) moved.push(line)
      reply = replies[Math.min(requests.length, replies.length) - 1]!
      step = conversation.next(reply)
    }
  }
  return { requests, moved, notes, outcome: step.value }
}

/** Returns the value in all the forms in which code may print it, as one text. */
export const prints = (value: unknown) =>
  [JSON.stringify(value), inspect(value, { depth: 9, showHidden: true }), format('%o %j', value, value)].join()

export const oddTexts = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    '__proto__',
    '<b>',
    NUMBER,
    `card ${NUMBER}, cvc ${CVC}`,
    `key ${KEY} is bad`,
    '4929 1234 1234 1234',
  ),
)
const anything = fc.oneof(oddTexts, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }))

type Json = { [name: string]: unknown }
/** Returns the paths of all members of a body, nested ones included. */
const placesOf = (body: Json, above: string[] = []): string[][] =>
  Object.entries(body).flatMap(([name, value]) => [
    [...above, name],
    ...(typeof value === 'object' && value !== null ? placesOf(value as Json, [...above, name]) : []),
  ])

/** The body with one to three members replaced or left out. */
const nearly = (body: object): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...placesOf(body as Json)), fc.option(anything, { nil: undefined })), {
      minLength: 1,
      maxLength: 3,
    })
    .map(changes => {
      const copy = structuredClone(body) as Json
      for (const [place, value] of changes) {
        let parent: unknown = copy
        for (const name of place.slice(0, -1)) parent = (parent as Json | null)?.[name]
        if (typeof parent === 'object' && parent !== null) (parent as Json)[place.at(-1)!] = value
      }
      return JSON.stringify(copy)
    })

export const statuses = fc.oneof(fc.constantFrom(200, 200, 200, 400, 401, 402, 403, 404, 409, 422, 429), fc.integer({ min: 200, max: 599 }))
export const junk = fc.oneof(
  // Not empty: without a body, some statuses are errors of the processor's contract (`bare`).
  oddTexts.filter(word => word !== ''),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('{}', '[]', 'null', '{"error":{}}', '<html><body>Error</body></html>'),
)

export const arbitraryReply = ({ answers, errors }: Specimen): fc.Arbitrary<Reply> =>
  fc
    .tuple(statuses, fc.oneof(junk, ...Object.values(answers).map(nearly), ...errors.map(([, body]) => nearly(body))))
    .map(([status, body]) => ({ is: 'reply', status, headers: {}, body }))

const wellFormed = (text: string, longest: number) => text.length <= longest && text.isWellFormed() && !/[\p{Cc}<>]/u.test(text)

/** Asserts that an outcome may be stored and shown as it is. `secrets`: the secrets that the conversation knew. */
export function isPresentable(outcome: Outcome, secrets: string[]): void {
  const printed = prints(outcome)
  for (const secret of secrets) assert.ok(!printed.includes(secret), printed)
  if ('reference' in outcome && outcome.reference !== null) assert.match(outcome.reference, /^[\x21-\x7e]{1,128}$/)
  if (outcome.is === 'done') {
    for (const money of [outcome.amount, outcome.captured === 'as asked' ? null : outcome.captured]) {
      if (money === null) continue
      assert.ok(Number.isSafeInteger(money.amount) && money.amount >= 0 && Object.hasOwn(currencies, money.currency))
    }
  }
  if (outcome.is === 'declined') {
    assert.ok(declineCodes.includes(outcome.code))
    assert.ok(wellFormed(outcome.message, 255) && wellFormed(outcome.processor_code, 64), inspect(outcome))
    assert.doesNotMatch(outcome.message, /4929.?1234.?1234.?1234/)
    if (secrets.includes(CVC)) assert.ok(!outcome.message.includes(CVC))
  }
  const onward = outcome.is === 'waiting' && outcome.next_action ? onwardOf(outcome.next_action) : null
  if (onward !== null) assert.match(onward, /^https?:\/\//)
}

/** Returns the forms of an amount in a request: in the processor's smallest unit, or as a decimal with all digits. */
export function written(counting: Counting | undefined, money: Money): string[] {
  const amount = counting ? inProcessorUnits(counting, money) : money.amount
  const decimals = counting?.decimals[money.currency] ?? currencies[money.currency]
  const digits = String(amount).padStart(decimals + 1, '0')
  const decimal = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return [`:${amount},`, `:${amount}}`, `:${decimal},`, `:${decimal}}`, `"${decimal}"`, `=${amount}&`]
}

/** Returns an amount in major units, as a JSON number. */
export const major = (amount: number, currency: Currency): number => Number(`${amount}e-${currencies[currency]}`)

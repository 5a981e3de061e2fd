import { Refusal } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import type { Result } from './endpoint.ts'
import type { HttpExchange } from './http-exchange.ts'

/**
 * The lifetime of a request. A caller who receives "try again later" sends the request again, and would pay twice if
 * the first request went on meanwhile. Therefore a caller whose result is not ready receives the object that was
 * begun; and if nothing was begun, the request is cancelled: nothing is sent to a processor any more.
 *
 * Under an Idempotency-Key a request simply goes on: repeating the request with the key returns its answer.
 */

/** The seconds after which a caller should query the state of the work that its request began. */
const POLL_AFTER_S = 2

/** Returns the context of such a request: writes are noted, and nothing is sent after the request is called off. */
export const lifetimeContext = (exchange: HttpExchange, context: Context): Context => ({
  ...context,
  commit: change =>
    context.commit(change).then(result => {
      if (result.is === 'written') exchange.written.push({ ...change, after: result.row })
      return result
    }),
  send: (request, sender) =>
    exchange.calledOff
      ? Promise.resolve({ is: 'not_sent', why: 'the request takes too long: the caller was answered' })
      : context.send(request, sender),
})

/** Returns the result of `late` beyond the caller's patience. `onLateError`: of work that fails after the answer. */
export function inTime<T>(
  work: Promise<T>,
  patience: (onTimeout: () => void) => () => void,
  late: () => T,
  onLateError: (error: unknown) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let over = false
    const answered = patience(() => {
      over = true
      resolve(Promise.resolve().then(late))
    })
    work.then(
      value => {
        answered()
        resolve(value)
      },
      (error: unknown) => {
        answered()
        if (over) onLateError(error)
        else reject(error)
      },
    )
  })
}

const LONG = 'The request is taking too long'
const messages = {
  keyed: `${LONG}; it is still being processed: retry it with the same Idempotency-Key to get its result`,
  goesOn: `${LONG} and may still complete: check its result before you send it again`,
  calledOff: `${LONG} and was cancelled: nothing was sent to a processor`,
} as const

/** The object that the request has begun, in its current state. Refuses (503) if it has begun nothing. */
export function cutShort(exchange: HttpExchange): Result {
  const { endpoint, call, written, reply } = exchange
  const isKeyed = exchange.key !== undefined
  const json = !isKeyed && call && written.length > 0 ? endpoint.partialResponse?.(call, written) : undefined
  if (json) {
    reply.header('retry-after', String(POLL_AFTER_S))
    return { json }
  }
  exchange.calledOff = !isKeyed && endpoint.partialResponse !== undefined && written.length === 0
  throw new Refusal('unavailable', { problem: messages[isKeyed ? 'keyed' : exchange.calledOff ? 'calledOff' : 'goesOn'] })
}

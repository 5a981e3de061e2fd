import { Refusal } from '../base/refusal.ts'
import type { Change, Context } from '../context.ts'
import type { Endpoint, EndpointCall } from './endpoint.ts'

/**
 * The course of one request. A caller who receives "try again later" sends the request again, and would pay twice if
 * the first request went on meanwhile. Therefore a caller whose result is not ready receives the object that was
 * begun; and if nothing was begun, the request is cancelled: nothing is sent to a processor any more.
 *
 * Under an Idempotency-Key a request simply goes on: repeating the request with the key returns its answer.
 */
export type Course = {
  readonly keyed: boolean
  /** The call of the endpoint, null until the caller is authenticated and the request is read. */
  call: EndpointCall | null
  /** The changes that this request has written, in order; `after` is the row as written. */
  readonly written: Change[]
  calledOff: boolean
}

export const openCourse = (keyed: boolean): Course => ({ keyed, call: null, written: [], calledOff: false })

/** Returns the context of such a request: writes are noted, and nothing is sent after the request is called off. */
export const courseContext = (course: Course, context: Context): Context => ({
  ...context,
  commit: change =>
    context.commit(change).then(result => {
      if (result.is === 'written') course.written.push({ ...change, after: result.row })
      return result
    }),
  send: (request, sender) =>
    course.calledOff
      ? Promise.resolve({ is: 'not_sent', why: 'the request takes too long: the caller was answered' })
      : context.send(request, sender),
})

/**
 * Returns the result of the work, or of `late` if the work takes longer than the caller's patience. `onLateError`:
 * receives the error of work that failed after the caller was answered.
 */
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

/**
 * Returns the answer of a request that is cut short: the object that the request has begun, in its current state.
 * Refuses (503) if the request has begun nothing.
 */
export function cutShort(endpoint: Endpoint, course: Course): Record<string, unknown> {
  const { call, keyed, written } = course
  const begun = !keyed && call && written.length > 0 ? endpoint.partialResponse?.(call, written) : undefined
  if (begun) return begun
  course.calledOff = !keyed && endpoint.partialResponse !== undefined && written.length === 0
  throw new Refusal('unavailable', { problem: messages[keyed ? 'keyed' : course.calledOff ? 'calledOff' : 'goesOn'] })
}

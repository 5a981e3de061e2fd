import { Refusal } from '../base/refusal.ts'
import type { Change, Context } from '../context.ts'
import type { Endpoint, EndpointCall } from './endpoint.ts'

/**
 * The course of one request. A caller who is told "not now" asks again, and would pay twice if the first request went
 * on meanwhile. So a caller who cannot get the result gets what was begun; and if nothing was begun, the request is
 * cancelled: nothing is sent to a processor any more.
 *
 * Under an Idempotency-Key a request simply goes on: asking again with the key gives its answer.
 */
export type Course = {
  readonly keyed: boolean
  /** Null until it is known who asks for what. */
  call: EndpointCall | null
  /** What this request has written, in order; `after` as it now stands. */
  readonly written: Change[]
  calledOff: boolean
}

export const openCourse = (keyed: boolean): Course => ({ keyed, call: null, written: [], calledOff: false })

/** The world as such a request sees it: what is written is noted, and nothing is sent once it is called off. */
export const worldOf = (course: Course, context: Context): Context => ({
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
 * The work, or what `late` gives if it takes longer than the caller has patience. `unheard`: is told why work failed
 * whose caller had his answer already.
 */
export function inTime<T>(
  work: Promise<T>,
  patience: (ring: () => void) => () => void,
  late: () => T,
  unheard: (error: unknown) => void,
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
        if (over) unheard(error)
        else reject(error)
      },
    )
  })
}

const LONG = 'The request is taking too long'
const words = {
  keyed: `${LONG}; it is still being processed: retry it with the same Idempotency-Key to get its result`,
  goesOn: `${LONG} and may still complete: check its result before you send it again`,
  calledOff: `${LONG} and was cancelled: nothing was sent to a processor`,
} as const

/**
 * What a request that does not come to its end is answered with: what it has begun, as it stands. Refuses with a 503
 * if that is nothing.
 */
export function cutShort(endpoint: Endpoint, course: Course): Record<string, unknown> {
  const { call, keyed, written } = course
  const begun = !keyed && call && written.length > 0 ? endpoint.begun?.(call, written) : undefined
  if (begun) return begun
  course.calledOff = !keyed && endpoint.begun !== undefined && written.length === 0
  throw new Refusal('unavailable', { words: words[keyed ? 'keyed' : course.calledOff ? 'calledOff' : 'goesOn'] })
}

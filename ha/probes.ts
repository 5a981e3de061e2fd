import { randomBytes } from 'node:crypto'
import type { StormShop } from '../test/long/stage.ts'

/** The number of clients that make one payment after the other and never retry a request. */
const PROBES = 4
/** The time after which a client without an answer makes a new payment, in milliseconds. */
const PATIENCE_MS = 1500

/** Makes payments continuously, to see when one is acknowledged. */
export function openProbes({ call, payBody }: StormShop) {
  const acknowledged = new Set<string>()
  /** The times of acknowledgments, by the monotonic clock. */
  const times: number[] = []
  let isOver = false
  const probe = async () => {
    while (!isOver) {
      const payment_id = `pay_${randomBytes(13).toString('hex')}`
      const asked = call('POST', '/payments', payBody({ payment_id })).catch(() => null)
      const late = new Promise<null>(resolve => setTimeout(resolve, PATIENCE_MS, null).unref())
      const answer = await Promise.race([asked, late])
      if (answer?.status === 200 && answer.body.status === 'succeeded') {
        acknowledged.add(payment_id)
        times.push(performance.now())
      } else if (answer && answer.status < 500 && answer.status !== 409)
        throw new Error(`a probe was answered ${answer.status} ${answer.text}`)
      else if (answer) await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  const probing = Promise.all(Array.from({ length: PROBES }, probe))
  // An error is reported when the probes are closed.
  probing.catch(() => {})
  return {
    /** The payments that were acknowledged as paid to their client. */
    acknowledged,
    /** Returns the longest time without an acknowledgment since `since`, up to now, in milliseconds. */
    longestGap(since: number): number {
      const after = [...times.filter(at => at > since), performance.now()]
      return Math.max(...after.map((at, i) => at - (after[i - 1] ?? since)))
    },
    async close(): Promise<void> {
      isOver = true
      await probing
    },
  }
}

import { randomBytes } from 'node:crypto'
import type { StormShop } from '../test/long/stage.ts'

/** So many clients pay one payment after the other, and do not ask again. */
const PROBES = 4
/** A client that is not answered for so long tries anew. */
const PATIENCE_MS = 1500

/** Payments without end, to see when one is acknowledged. */
export function openProbes({ call, payBody }: StormShop) {
  const acknowledged = new Set<string>()
  /** When, by the monotonic clock. */
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
  // Told when they are closed.
  probing.catch(() => {})
  return {
    /** Payments that their client was told of as paid. */
    acknowledged,
    /** The longest time since then in which nobody was told so, up to now. */
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
export type Probes = ReturnType<typeof openProbes>

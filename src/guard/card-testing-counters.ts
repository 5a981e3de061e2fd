import { cardTestingOf, type LimitName, LONGEST_EXPIRY, limitNames } from '../accounts/card-testing-limits.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { profileSetting } from '../accounts/profile-settings.ts'
import { isLoopbackNetwork } from '../base/network.ts'
import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context, RowChange, Time } from '../context.ts'
import { forgotten } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { int, type RowOf, table, text, time } from '../database/table.ts'

/**
 * Limits how often the holder of client_secrets can try cards. Confirmations from browsers that a processor declined
 * are counted, one row per counter, written by the change that applies the outcome. Other confirmations write and read
 * nothing. All processes use the same counts, and none is lost when a process dies.
 */

const failedConfirms = table('failed_confirms', {
  pointer: true,
  key: ['merchant_id', 'counted', 'payment_id', 'n'],
  columns: { merchant_id: text(), counted: text(), payment_id: text(), n: int(), failed_at: time() },
})

/** Older than the longest period that a profile can set. */
export const oldFailures = forgotten(failedConfirms, 'failed_at', { after_ms: LONGEST_EXPIRY * 1000 })

/** `bin`: the card's first eight digits, `card`: its fingerprint; null for other instruments. */
export type Try = { payment_id: string; customer_id: string | null; network: string; card: string | null; bin: string | null }

/** Null if the limit does not apply to the try. */
const counts: Record<LimitName, (one: Try) => string | null> = {
  card_ip: ({ card, network }) => card && `card ${card} from ${network}`,
  guest_user_card: ({ card, customer_id }) => card && (customer_id === null ? `card ${card} of guests` : null),
  customer_id: ({ customer_id }) => customer_id && `customer ${customer_id}`,
  guest_ip: ({ network, customer_id }) => (customer_id === null ? `guests from ${network}` : null),
  client_secret: ({ payment_id }) => `payment ${payment_id}`,
  card_bin: ({ bin }) => bin && `cards ${bin}`,
}

/** Every counter is written, even if its limit is turned off, because limits can change. */
export const failedTry = (merchant_id: string, n: number, one: Try, failed_at: Time): RowChange[] =>
  limitNames.flatMap(name => {
    const counted = counts[name](one)
    const after: RowOf<typeof failedConfirms> = { merchant_id, counted: counted ?? '', payment_id: one.payment_id, n, failed_at }
    return counted === null ? [] : [{ table: failedConfirms.name, before: null, after }]
  })

const tries = statement(
  'failed_confirms_counted',
  'select counted, count(*)::int as failed from failed_confirms where merchant_id = $1 and counted = any($2::text[]) and failed_at > $3 group by counted',
)

/** Concurrent tries may exceed the failures left by this factor where several people may honestly pay at once. */
const CROWD = 5
const crowds: readonly LimitName[] = ['guest_ip', 'card_bin']

/** `busy`: too many tries are under way, so the browser may soon try again. */
export type Stopped = { merchant_id: string; profile_id: string; payment_id: string; limit: LimitName; busy: boolean }

/**
 * Counts the tries in progress in this process: of a thousand concurrent ones, not all may be made before the first
 * has failed. Each entered try must be left. `sparesLoopback`: tries from the machine itself are not limited.
 */
export function openBrowserTries(sparesLoopback = false, stopped: (one: Stopped) => void = () => {}) {
  const underWay = new Map<string, number>()
  const change = (names: Iterable<string>, by: 1 | -1) => {
    for (const name of names) {
      const now = (underWay.get(name) ?? 0) + by
      if (now === 0) underWay.delete(name)
      else underWay.set(name, now)
    }
  }

  return {
    /**
     * Returns the function that ends the try. Refuses if too many similar tries have failed, and (to be tried again)
     * while so many are under way that they would be too many if they failed. One indexed read; none if all limits are
     * off.
     */
    async enter(context: Pick<Context, 'query' | 'now'>, merchant: Merchant, profile_id: string, one: Try): Promise<() => void> {
      if (sparesLoopback && isLoopbackNetwork(one.network)) return () => {}
      const config = cardTestingOf(profileSetting(merchant, profile_id, 'card_testing_guard_config'))
      const limits = limitNames.flatMap(name => {
        const counted = counts[name](one)
        if (counted === null || config[`${name}_blocking_status`] !== 'enabled') return []
        const crowd = crowds.includes(name) ? CROWD : 1
        return [{ name, counted, most: config[`${name}_blocking_threshold`], crowd, here: `${merchant.merchant_id} ${counted}` }]
      })
      if (limits.length === 0) return () => {}
      const names = limits.map(({ here }) => here)
      change(names, 1)
      try {
        const since = later(context.now(), -1000 * config.card_testing_guard_expiry)
        const asked = [merchant.merchant_id, limits.map(({ counted }) => counted), since]
        const found = await context.query<{ counted: string; failed: number }>(tries, asked)
        const failed = new Map(found.map(({ counted, failed }) => [counted, failed]))
        const left = limits.map(({ counted, most }) => most - (failed.get(counted) ?? 0))
        const stop = ({ name: limit }: (typeof limits)[number], busy: boolean): never => {
          stopped({ merchant_id: merchant.merchant_id, profile_id, payment_id: one.payment_id, limit, busy })
          return refuse(busy ? 'busy' : 'too_many_failures')
        }
        const over = limits.find((_, i) => left[i]! <= 0)
        if (over) stop(over, false)
        const crowded = limits.find(({ here, crowd }, i) => underWay.get(here)! > left[i]! * crowd)
        if (crowded) stop(crowded, true)
      } catch (error) {
        change(names, -1)
        throw error
      }
      return () => change(names, -1)
    },
    size: () => underWay.size,
  }
}

export type BrowserTries = ReturnType<typeof openBrowserTries>

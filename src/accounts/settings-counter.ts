import type { Clock } from '../base/clock.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'

/**
 * The merchants that changed since a version come along, null if none did; and the time: this is the only SQL that
 * asks for it (`base/clock.ts`).
 */
const look = statement(
  'settings_version',
  `select version, (select array_agg(merchant_id) from settings_changes where version > $1) as changed, (extract(epoch from clock_timestamp()) * 1000)::float8 as clock
    from settings_version`,
)
type Look = { version: number; changed: string[] | null; clock: number }

/**
 * The cache is valid for this long after a look at the counter: a revoked key is invalid everywhere within a second,
 * or all keys are refused.
 */
const BELIEVED_MS = 1000

/**
 * The counter of administrative writes, and how far what is remembered may be believed. `forget`: hears who changed,
 * or null if that is not known of each change since the last look.
 */
export function openSettingsCounter(
  context: Pick<Context, 'query' | 'log'>,
  clock: Pick<Clock, 'setBy' | 'monotonic'>,
  forget: (changed: ReadonlySet<string> | null) => Promise<void>,
) {
  let known: number | null = null
  let looked = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | null = null

  async function refresh(): Promise<void> {
    const asked = clock.monotonic()
    const since = known
    const { version, changed } = await clock.setBy(async () => (await context.query<Look>(look, [since]))[0]!)
    if (version !== since) {
      // Each write counts on from where the one before it was committed, so none is skipped: as many as were
      // counted are told, or not all.
      const all = since !== null && changed?.length === version - since
      await forget(all ? new Set(changed) : null)
      // Another look may have come back first, and seen more.
      known = all ? Math.max(known!, version) : version
    }
    looked = Math.max(looked, asked)
  }

  return {
    /** What is known; after a look at the counter, if the last one is too long ago. */
    believed<T>(known: () => Promise<T>): Promise<T> {
      if (clock.monotonic() - looked <= BELIEVED_MS) return known()
      looking ??= refresh().finally(() => {
        looking = null
      })
      return looking.then(known)
    },

    /** Reads the counter, and forgets who changed. Called every 400 ms. */
    refresh,

    /** Has the counter been read so far already? If not, it is read anew, and forgotten who changed. */
    async reach(version: number): Promise<void> {
      if (known === null || known < version) await refresh()
    },

    /** This process has written settings: it reads who changed, or believes nothing before it has. */
    async written(): Promise<void> {
      try {
        await refresh()
      } catch (error) {
        looked = Number.NEGATIVE_INFINITY
        context.log.warn({ err: error }, 'updated settings could not be reloaded yet')
      }
    },

    /** Something has changed, and it is not known what: nothing is believed before the counter was read. */
    doubt(): void {
      looked = Number.NEGATIVE_INFINITY
    },

    /** How many milliseconds ago the counter was last read. */
    lookedAgo: (): number => clock.monotonic() - looked,
  }
}

export type SettingsCounter = ReturnType<typeof openSettingsCounter>

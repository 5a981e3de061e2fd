import type { Clock } from '../base/clock.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'

/** `changed` is null if no merchant did. No other SQL reads the time (`base/clock.ts`). */
const look = statement(
  'settings_version',
  `select version, (select array_agg(merchant_id) from settings_changes where version > $1) as changed, (extract(epoch from clock_timestamp()) * 1000)::float8 as clock
    from settings_version`,
)
type Look = { version: number; changed: string[] | null; clock: number }

/** A revoked key is invalid everywhere within a second; if the counter cannot be read for so long, all keys are. */
const BELIEVED_MS = 1000

/** `forget`: drops data of merchants that changed; of all (null) if not every change is known. */
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
      // Every write increments the counter, so the list of changes is complete if its length is the difference.
      const all = since !== null && changed?.length === version - since
      await forget(all ? new Set(changed) : null)
      // A concurrent reading may have returned first with a higher version.
      known = all ? Math.max(known!, version) : version
    }
    looked = Math.max(looked, asked)
  }

  return {
    /** Reads the counter first if its last reading is too long ago. */
    believed<T>(known: () => Promise<T>): Promise<T> {
      if (clock.monotonic() - looked <= BELIEVED_MS) return known()
      looking ??= refresh().finally(() => {
        looking = null
      })
      return looking.then(known)
    },

    /** Called every 400 ms. */
    refresh,

    async reach(version: number): Promise<void> {
      if (known === null || known < version) await refresh()
    },

    /** Called after this process has written settings. If it fails, the caches are invalid until it succeeds. */
    async written(): Promise<void> {
      try {
        await refresh()
      } catch (error) {
        looked = Number.NEGATIVE_INFINITY
        context.log.warn({ err: error }, 'updated settings could not be reloaded yet')
      }
    },

    doubt(): void {
      looked = Number.NEGATIVE_INFINITY
    },

    lookedAgo: (): number => clock.monotonic() - looked,
  }
}

export type SettingsCounter = ReturnType<typeof openSettingsCounter>

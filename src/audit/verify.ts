import type { Context, Reads } from '../context.ts'
import { type Audited, macOf, sealOf } from '../database/audit.ts'
import { statement } from '../database/statement.ts'
import type { ChainEnd } from './seal.ts'

/** Verifies the chain: every entry is as it was written, and at its original place. */

const MOST = 1000
const columns = `l.n, l.merchant_id, l.kind, l.object_id, l.version, l.request_id, l.address, l.created, l.mac, l.place, l.seal,
  c.event_id, c.type, c.by, c.was::text as was, c.created = l.created as same_time`
const withChanges =
  'audit_log l left join changes c on c.merchant_id = l.merchant_id and c.object_id = l.object_id and c.kind = l.kind and c.version = l.version'
const placed = statement('audit_placed', `select ${columns} from ${withChanges} where l.place > $1 order by l.place limit ${MOST}`)
const unplaced = statement(
  'audit_unplaced',
  `select ${columns} from ${withChanges} where l.place is null and l.n > $1 order by l.n limit ${MOST}`,
)
const end = statement('audit_chain_end', 'select place, seal from audit_chain')

type Nullable<T> = { [N in keyof T]: T[N] | null }
type Entry = Omit<Audited, 'event_id' | 'type' | 'was'> &
  Nullable<Pick<Audited, 'event_id' | 'type' | 'was'>> & {
    n: number
    mac: string
    place: number | null
    seal: string | null
    same_time: boolean | null
  }

/** `n`: of the row, null if no row exists. */
type Misfit = { place: number | null; n: number | null; why: string }

/** `end`, kept elsewhere, reveals whether the end was cut off. `waiting`: entries without a place. */
export type ChainVerification = { end: ChainEnd; waiting: number; misfit: Misfit | null }

type Edges = Reads & { vault: Pick<Context['vault'], 'digest'> }

/** Stops at the first entry that does not fit. `known`: an earlier end, which the chain must still contain. */
export async function verify(context: Edges, known: ChainEnd | null = null): Promise<ChainVerification> {
  const { digest } = context.vault
  let last: ChainEnd = { place: 0, seal: '' }
  const stop = (misfit: Misfit): ChainVerification => ({ end: last, waiting: 0, misfit })
  // Read first: entries that are sealed meanwhile come after this end.
  const [written] = await context.query<ChainEnd>(end, [])
  for (;;) {
    const entries = await context.query<Entry>(placed, [last.place])
    for (const entry of entries) {
      const place = last.place + 1
      if (entry.place !== place) return stop({ place, n: null, why: 'is missing: there is no entry at this place' })
      const wrong = fault(digest, entry)
      if (wrong !== null) return stop({ place, n: entry.n, why: wrong })
      const seal = sealOf(digest, last.seal, place, entry.mac)
      if (entry.seal !== seal) return stop({ place, n: entry.n, why: 'was inserted or moved: it does not follow the entry before it' })
      if (known?.place === place && known.seal !== seal)
        return stop({ place, n: entry.n, why: 'differs from the entry that ended the chain earlier' })
      last = { place, seal }
    }
    if (entries.length < MOST) break
  }
  const next = last.place + 1
  if (!written || written.place > last.place || (known && known.place > last.place))
    return stop({ place: next, n: null, why: 'is missing: the chain continued after its last entry' })
  if (written.place === last.place && written.seal !== last.seal)
    return stop({ place: last.place, n: null, why: 'is not the recorded end of the chain' })
  return { ...(await waiting(context)), end: last }
}

async function waiting(context: Edges): Promise<{ waiting: number; misfit: Misfit | null }> {
  let [count, n] = [0, 0]
  for (;;) {
    const entries = await context.query<Entry>(unplaced, [n])
    for (const entry of entries) {
      const why = fault(context.vault.digest, entry)
      if (why !== null) return { waiting: count, misfit: { place: null, n: entry.n, why } }
      n = entry.n
      count++
    }
    if (entries.length < MOST) return { waiting: count, misfit: null }
  }
}

/** Of the entry by itself; null if it is as the service wrote it. */
function fault(digest: Context['vault']['digest'], entry: Entry): string | null {
  const { event_id, type, was } = entry
  if (event_id === null || type === null || was === null) return 'refers to a change that is missing from the history'
  const right = entry.same_time === true && entry.mac === macOf(digest, { ...entry, event_id, type, was })
  return right ? null : 'was changed, or was not written by the service; this is the entry or its change'
}

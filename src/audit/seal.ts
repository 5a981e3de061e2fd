import type { Context } from '../context.ts'
import { sealOf } from '../database/audit.ts'
import type { DueKind } from '../database/due.ts'
import { statement } from '../database/statement.ts'

/** Puts new entries into the chain, without a lock: of two processes, one finds the end of the chain unchanged. */

export const unsealed: DueKind = {
  name: 'audit_log.place',
  first: '(select created from audit_log where place is null order by n limit 1)',
  after_ms: 0,
}

const MOST = 500
const end = statement('audit_chain', 'select place, seal from audit_chain')
const open = statement('audit_unsealed', `select n, merchant_id, mac from audit_log where place is null order by n limit ${MOST}`)
const moveOn = statement(
  'audit_seal',
  `with e as (update audit_chain set place = $1, seal = $2 where place = $3 and seal = $4 returning 1)
  update audit_log l set place = s.place, seal = s.seal from unnest($5::bigint[], $6::text[], $7::bigint[], $8::text[]) s (n, merchant_id, place, seal)
    where l.n = s.n and l.merchant_id = s.merchant_id and l.place is null and exists (select from e) returning 1`,
)

export type ChainEnd = { place: number; seal: string }
type Open = { n: number; merchant_id: string; mac: string }

/** Returns the end of the chain; null if another process extended it meanwhile. */
export async function seal(context: Pick<Context, 'query' | 'vault' | 'log'>): Promise<ChainEnd | null> {
  for (;;) {
    const before = (await context.query<ChainEnd>(end, []))[0]!
    const entries = await context.query<Open>(open, [])
    if (entries.length === 0) return before
    let after = before
    const sealed = entries.map(({ n, merchant_id, mac }) => {
      const place = after.place + 1
      after = { place, seal: sealOf(context.vault.digest, after.seal, place, mac) }
      return { n, merchant_id, ...after }
    })
    const values = (['n', 'merchant_id', 'place', 'seal'] as const).map(column => sealed.map(one => one[column]))
    const written = await context.query(moveOn, [after.place, after.seal, before.place, before.seal, ...values])
    if (written.length === 0) return null
    // An operator who keeps the service's log elsewhere can compare the chain with it (`npm run audit:verify --
    // PLACE:SEAL`).
    context.log.info({ audit: `${after.place}:${after.seal}` }, 'the audit log was sealed up to this entry')
    if (entries.length < MOST) return after
  }
}

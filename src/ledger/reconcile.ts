import type { Reads, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import type { SettledLine } from './settlement.ts'

/** A disagreement of our ledger and the processor's file, in the lowest denomination; null: no such movement there. */
export type Exception = {
  is: 'missing here' | 'missing there' | 'differs'
  request_id: string | null
  reference: string | null
  object_id: string | null
  ours: string | null
  theirs: string | null
}

export type Report = { agreed: number; exceptions: Exception[] }

/** The movement by one request at a processor, according to our ledger. */
type Moved = { request_id: string | null; reference: string | null; object_id: string; currency: string; amount: number }

const movedAt = statement(
  'ledger_moved_at',
  // A posting whose request id belongs to no operation is a dispute, with the processor's own id.
  `select c.posted ->> 'request_id' as request_id, coalesce(o.reference, case when o.request_id is null then c.posted ->> 'request_id' end) as reference, c.object_id, c.posted ->> 'currency' as currency, sum((c.posted -> 'entries' ->> 'processor')::bigint)::bigint as amount
    from changes c left join processor_operations o on o.merchant_id = $1 and o.request_id = c.posted ->> 'request_id'
    where c.merchant_id = $1 and c.posted ->> 'merchant_connector_id' = $2 and c.kind <> 'settlement'
      and ($3::timestamptz is null or c.created >= $3) and ($4::timestamptz is null or c.created < $4)
    group by 1, 2, 3, 4 order by min(c.event_id)`,
)

/** `from`, `to`: null is no limit. */
export type Scope = { merchant_id: string; merchant_connector_id: string; from: Time | null; to: Time | null }

/**
 * By our request id, else the processor's reference. Movements that the file lacks are reported within the time of
 * `scope`; those of the file are looked up among all of ours.
 */
export async function reconcile(
  context: Reads,
  { merchant_id, merchant_connector_id, from, to }: Scope,
  lines: readonly SettledLine[],
): Promise<Report> {
  const all = await context.query<Moved>(movedAt, [merchant_id, merchant_connector_id, null, null])
  const due = from === null && to === null ? all : await context.query<Moved>(movedAt, [merchant_id, merchant_connector_id, from, to])
  const byRequest = new Map(all.map(one => [one.request_id, one]))
  const byReference = new Map(all.map(one => [one.reference, one]))
  const ours = ({ request_id, reference }: SettledLine): Moved | undefined =>
    (request_id === null ? undefined : byRequest.get(request_id)) ?? (reference === null ? undefined : byReference.get(reference))

  const settled = new Map<string, { line: SettledLine; moved: Moved | undefined; gross: number }>()
  for (const line of lines) {
    const moved = ours(line)
    const name = `${moved ? nameOf(moved) : (line.request_id ?? line.reference)} ${line.currency}`
    const one = settled.get(name)
    if (one) one.gross += line.gross
    else settled.set(name, { line, moved, gross: line.gross })
  }
  const exceptions: Exception[] = []
  const found = new Set<string>()
  let agreed = 0
  for (const { line, moved, gross } of settled.values()) {
    if (moved) found.add(nameOf(moved))
    if (moved && moved.currency === line.currency && moved.amount === gross) agreed++
    else if (moved || gross !== 0)
      exceptions.push({
        is: moved ? 'differs' : 'missing here',
        request_id: moved?.request_id ?? line.request_id,
        reference: moved?.reference ?? line.reference,
        object_id: moved?.object_id ?? null,
        ours: moved ? `${moved.amount} ${moved.currency}` : null,
        theirs: `${gross} ${line.currency}`,
      })
  }
  for (const moved of due) {
    if (moved.amount === 0 || found.has(nameOf(moved))) continue
    const { request_id, reference, object_id } = moved
    exceptions.push({ is: 'missing there', request_id, reference, object_id, ours: `${moved.amount} ${moved.currency}`, theirs: null })
  }
  return { agreed, exceptions }
}

const nameOf = ({ request_id, object_id }: Moved): string => `${request_id ?? '-'} ${object_id}`

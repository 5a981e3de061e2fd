import type { Reads } from '../context.ts'
import { statement } from '../database/statement.ts'
import { movementIdentity } from './identity.ts'
import type { SettlementLine, SettlementType } from './line.ts'
import { type Books, type LedgerMovement, lineNames, type NamedObject } from './match.ts'
import type { SettledAccount } from './tables.ts'

type Name = NamedObject & { name: string }

// Mollie's disputes are known by their payment and their own id, and some of its reports have only the latter.
const namedHere = statement(
  'settlement_named',
  `select coalesce(json_agg(f), '[]') as found from (
    select o.request_id as name, o.object_id, o.request_id as moved from processor_operations o
      where o.merchant_id = $1 and o.request_id = any($3) and o.merchant_connector_id = $2
    union all
    select r.reference, r.object_id, o.request_id from settlement_references r
      join processor_operations o on o.merchant_id = $1 and o.kind = r.kind and o.object_id = r.object_id and o.n = r.n
      where r.merchant_id = $1 and r.merchant_connector_id = $2 and r.reference = any($4)
    union all
    select d.connector_dispute_id, d.payment_id, d.connector_dispute_id from disputes d
      where d.merchant_id = $1 and d.merchant_connector_id = $2 and d.connector_dispute_id = any($4)
    union all
    select split_part(d.connector_dispute_id, '/', 2), d.payment_id, d.connector_dispute_id from disputes d
      where d.merchant_id = $1 and d.merchant_connector_id = $2 and split_part(d.connector_dispute_id, '/', 2) = any($4)) f`,
)

/**
 * Returns SQL for the movements of each object (`i`) at the account (`$2`), by the request or dispute that moved it,
 * with the amount that posted lines have settled. Object by object, so that the planner cannot choose to read them
 * all. `first`: its first event after the event `after`.
 */
export const movementsOf = (objects: string, after = "''"): string =>
  `select m.object_kind, i.object_id, m.moved, m.class, m.currency, m.amount, m.since, m.first, coalesce(s.settled, 0)::bigint as settled
    from ${objects} cross join lateral (
      select x.kind as object_kind, p.request_id as moved, p.currency, sum(e.processor)::bigint as amount, min(x.created) as since,
        min(x.event_id) filter (where x.event_id > ${after}) as first,
        case when bool_or(coalesce(e.disputes, 0) <> 0) then 'dispute' when bool_or(coalesce(e.payouts, 0) <> 0 or x.kind = 'payout') then 'transfer'
          when bool_or(coalesce(e.refunds, 0) <> 0) or (array_agg(e.processor order by x.version))[1] < 0 then 'refund' else 'sale' end as class
        from changes x cross join lateral json_to_record(x.posted) p (request_id text, merchant_connector_id text, currency text, entries json)
          cross join lateral json_to_record(p.entries) e (processor bigint, disputes bigint, payouts bigint, refunds bigint)
        where x.merchant_id = $1 and x.object_id = i.object_id and x.posted is not null and p.merchant_connector_id = $2 and p.request_id is not null and e.processor is not null
        group by x.kind, p.request_id, p.currency) m
      left join lateral (
        select sum(coalesce(l.original_amount, l.gross)) as settled from settlement_lines l
          where l.merchant_id = $1 and l.subject_id = i.object_id and l.moved = m.moved and l.merchant_connector_id = $2
            and (l.chunk > 0 or l.posted_by is not null)) s on true`

const movements = statement(
  'settlement_movements',
  `select coalesce(json_agg(f), '[]') as found from (${movementsOf('unnest($3::text[]) i (object_id)')}) f`,
)

/** Reads the movements of one object at an account. */
export const readMovements = async (
  context: Reads,
  { merchant_id, merchant_connector_id }: SettledAccount,
  object_id: string,
): Promise<LedgerMovement[]> =>
  (await context.query<{ found: LedgerMovement[] }>(movements, [merchant_id, merchant_connector_id, [object_id]]))[0]!.found

const grouped = <T>(rows: readonly T[], key: (row: T) => string): ((name: string) => readonly T[]) => {
  const groups = Map.groupBy(rows, key)
  return name => groups.get(name) ?? []
}

/** The movements that other lines name, with the sign of their amount. */
const namedByOthers: readonly [type: SettlementType, sign: 1 | -1][] = [['charge', 1], ['refund', -1], ['chargeback', -1]] // biome-ignore format: a table

const namedByLines = statement(
  'settlement_named_by_lines',
  `select coalesce(json_agg(f), '[]') as found from (
    select l.reference as name, l.subject_id as object_id, null as moved from settlement_lines l
      where l.merchant_id = $1 and l.merchant_connector_id = $2 and l.identity = any($3) and l.subject_id is not null) f`,
)

/**
 * Adds the names of lines that only other lines have: at PayPal a chargeback names the transaction that was charged,
 * and its fee the chargeback. They belong to the object of the other line, in these lines or in those of an earlier
 * report.
 */
async function throughLines(context: Reads, account: SettledAccount, lines: readonly SettlementLine[], found: Name[]): Promise<Name[]> {
  const objects = new Map(found.map(({ name, object_id }) => [name, object_id]))
  const objectOf = (line: SettlementLine) =>
    lineNames(line).reduce<string | undefined>((known, name) => known ?? objects.get(name), undefined)
  const wanted = new Set(lines.filter(line => objectOf(line) === undefined).flatMap(({ payment_reference }) => payment_reference ?? []))
  if (wanted.size === 0) return found
  const identities = [...wanted].flatMap(reference =>
    namedByOthers.map(([type, gross]) => movementIdentity({ ...lines[0]!, type, reference, gross })),
  )
  const [stored] = await context.query<{ found: Name[] }>(namedByLines, [account.merchant_id, account.merchant_connector_id, identities])
  const more = stored!.found
  for (const { name, object_id } of more) objects.set(name, object_id)
  // The second time, lines are found whose line was found by another one.
  for (let i = 0; i < 2; i++)
    for (const line of lines) {
      const { reference } = line
      const object_id = objectOf(line)
      if (reference === null || !wanted.has(reference) || objects.has(reference) || object_id === undefined) continue
      objects.set(reference, object_id)
      more.push({ name: reference, object_id, moved: null })
    }
  return [...found, ...more]
}

/** Reads what these lines name: three statements at most, for any number of lines. */
export async function readBooks(context: Reads, account: SettledAccount, lines: readonly SettlementLine[]): Promise<Books> {
  const { merchant_id, merchant_connector_id } = account
  const requests = new Set(lines.flatMap(({ request_id }) => request_id ?? []))
  const references = new Set(lines.flatMap(lineNames))
  if (references.size === 0) return { named: () => [], movements: () => [] }
  const [names] = await context.query<{ found: Name[] }>(namedHere, [merchant_id, merchant_connector_id, [...requests], [...references]])
  const found = await throughLines(context, account, lines, names!.found)
  const objects = new Set(found.map(({ object_id }) => object_id))
  const [moved] =
    objects.size === 0
      ? [{ found: [] }]
      : await context.query<{ found: LedgerMovement[] }>(movements, [merchant_id, merchant_connector_id, [...objects]])
  return { named: grouped(found, ({ name }) => name), movements: grouped(moved!.found, ({ object_id }) => object_id) }
}

const PAGE = 5000
const referencesOf = statement(
  'settlement_references_of',
  `with page as (select kind, object_id, n, reference, merchant_connector_id, state from processor_operations
      where merchant_id = $1 and (kind, object_id, n) > ($3, $4, $5::int) order by kind, object_id, n limit ${PAGE}),
    kept as (insert into settlement_references (merchant_id, merchant_connector_id, reference, kind, object_id, n)
      select $1, $2, reference, kind, object_id, n from page where merchant_connector_id = $2 and reference is not null on conflict do nothing)
  select kind, object_id, n from page order by kind desc, object_id desc, n desc limit 1`,
)
type Place = { kind: string; object_id: string; n: number }

/**
 * Makes the references of an account's operations findable. Payments write no such rows, which would make each of them
 * dearer; so it is done when a report comes whose lines name no request of ours, once for each report.
 */
export async function indexReferences(context: Reads, { merchant_id, merchant_connector_id }: SettledAccount): Promise<void> {
  let place: Place | undefined = { kind: '', object_id: '', n: 0 }
  while (place)
    [place] = await context.query<Place>(referencesOf, [merchant_id, merchant_connector_id, place.kind, place.object_id, place.n])
}

const keepReferences = statement(
  'settlement_references_kept',
  `insert into settlement_references (merchant_id, merchant_connector_id, reference, kind, object_id, n)
    select merchant_id, merchant_connector_id, reference, kind, object_id, n from processor_operations
      where merchant_id = $1 and merchant_connector_id = $2 and object_id = any($3) and reference is not null on conflict do nothing`,
)

/** Makes the references findable that these objects have by now. */
export const indexReferencesOf = async (
  context: Reads,
  { merchant_id, merchant_connector_id }: SettledAccount,
  object_ids: readonly string[],
): Promise<void> => void (object_ids.length > 0 && (await context.query(keepReferences, [merchant_id, merchant_connector_id, object_ids])))

import type { Reads, Time } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { posting, type Writes } from './post.ts'
import { derivedId, newDifference } from './rows.ts'
import { type SettledAccount, type SettlementBatch, type SettlementDifference, settlementBatches, settlementDifferences } from './tables.ts'

/** A payout of the processor, as all reports together show it. */
type Sum = {
  batch: string
  currency: string
  lines: number
  net: number
  stated: number | null
  paid_at: Time | null
  bank_reference: string | null
}

const MOST = 1000

const sums = statement(
  'settlement_batch_sums',
  `select p.batch, p.currency, sum(p.lines)::int as lines, sum(p.net)::bigint as net, sum(p.stated)::bigint as stated, max(p.paid_at) as paid_at,
      max(p.bank_reference) as bank_reference
    from settlement_batch_parts p join (select distinct batch from settlement_batch_parts
      where merchant_id = $1 and merchant_connector_id = $2 and file_id = $3 and batch > $4 order by batch limit ${MOST}) b on b.batch = p.batch
    where p.merchant_id = $1 and p.merchant_connector_id = $2 group by p.batch, p.currency order by p.batch, p.currency`,
)
const byIds = statement('settlement_batches_by_id', select(settlementBatches, 'where merchant_id = $1 and batch_id = any($2)'))

const idOfBatch = ({ merchant_connector_id }: SettledAccount, { batch, currency }: Pick<Sum, 'batch' | 'currency'>): string =>
  derivedId('stb_', merchant_connector_id, batch, currency)

/** Returns the amount that left for the bank: the processor's own figure, else the sum of the lines once paid. */
const paidOut = ({ stated, paid_at, net }: Sum): number => stated ?? (paid_at === null ? 0 : net)

async function settleBatch(context: Writes, account: SettledAccount, sum: Sum, before: SettlementBatch | null): Promise<void> {
  const { batch, currency, lines, stated, paid_at, bank_reference } = sum
  const { merchant_id, merchant_connector_id, profile_id } = account
  const batch_id = idOfBatch(account, sum)
  const first: SettlementBatch = {
    ...{ merchant_id, batch_id, version: 1, profile_id, merchant_connector_id, batch, currency, banked: 0 },
    ...{ bank_entry_id: null, banked_at: null, created: context.now(), lines: 0, lines_net: 0, stated: null, in_transit: 0 },
    ...{ paid_at: null, bank_reference: null },
  }
  const from = before ?? first
  const after = { ...from, lines, lines_net: sum.net, stated, in_transit: paidOut(sum), paid_at, bank_reference }
  const isAsBefore = (['lines', 'lines_net', 'stated', 'in_transit', 'paid_at', 'bank_reference'] as const).every(
    name => after[name] === from[name],
  )
  if (before && isAsBefore) return
  const moved = after.in_transit - from.in_transit
  const posts = posting(account, currency, moved === 0 ? {} : { settled: -moved, in_transit: moved })
  await context.commit(changeTo(context, settlementBatches.name, { before, after }, 'paid_out', { posts }))
}

const openOfBatch = statement(
  'settlement_differences_of_batch',
  select(
    settlementDifferences,
    `where merchant_id = $1 and merchant_connector_id = $2 and state = 'open' and cause = 'payout_differs' and batch = any($3)`,
  ),
)

/** A payout that is not what its lines add up to is a difference, until it is. */
async function compareBatches(context: Writes, account: SettledAccount, found: readonly Sum[]): Promise<void> {
  const { merchant_id, merchant_connector_id } = account
  const open = await context.query<SettlementDifference>(openOfBatch, [merchant_id, merchant_connector_id, found.map(({ batch }) => batch)])
  const now = context.now()
  const wanted = found
    .filter(({ stated, net, lines }) => stated !== null && lines > 0 && stated !== net)
    .map(({ batch, currency, net, stated }) =>
      newDifference(account, {
        difference_id: derivedId('dif_', merchant_connector_id, 'payout', batch, currency, net, stated!),
        ...{ cause: 'payout_differs', created: now, batch, currency, ours: net, ours_currency: currency, theirs: stated },
      }),
    )
  const ids = new Set(wanted.map(({ difference_id }) => difference_id))
  const over = open.filter(({ difference_id }) => !ids.has(difference_id))
  const there = new Set(open.map(({ difference_id }) => difference_id))
  const closed = { state: 'matched', resolved_at: now, resolved_by: context.by } as const
  await Promise.all([
    ...over.map(before =>
      context.commit(changeTo(context, settlementDifferences.name, { before, after: { ...before, ...closed } }, 'matched')),
    ),
    ...wanted
      .filter(({ difference_id }) => !there.has(difference_id))
      .map(after => context.commit(changeTo(context, settlementDifferences.name, { before: null, after }, 'found'))),
  ])
}

/** Moves what the payouts of a report have paid out from the balance at the processor into transit to the bank. */
export async function settleBatches(context: Writes, account: SettledAccount, file_id: string): Promise<void> {
  const { merchant_id, merchant_connector_id } = account
  for (let after = ''; ; ) {
    const found = await context.query<Sum>(sums, [merchant_id, merchant_connector_id, file_id, after])
    if (found.length === 0) return
    const ids = found.map(sum => idOfBatch(account, sum))
    const known = new Map((await context.query<SettlementBatch>(byIds, [merchant_id, ids])).map(one => [one.batch_id, one]))
    await Promise.all(found.map(sum => settleBatch(context, account, sum, known.get(idOfBatch(account, sum)) ?? null)))
    await compareBatches(context, account, found)
    after = found.at(-1)!.batch
  }
}

const listed = statement(
  'settlement_batches_listed',
  select(
    settlementBatches,
    `where merchant_id = $1 and ($2::text is null or merchant_connector_id = $2) and ($3::text[] is null or profile_id = any($3))
      and ($4::boolean is null or (banked = in_transit) = $4) and ($5::text is null or (coalesce(paid_at, created), batch_id) <
        (select coalesce(x.paid_at, x.created), x.batch_id from settlement_batches x where x.merchant_id = $1 and x.batch_id = $5))
      order by coalesce(paid_at, created) desc, batch_id desc limit $6`,
  ),
)

type BatchesAsk = { merchant_connector_id?: string; banked?: boolean; after?: string; limit: number }

export const listProcessorPayouts = (
  context: Reads,
  merchant_id: string,
  ask: BatchesAsk,
  profiles: readonly string[] | null,
): Promise<SettlementBatch[]> =>
  context.query<SettlementBatch>(listed, [
    merchant_id,
    ask.merchant_connector_id ?? null,
    profiles,
    ask.banked ?? null,
    ask.after ?? null,
    ask.limit,
  ])

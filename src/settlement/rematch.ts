import type { Currency } from '../base/currencies.ts'
import type { Reads, RowChange, Statement } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { type LedgerAccount, settlements } from '../database/ledger.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { movementsOf, readBooks } from './books.ts'
import type { Cause } from './causes.ts'
import { addEntries, countsInFigures, type Entries, withoutZeros } from './entries.ts'
import { digestOf } from './identity.ts'
import type { SettlementLine } from './line.ts'
import { type LedgerMovement, matchLines } from './match.ts'
import { posting, type Writes } from './post.ts'
import { derivedId, newDifference, openDay } from './rows.ts'
import { type SettledAccount, type SettlementDifference, type StoredLine, settlementDifferences, settlementLines } from './tables.ts'
import { overdue } from './unsettled.ts'

export const settlementLineOf = (row: StoredLine): SettlementLine => {
  const { original_amount, original_currency, rate, currency, ...line } = row
  const original = original_amount === null ? null : { amount: original_amount, currency: original_currency as Currency, rate }
  return { ...line, currency: currency as Currency, original }
}

/** `from`: the account that the gross amount leaves, if not that of the line's type. */
export type Settling = {
  state: Exclude<SettlementDifference['state'], 'open'>
  subject_id: string | null
  moved: string | null
  reason: string | null
  closed_through: string | null
  from?: LedgerAccount
  /** Beside the line's own entries. */
  more?: Entries
  /** The part of the movement that is given up: it counts as settled. */
  settles?: number
}

/**
 * Posts a line that differed, and settles its difference with the same change: so it is posted once. Null if another
 * change was first. Of a line that was converted, the half in the other currency is posted just before, under an id
 * of its own.
 */
export async function settleDifference(
  context: Writes,
  account: SettledAccount,
  before: SettlementDifference,
  stored: StoredLine | null,
  { state, subject_id, moved, reason, closed_through, from, more = {}, settles }: Settling,
): Promise<SettlementDifference | null> {
  const entries = new Map<string, Entries>()
  const of = (currency: string): Entries => {
    const its = entries.get(currency) ?? {}
    entries.set(currency, its)
    return its
  }
  const line = stored && settlementLineOf(stored)
  if (line) addEntries(of, line, from)
  const currency = before.currency ?? before.ours_currency
  if (currency !== null)
    for (const [name, amount] of Object.entries(more) as [LedgerAccount, number][]) of(currency)[name] = (of(currency)[name] ?? 0) + amount
  const now = context.now()
  const day = openDay(line?.booked_at ?? now, closed_through)
  for (const [other, sums] of entries)
    if (other !== currency) await postHalf(context, account, before, { currency: other, day, entries: withoutZeros(sums) })
  const own = currency === null ? {} : withoutZeros(entries.get(currency) ?? {})
  const figures = line && countsInFigures(line) ? line : null
  const after: SettlementDifference = {
    ...before,
    ...{
      state,
      subject_id: subject_id ?? before.subject_id,
      moved: moved ?? before.moved,
      reason,
      resolved_by: context.by,
      resolved_at: now,
    },
    ...{ day: Object.keys(own).length > 0 ? day : null },
    ...{ posted_gross: figures?.gross ?? null, posted_fee: figures?.fee ?? null, posted_net: figures?.net ?? null },
  }
  const rows: RowChange[] = []
  if (settles !== undefined) rows.push({ table: settlementLines.name, before: null, after: givenUpLine(after, settles) })
  const posted = stored && { ...stored, subject_id: subject_id ?? stored.subject_id, moved, posted_by: before.difference_id }
  const written = await context.commit(
    changeTo(context, settlementDifferences.name, { before, after }, state, {
      posts: currency === null ? undefined : posting(account, currency, own),
      rows: [...rows, ...(posted ? [{ table: settlementLines.name, before: stored, after: posted }] : [])],
    }),
  )
  return written.is === 'written' ? written.row : null
}

/** A line of no report, for the amount that people gave up: so the movement is settled. */
const givenUpLine = (
  { merchant_id, merchant_connector_id, difference_id, file_id, currency, ours_currency, subject_id, moved }: SettlementDifference,
  gross: number,
): StoredLine => ({
  ...{
    merchant_id,
    merchant_connector_id,
    identity: digestOf('given up', difference_id),
    n: 1,
    at: 0,
    chunk: 0,
    gross,
    fee: 0,
    net: gross,
  },
  ...{
    original_amount: null,
    booked_at: null,
    paid_at: null,
    file_id: file_id ?? '',
    type: 'adjustment',
    currency: currency ?? ours_currency!,
  },
  ...{ original_currency: null, rate: null, request_id: null, reference: difference_id, object_reference: null, payment_reference: null },
  ...{ batch: null, subject_id, moved, posted_by: difference_id, paid_by: null, description: null },
})

async function postHalf(
  context: Writes,
  account: SettledAccount,
  { difference_id, file_id }: SettlementDifference,
  { currency, day, entries }: { currency: string; day: string; entries: Record<string, number> },
): Promise<void> {
  const { merchant_id, merchant_connector_id, profile_id } = account
  const after = {
    ...{ merchant_id, settlement_id: derivedId('stl_', difference_id, currency), version: 1, profile_id, merchant_connector_id, currency },
    ...{ lines: 0, gross: 0, fee: 0, net: 0, created: context.now(), file_id, day },
  }
  await context.commit(
    changeTo(context, settlements.name, { before: null, after }, 'settled', { posts: posting(account, currency, entries) }),
  )
}

const PAGE = 1000
/** Causes that a later line, or what is known of a payment later, may settle. */
export const rematched: readonly Cause[] = ['missing_here', 'amount_differs', 'currency_differs', 'duplicate']
const openOnes = (name: string, causes: readonly Cause[]) =>
  statement(
    name,
    select(
      settlementDifferences,
      `where merchant_id = $1 and merchant_connector_id = $2 and state = 'open' and difference_id > $3
        and cause in (${causes.map(cause => `'${cause}'`).join(', ')}) order by difference_id limit ${PAGE}`,
    ),
  )
const openOfLines = openOnes('settlement_differences_to_match', rematched)
const openOfOurs = openOnes('settlement_differences_missing_there', ['missing_there'])
const byLines = statement(
  'settlement_lines_of_differences',
  `select ${settlementLines.names.map(name => `l.${name}`).join(', ')} from settlement_differences d
    join settlement_lines l on l.merchant_id = $1 and l.merchant_connector_id = d.merchant_connector_id and l.identity = d.identity and l.n = d.n
    where d.merchant_id = $1 and d.difference_id = any($2)`,
)
const left = statement(
  'settlement_left_of_objects',
  `select coalesce(json_agg(m), '[]') as found from (${movementsOf('unnest($3::text[]) i (object_id)')}) m where m.amount <> m.settled`,
)

const nameOf = ({ identity, n }: { identity: string | null; n: number | null }): string => `${identity} ${n}`

/** Gives the stored lines that differences are about, by the differences' ids. */
export async function linesOf(
  context: Reads,
  merchant_id: string,
  differences: readonly SettlementDifference[],
): Promise<Map<string, StoredLine>> {
  const ids = differences.flatMap(({ identity, difference_id }) => (identity === null ? [] : [difference_id]))
  const lines = ids.length === 0 ? [] : await context.query<StoredLine>(byLines, [merchant_id, ids])
  const byName = new Map(lines.map(line => [nameOf(line), line]))
  return new Map(differences.flatMap(one => (byName.has(nameOf(one)) ? [[one.difference_id, byName.get(nameOf(one))!] as const] : [])))
}

async function* pages(
  context: Reads,
  { merchant_id, merchant_connector_id }: SettledAccount,
  of: Statement,
): AsyncGenerator<SettlementDifference[]> {
  for (let after = ''; ; ) {
    const page = await context.query<SettlementDifference>(of, [merchant_id, merchant_connector_id, after])
    if (page.length === 0) return
    yield page
    after = page.at(-1)!.difference_id
  }
}

const differing = statement(
  'settlement_differing_movements',
  `select subject_id, moved from settlement_differences
    where merchant_id = $1 and merchant_connector_id = $2 and state = 'open' and cause <> 'missing_there' and subject_id = any($3) and moved is not null`,
)

/** Finds movements of which a report has a line that differs: such a movement is not missing in reports. */
async function differingMovements(
  context: Reads,
  { merchant_id, merchant_connector_id }: SettledAccount,
  objects: readonly string[],
): Promise<Set<string>> {
  const found = await context.query<{ subject_id: string; moved: string }>(differing, [merchant_id, merchant_connector_id, objects])
  return new Set(found.map(({ subject_id, moved }) => `${subject_id} ${moved}`))
}

/**
 * Matches lines that differed once more: with payments that are known by now, and with lines of other files of the
 * same movement. Closes what was missing there and is settled by now. Returns how many differences are over.
 */
export async function rematch(context: Writes, account: SettledAccount, closed_through: string | null): Promise<number> {
  let over = 0
  const matched = { state: 'matched', reason: null, closed_through } as const
  for await (const page of pages(context, account, openOfLines)) {
    const stored = await linesOf(context, account.merchant_id, page)
    const open = page.filter(({ difference_id }) => stored.has(difference_id))
    const lines = open.map(({ difference_id }) => settlementLineOf(stored.get(difference_id)!))
    const decisions = matchLines(lines, await readBooks(context, account, lines))
    for (const [i, decision] of decisions.entries()) {
      if (decision.is !== 'post') continue
      const { subject_id, moved } = decision
      const difference = open[i]!
      if (await settleDifference(context, account, difference, stored.get(difference.difference_id)!, { ...matched, subject_id, moved }))
        over++
    }
  }
  for await (const page of pages(context, account, openOfOurs)) {
    const { merchant_id, merchant_connector_id } = account
    const objects = page.flatMap(({ subject_id }) => subject_id ?? [])
    const [books] = await context.query<{ found: LedgerMovement[] }>(left, [merchant_id, merchant_connector_id, objects])
    const reported = await differingMovements(context, account, objects)
    const open = new Set(books!.found.map(one => `${one.object_id} ${one.moved}`).filter(name => !reported.has(name)))
    for (const one of page)
      if (
        !open.has(`${one.subject_id} ${one.moved}`) &&
        (await settleDifference(context, account, one, null, { ...matched, subject_id: null, moved: null }))
      )
        over++
  }
  return over
}

/** Makes a difference of each movement that no report has, though the processor has usually reported such by now. */
export async function findMissingThere(context: Writes, account: SettledAccount): Promise<number> {
  let written = 0
  for await (const page of overdue(context, account)) {
    const reported = await differingMovements(
      context,
      account,
      page.map(({ object_id }) => object_id),
    )
    for (const { object_id, moved, currency, amount, settled, since } of page) {
      if (reported.has(`${object_id} ${moved}`)) continue
      const ours = amount - settled
      const after = newDifference(account, {
        difference_id: derivedId('dif_', account.merchant_connector_id, 'missing there', object_id, moved, ours),
        ...{ cause: 'missing_there', created: context.now(), subject_id: object_id, moved, currency, ours, ours_currency: currency },
        booked_at: new Date(since).toISOString(),
      })
      if ((await context.commit(changeTo(context, settlementDifferences.name, { before: null, after }, 'found'))).is === 'written')
        written++
    }
  }
  return written
}

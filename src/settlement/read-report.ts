import { withoutCardNumbers } from '../base/card-number.ts'
import { statement } from '../database/statement.ts'
import { indexReferences, readBooks } from './books.ts'
import { isOurs } from './entries.ts'
import { Ordinals } from './identity.ts'
import type { Lease } from './lease.ts'
import type { SettlementLine, UnreadLine } from './line.ts'
import { type Books, lineNames, matchLines } from './match.ts'
import { identitiesOf, type KnownLine, type Placed, place } from './place.ts'
import { postChunks, type Writes } from './post.ts'
import { batchPartsOf, derivedId, differenceOfChange, differenceOfLine, differenceOfUnread, storedLine, sumsOf } from './rows.ts'
import type { Example, SettledAccount, SettlementCounts, SettlementDifference } from './tables.ts'
import { writeChunk } from './write.ts'

/** Lines that are matched, stored and posted together. */
const CHUNK = 4000
const MOST_EXAMPLES = 50
const LONGEST_TEXT = 500

const knownLines = statement(
  'settlement_lines_known',
  `select coalesce(json_agg(k), '[]') as known from (
    select identity, n, currency, gross, fee, net, batch, file_id from settlement_lines
      where merchant_id = $1 and merchant_connector_id = $2 and identity = any($3) order by identity, n) k`,
)
const lastChunk = statement(
  'settlement_last_chunk',
  `select greatest((select max(n) from settlement_chunks where merchant_id = $1 and file_id = $2),
    (select max(n) from settlement_batch_parts where merchant_id = $1 and file_id = $2 and merchant_connector_id = $3), 0)::int as n`,
)

type ReportLine = SettlementLine | UnreadLine
const isRead = (line: ReportLine): line is SettlementLine => !('problem' in line)

/** A line whose amounts cannot be right is not read either. */
function checked(line: ReportLine): ReportLine {
  if (!isRead(line)) return { ...line, text: withoutCardNumbers(line.text).slice(0, LONGEST_TEXT) }
  const { gross, fee, net, at } = line
  const problem = ![gross, fee, net].every(Number.isSafeInteger)
    ? 'an amount is too large'
    : net !== gross - fee
      ? 'net is not gross less fee'
      : null
  return problem === null ? line : { at, problem, text: [line.type, line.reference, line.currency, gross, fee, net].join(' ') }
}

async function* chunksOf(lines: AsyncIterable<ReportLine>): AsyncGenerator<ReportLine[], undefined> {
  let chunk: ReportLine[] = []
  for await (const line of lines) {
    chunk.push(checked(line))
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
  return undefined
}

type Reading = {
  context: Writes
  account: SettledAccount
  file_id: string
  lease: Lease
  /** Whether chunks are posted at once; otherwise the whole report first has to match. */
  posts: boolean
}

/** The state that one reading of a report keeps between its chunks. */
type State = { posting: Promise<void>; seen: Ordinals; n: number; indexed: boolean; counts: SettlementCounts; examples: Example[] }

/** References are made findable at the first line that would need it. */
async function booksOf({ context, account }: Reading, state: State, fresh: readonly SettlementLine[]): Promise<Books> {
  const books = await readBooks(context, account, fresh)
  const isUnknown = (line: SettlementLine) => isOurs(line) && lineNames(line).every(name => books.named(name).length === 0)
  if (state.indexed || !fresh.some(isUnknown)) return books
  state.indexed = true
  await indexReferences(context, account)
  return readBooks(context, account, fresh)
}

async function readChunk(reading: Reading, state: State, chunk: readonly ReportLine[]): Promise<void> {
  const { context, account, file_id, lease } = reading
  const { merchant_id, merchant_connector_id } = account
  const lines = chunk.filter(isRead)
  const unread = chunk.filter(line => 'problem' in line)
  const identities = identitiesOf(lines)
  const [stored] = await context.query<{ known: KnownLine[] }>(knownLines, [merchant_id, merchant_connector_id, identities])
  const { fresh, changed, paid, known } = place(lines, identities, stored!.known, file_id, state.seen)
  const freshLines = fresh.map(({ line }) => line)
  const decisions = matchLines(freshLines, await booksOf(reading, state, freshLines))
  const decided = fresh.map((one: Placed, i) => ({ ...one, decision: decisions[i]! }))

  const now = context.now()
  const n = ++state.n
  const of = { file_id, merchant_connector_id }
  const sums = sumsOf(decided, now, lease.closed_through)
  const differences: SettlementDifference[] = [
    ...decided.flatMap(one => differenceOfLine(account, file_id, one, now) ?? []),
    ...changed.map(one => differenceOfChange(account, file_id, one, now)),
    ...unread.map(one => differenceOfUnread(account, file_id, one, now)),
  ]
  await state.posting
  const causes = await writeChunk(context, { ...lease, ...of, merchant_id }, lease.until(), {
    lines: decided.map(one => storedLine(one, one.decision.is === 'post' ? n : 0, one.decision)),
    chunks: sums.map(sum => ({ ...sum, n, settlement_id: derivedId('stl_', file_id, n, sum.day, sum.currency), posted: false })),
    parts: batchPartsOf([...fresh, ...paid]).map(part => ({ ...part, n })),
    paid: paid.map(({ line, identity, n }) => ({ identity, n, batch: line.batch })),
    differences,
  })
  // The next chunk is matched while this one is posted.
  if (reading.posts) state.posting = postChunks(context, account, file_id)
  state.posting.catch(() => {})
  count(
    state,
    { lines: lines.length, known, unread: unread.length, matched: decided.filter(one => one.decision.is === 'post').length },
    causes,
  )
  for (const { cause, at, type, reference, currency, ours, theirs, text } of differences.slice(0, MOST_EXAMPLES - state.examples.length))
    state.examples.push({ cause, at, type, reference, currency, ours, theirs, text })
}

function count(
  { counts }: State,
  its: Pick<SettlementCounts, 'lines' | 'known' | 'unread' | 'matched'>,
  causes: Record<string, number>,
): void {
  for (const name of ['lines', 'known', 'unread', 'matched'] as const) counts[name] += its[name]
  for (const [cause, number] of Object.entries(causes) as [keyof SettlementCounts['causes'], number][]) {
    counts.causes[cause] = (counts.causes[cause] ?? 0) + number
    counts.open += number
  }
}

/**
 * Reads a report, a chunk at a time: new lines are matched, stored, and posted; those that were read before change
 * nothing. Of the report no more is in memory than two chunks and a count of its movements.
 */
export async function readReport(
  reading: Reading,
  lines: AsyncIterable<ReportLine>,
): Promise<{ counts: SettlementCounts; examples: Example[] }> {
  const { context, account, file_id } = reading
  const [last] = await context.query<{ n: number }>(lastChunk, [account.merchant_id, file_id, account.merchant_connector_id])
  const counts: SettlementCounts = { lines: 0, matched: 0, known: 0, open: 0, unread: 0, causes: {} }
  const state: State = { posting: Promise.resolve(), seen: new Ordinals(), n: last!.n, indexed: false, counts, examples: [] }
  const chunks = chunksOf(lines)
  try {
    let next = chunks.next()
    for (;;) {
      const { value } = await next
      if (value === undefined) break
      // The next chunk is read while the database works on this one.
      next = chunks.next()
      next.catch(() => {})
      await readChunk(reading, state, value)
    }
    await state.posting
    return { counts, examples: state.examples }
  } finally {
    await chunks.return(undefined)
  }
}

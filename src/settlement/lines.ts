import type { Reads } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type StoredLine, settlementLines } from './tables.ts'

const ofPayment = statement(
  'settlement_lines_of_payment',
  select(settlementLines, 'where merchant_id = $1 and subject_id = $2 order by booked_at, identity, n limit 1000'),
)
const ofFile = statement(
  'settlement_lines_of_file',
  select(settlementLines, 'where merchant_id = $1 and file_id = $2 and at > $3 order by at limit $4'),
)

type Settled = { currency: string; gross: number; fee: number; net: number }

/** Finds the settlement of a payment or payout, line by line and by currency: posted lines count. */
export async function linesOfPayment(
  context: Reads,
  merchant_id: string,
  payment_id: string,
): Promise<{ lines: StoredLine[]; settled: Settled[] }> {
  const lines = await context.query<StoredLine>(ofPayment, [merchant_id, payment_id])
  const sums = new Map<string, Settled>()
  for (const { currency, gross, fee, net, chunk, posted_by } of lines) {
    if (chunk === 0 && posted_by === null) continue
    const sum = sums.get(currency) ?? { currency, gross: 0, fee: 0, net: 0 }
    sums.set(currency, { currency, gross: sum.gross + gross, fee: sum.fee + fee, net: sum.net + net })
  }
  return { lines, settled: [...sums.values()] }
}

const AT_ONCE = 2000

/** Gives the lines that a file was the first to have, in its order, in pages. Several lines may be of one row. */
export async function* linesOfFile(context: Reads, merchant_id: string, file_id: string): AsyncGenerator<StoredLine[]> {
  for (let after = -1; ; ) {
    const page = await context.query<StoredLine>(ofFile, [merchant_id, file_id, after, AT_ONCE])
    const last = page.at(-1)?.at
    // The lines of the last row may go on: they begin the next page.
    const whole = page.length < AT_ONCE || page[0]!.at === last ? page : page.filter(({ at }) => at !== last)
    yield whole
    if (page.length < AT_ONCE) return
    after = whole.at(-1)!.at
  }
}

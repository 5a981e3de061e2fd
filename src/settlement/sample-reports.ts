import { type Currency, currencies } from '../base/currencies.ts'
import { firstEventId } from '../base/id.ts'
import { decimalOf } from '../base/money.ts'
import { DAY_MS, dayOf, later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { accountsOf } from './account.ts'
import { takeBankStatement } from './bank.ts'
import { listProcessorPayouts } from './batches.ts'
import { openFile } from './files.ts'
import { digestOf } from './identity.ts'
import type { SettlementLine, SettlementType } from './line.ts'
import type { LedgerMovement } from './match.ts'
import { moveFileOn, nothingDue } from './post.ts'
import type { SettledAccount, SettlementBatch } from './tables.ts'
import { takeReport } from './take-report.ts'
import { type Unsettled, unsettled } from './unsettled.ts'
import { AccountTaken } from './write.ts'

/** Reports and a bank statement for sample data: of what has moved at the sandbox, with a few differences. */

/** Payments are dated at most so many days back. */
const WINDOW_DAYS = 91
/** The last days are in no report yet. */
const YOUNGEST_MS = 2 * DAY_MS
/** The processor pays out each week, this long after its end. */
const WEEK_MS = 7 * DAY_MS
const PAID_AFTER_MS = DAY_MS
/** The share of a sale that is kept, and what is kept of each sale in hundredths of a major unit. */
const RATE = 0.014
const EACH = 20

const types: Readonly<Record<LedgerMovement['class'], [arrives: SettlementType, leaves: SettlementType]>> = {
  sale: ['charge', 'charge'],
  refund: ['refund_failure', 'refund'],
  dispute: ['chargeback_reversal', 'chargeback'],
  transfer: ['transfer_failure', 'transfer'],
}

const feeOf = (amount: number, currency: Currency): number => Math.round(amount * RATE + (EACH / 100) * 10 ** currencies[currency])

function lineOf({ class: of, moved, amount, settled, currency: code, since }: Unsettled, at: number, now: Time): SettlementLine {
  const currency = code as Currency
  const gross = amount - settled
  const [arrives, leaves] = types[of]
  const fee = of === 'sale' ? feeOf(gross, currency) : 0
  const booked_at = later(new Date(since).toISOString() as Time, DAY_MS)
  const week = Math.floor(Date.parse(booked_at) / WEEK_MS)
  const paid_at = later(new Date((week + 1) * WEEK_MS).toISOString() as Time, PAID_AFTER_MS)
  return {
    ...{ at, type: gross > 0 ? arrives : leaves, currency, gross, fee, net: gross - fee },
    ...{ request_id: of === 'dispute' ? null : moved, reference: `txn_${digestOf(moved, gross)}` },
    ...{ object_reference: of === 'dispute' ? moved : null, payment_reference: null },
    batch: `po_${week}_${code.toLowerCase()}`,
    paid_at: paid_at < now ? paid_at : null,
    ...{ original: null, booked_at, description: null },
  }
}

/** Of sixty sales one is a little less, and one is in no report. */
function withDifferences(lines: readonly SettlementLine[]): SettlementLine[] {
  let sale = 0
  return lines.flatMap(line => {
    if (line.type !== 'charge') return [line]
    const place = sale++ % 60
    if (place === 40) return []
    const less = place === 20 && line.gross > 1000 ? 45 : 0
    return [{ ...line, gross: line.gross - less, net: line.net - less }]
  })
}

/** A payment that was taken in the processor's own pages. */
const unknownHere = (last: SettlementLine): SettlementLine => ({
  ...last,
  ...{ at: last.at + 1, type: 'charge', gross: 4400, fee: 82, net: 4318 },
  ...{ request_id: 'invoice-1207', reference: 'txn_by_hand', object_reference: null },
})

async function linesOf(context: Context, account: SettledAccount): Promise<SettlementLine[]> {
  const now = context.now()
  const from = firstEventId(later(now, -WINDOW_DAYS * DAY_MS))
  const found: Unsettled[] = []
  for await (const page of unsettled(context, account, { from, until: later(now, -YOUNGEST_MS) })) found.push(...page.found)
  const lines = found.map((movement, n) => lineOf(movement, n + 2, now)).sort((a, b) => (a.booked_at! < b.booked_at! ? -1 : 1))
  const euro = lines.findLast(({ currency, type }) => currency === 'EUR' && type === 'charge')
  return [...withDifferences(lines), ...(euro ? [unknownHere(euro)] : [])]
}

async function* given<T>(all: Iterable<T>): AsyncGenerator<T> {
  yield* all
}

/** Writes a statement of the bank: of six payouts one has not arrived yet. */
function statementOf(payouts: readonly SettlementBatch[]): string {
  const rows = payouts
    .filter(({ in_transit, banked, paid_at }, n) => in_transit !== banked && paid_at !== null && n % 6 !== 2)
    .map(({ batch, currency, in_transit, banked, paid_at }) =>
      [dayOf(later(paid_at!, DAY_MS)), decimalOf(in_transit - banked, currency), currency, `Settlement ${batch}`].join(','),
    )
  return `${['date,amount,currency,text', ...rows].join('\n')}\n`
}

const MOST_PAYOUTS = 1000

/** Has a report of each account taken that sample payments were made at, and a statement of the bank. */
export async function settleSampleData(context: Context, merchant_id: string): Promise<void> {
  const { by } = context
  const month = context.now().slice(0, 7)
  const opened = (account: SettledAccount | null, name: string) =>
    openFile(context, merchant_id, account, { name, mode: 'what matches', reader: null, columns: null, by }, 'waiting')
  for (const account of await accountsOf(context, merchant_id, null)) {
    const lines = await linesOf(context, account)
    if (lines.length === 0) continue
    const file = await opened(account, `${account.connector_name}-settlement-${month}.csv`)
    try {
      await takeReport(context, account, file, 'sample', given(lines))
    } catch (error) {
      // The account is looked at just now. What is not settled yet is in the report of the next sample data.
      if (!(error instanceof AccountTaken)) throw error
      await moveFileOn(
        context,
        file,
        { state: 'discarded', problem: error.message, finished_at: context.now(), ...nothingDue },
        'discarded',
      )
    }
  }
  const payouts = await listProcessorPayouts(context, merchant_id, { limit: MOST_PAYOUTS }, null)
  if (payouts.length > 0)
    await takeBankStatement(context, await opened(null, `bank-statement-${month}.csv`), given([Buffer.from(statementOf(payouts))]))
}

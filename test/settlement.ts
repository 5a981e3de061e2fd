import { deepEqual } from 'node:assert/strict'
import type { Currency } from '../src/base/currencies.ts'
import { openRandomBytes } from '../src/base/random.ts'
import { prove } from '../src/ledger/prove.ts'
import { needAccount } from '../src/settlement/account.ts'
import { openFile } from '../src/settlement/files.ts'
import type { SettlementLine, UnreadLine } from '../src/settlement/line.ts'
import type { Mode, SettledAccount, SettlementDifference, SettlementFile } from '../src/settlement/tables.ts'
import { takeReport } from '../src/settlement/take-report.ts'
import { settlementFile } from './settlement-file.ts'
import type { Body, Shop } from './shop.ts'

/** Reports of a shop's processor, and what they make of the shop's books. */

const blank: SettlementLine = {
  ...{ at: 0, type: 'charge', request_id: null, reference: null, object_reference: null, payment_reference: null, batch: null },
  ...{ currency: 'USD', gross: 0, fee: 0, net: 0, original: null, booked_at: null, paid_at: null, description: null },
}

/** Makes a line; `net` follows from gross and fee. */
export function line(its: Partial<SettlementLine>): SettlementLine {
  const all = { ...blank, ...its }
  return { ...all, net: all.gross - all.fee }
}

/** Gives what the sandbox settles with a shop, as a reader would: each movement by its own id and our request id. */
export async function settledLines(shop: Shop, booked_at: string | null = null): Promise<SettlementLine[]> {
  const [, ...rows] = (await settlementFile(shop)).trim().split('\n')
  return rows.map((row, i) => {
    const [transaction, merchant_reference, kind, currency, gross, fee] = row.split(',')
    return line({
      ...{ at: i + 2, type: Number(gross) < 0 ? 'refund' : 'charge', request_id: merchant_reference! },
      ...{ reference: `${transaction}_${kind}`, currency: currency as Currency, gross: Number(gross), fee: Number(fee), booked_at },
    })
  })
}

const accountOf = ({ service, merchant_id, merchant_connector_id }: Shop): Promise<SettledAccount> =>
  needAccount(service.context, merchant_id, merchant_connector_id)

async function* given(lines: readonly (SettlementLine | UnreadLine)[]): AsyncGenerator<SettlementLine | UnreadLine> {
  yield* lines
}

/** Has a report taken as it arrives, as a job or the command does. */
export async function takeLines(
  shop: Shop,
  lines: AsyncIterable<SettlementLine | UnreadLine>,
  mode: Mode = 'what matches',
): Promise<SettlementFile> {
  const context = { ...shop.service.context, random: openRandomBytes(), by: 'operator' }
  const account = await accountOf(shop)
  const of = { name: null, mode, reader: null, columns: null, by: 'operator' }
  return takeReport(context, account, await openFile(context, shop.merchant_id, account, of, 'waiting'), 'test', lines)
}

/** Has a report of these lines taken. */
export const take = (shop: Shop, lines: readonly (SettlementLine | UnreadLine)[], mode?: Mode): Promise<SettlementFile> =>
  takeLines(shop, given(lines), mode)

export const differencesOf = (shop: Shop): Promise<SettlementDifference[]> =>
  shop.query('select * from settlement_differences where merchant_id = $1 order by created, at', [shop.merchant_id]) as Promise<
    SettlementDifference[]
  >

/** Gives what is on the ledger's accounts of a shop, over all currencies; accounts without a balance are left out. */
export async function balances(shop: Shop): Promise<Record<string, number>> {
  const { body } = await shop.call('GET', '/ledger/balances')
  const sums: Record<string, number> = {}
  for (const { account, balance } of body.data as { account: string; balance: number }[]) sums[account] = (sums[account] ?? 0) + balance
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

/**
 * Proves the books of a shop; and what processors owe, by account and currency, is what the ledger has at them.
 */
export async function proven(shop: Shop): Promise<void> {
  deepEqual(await prove(shop.service.context, shop.merchant_id), [])
  const { data: owing } = (await shop.call('GET', '/reconciliation/ageing')).body as { data: Body[] }
  const owed = owing.flatMap(({ merchant_connector_id, owed }) =>
    owed.map(({ currency, amount }: Body) => [merchant_connector_id, currency, amount]),
  )
  const { data: kept } = (await shop.call('GET', '/ledger/balances?account=processor')).body as { data: Body[] }
  const there = kept.map(({ merchant_connector_id, currency, balance }) => [merchant_connector_id, currency, balance])
  const inOrder = (amounts: unknown[][]) =>
    amounts
      .filter(([, , amount]) => amount !== 0)
      .map(one => one.join(' '))
      .sort()
  deepEqual(inOrder(owed), inOrder(there))
}

export const filesOf = async (shop: Shop): Promise<Body[]> => (await shop.call('GET', '/reconciliation/files?limit=100')).body.data

/** Lets days pass, in steps in which a processor makes a report that was asked for, until what was fetched is read. */
export async function letDaysPass(shop: Shop, days: number): Promise<void> {
  for (let day = 0; day < days; day++) for (const step of ['23 hours', '10 minutes', '50 minutes']) await shop.wait(step)
  // Reports of an account are read one after the other: one that finds it taken looks again after two seconds.
  for (let i = 0; i < 30 && (await filesOf(shop)).some(({ state }) => state === 'waiting'); i++) await shop.wait('3 seconds')
}

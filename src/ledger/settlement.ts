import { createHash } from 'node:crypto'
import { currencies, isCurrency } from '../base/currencies.ts'
import { faultsOfLines, readRows } from '../base/read-csv.ts'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { type Settlement, settlements } from '../database/ledger.ts'

/** `gross`: what the processor owes the merchant, negative for a refund; `net` is `gross` less `fee`. */
export type SettledLine = {
  request_id: string | null
  reference: string | null
  currency: string
  gross: number
  fee: number
  net: number
  at: number
}

/** The titles of the columns. `amounts`: in the lowest denomination (`minor`), or with decimals (`major`). */
export type SettlementColumns = Record<'request_id' | 'reference' | 'currency' | 'gross' | 'fee' | 'net', string> & {
  amounts: 'major' | 'minor'
}

export const usualColumns: SettlementColumns = {
  request_id: 'request_id',
  reference: 'reference',
  currency: 'currency',
  gross: 'gross',
  fee: 'fee',
  net: 'net',
  amounts: 'major',
}
const names = ['request_id', 'reference', 'currency', 'gross', 'fee', 'net'] as const

/**
 * CSV (RFC 4180) whose titles `columns` names: currency, gross, and request_id (ours) or reference (the processor's)
 * or both; a missing fee is zero, a missing net gross less fee. Throws with line numbers if a line cannot be read or
 * does not add up: no file is posted in part.
 */
export async function readSettlement(text: string, columns: SettlementColumns = usualColumns): Promise<SettledLine[]> {
  const rows = readRows(text)
  const titles = (await rows.next()).value?.fields ?? []
  const at = Object.fromEntries(names.map(name => [name, titles.indexOf(columns[name])])) as Record<(typeof names)[number], number>
  for (const name of ['currency', 'gross'] as const) if (at[name] < 0) throw new Error(`the file has no column ${columns[name]}`)
  if (at.request_id < 0 && at.reference < 0) throw new Error(`the file has no column ${columns.request_id}, nor ${columns.reference}`)
  const faults: string[] = []
  const read: SettledLine[] = []
  for await (const { fields, at: number } of rows) {
    const value = (name: (typeof names)[number]) => fields[at[name]] || null
    const currency = value('currency')?.toUpperCase() ?? ''
    const minor = (name: 'gross' | 'fee' | 'net') => (value(name) === null ? null : amountOf(value(name)!, currency, columns.amounts))
    const [gross, fee, net] = [minor('gross'), minor('fee') ?? 0, minor('net')]
    const fault = !isCurrency(currency)
      ? `${currency || 'an empty value'} is not a currency`
      : gross === null || [gross, fee, net].some(Number.isNaN)
        ? `an amount is not valid in ${currency}`
        : net !== null && net !== gross - fee
          ? 'net must be gross minus fee'
          : value('request_id') === null && value('reference') === null
            ? 'has neither request_id nor reference'
            : null
    if (fault !== null) faults.push(`line ${number}: ${fault}`)
    read.push({
      request_id: value('request_id'),
      reference: value('reference'),
      currency,
      gross: gross ?? 0,
      fee,
      net: (gross ?? 0) - fee,
      at: number,
    })
  }
  if (faults.length > 0) throw new Error(faultsOfLines(faults))
  return read
}

/** In the lowest denomination; NaN if the text is no amount: amounts are never rounded. */
function amountOf(written: string, currency: string, amounts: 'major' | 'minor'): number {
  const [, sign = '', whole = '', rest = ''] = written.match(/^([+-]?)(\d{1,15})(?:\.(\d{1,6}))?$/) ?? []
  if (whole === '') return Number.NaN
  const decimals = amounts === 'minor' || !isCurrency(currency) ? 0 : currencies[currency]
  if (/[1-9]/.test(rest.slice(decimals))) return Number.NaN
  const amount = Number(whole + rest.slice(0, decimals).padEnd(decimals, '0'))
  if (!Number.isSafeInteger(amount)) return Number.NaN
  return sign === '-' && amount !== 0 ? -amount : amount
}

type Account = { merchant_id: string; profile_id: string; merchant_connector_id: string }

/**
 * The processor no longer owes what it paid to the merchant's bank, and what it kept are fees. A file is posted once,
 * however often it is submitted. Returns the settlements posted now, by currency.
 */
export async function postSettlement(
  context: Pick<Context, 'commit' | 'now' | 'by'>,
  account: Account,
  file: string,
  lines: readonly SettledLine[],
): Promise<Settlement[]> {
  const posted: Settlement[] = []
  for (const [currency, settled] of Map.groupBy(lines, line => line.currency)) {
    const sum = (name: 'gross' | 'fee' | 'net') => settled.reduce((total, line) => total + line[name], 0)
    const [gross, fee, net] = [sum('gross'), sum('fee'), sum('net')]
    const digest = createHash('sha256').update(`${account.merchant_connector_id} ${currency}\n${file}`).digest('hex')
    const after: Settlement = {
      ...account,
      settlement_id: `stl_${digest.slice(0, 26)}`,
      version: 1,
      currency,
      lines: settled.length,
      gross,
      fee,
      net,
      created: context.now(),
      file_id: null,
      day: null,
    }
    const { profile_id, merchant_connector_id } = account
    const entries = { processor: -gross, ...(net !== 0 && { bank: net }), ...(fee !== 0 && { fees: fee }) }
    const posts = { request_id: null, profile_id, merchant_connector_id, currency, entries }
    const written = await context.commit(changeTo(context, settlements.name, { before: null, after }, 'settled', { posts }))
    if (written.is === 'written') posted.push(written.row)
  }
  return posted
}

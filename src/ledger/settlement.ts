import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { type Settlement, settlements } from '../database/ledger.ts'
import type { SettledLine } from './read-settlement.ts'

type Account = { merchant_id: string; profile_id: string; merchant_connector_id: string }

/**
 * The processor no longer owes what it has paid to the merchant's bank, and what it kept are fees. The same file is
 * posted once, however often it is submitted. Returns the settlements posted now, by currency.
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
    }
    const { profile_id, merchant_connector_id } = account
    const entries = { processor: -gross, ...(net !== 0 && { bank: net }), ...(fee !== 0 && { fees: fee }) }
    const posts = { request_id: null, profile_id, merchant_connector_id, currency, entries }
    const written = await context.commit(changeTo(context, settlements.name, { before: null, after }, 'settled', { posts }))
    if (written.is === 'written') posted.push(written.row)
  }
  return posted
}

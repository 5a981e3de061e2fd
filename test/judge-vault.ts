import { REFERENCE } from '../src/vault/sealed.ts'

/** Runs a query on one of the two databases. */
export type JudgeQuery = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>

/**
 * Returns errors unless the service's rows and the vault agree: each reference in a row has its card number in the
 * vault, and each card number in the vault has a row. No security codes and no orphaned records may be left.
 */
export async function judgeVault(ours: JudgeQuery, vaultQuery: JudgeQuery): Promise<string[]> {
  const records = 'select merchant_id, record, sealed from vault_records'
  const kept = new Set((await vaultQuery(records, [])).map(({ merchant_id, record }) => `${merchant_id} ${record}`))
  const waiting = await vaultQuery('select merchant_id, payment_id from waiting_cvcs', [])
  const orphans = await ours('select merchant_id, record, forget_at from orphaned_records', [])
  const found: string[] = []
  const referred = new Set<string>()
  for (const { merchant_id, record, sealed } of await ours(records, [])) {
    const reference = sealed as Buffer
    const name = `${merchant_id} ${record} ${reference.subarray(-HANDLE).toString('hex')}`
    referred.add(name)
    if (reference[0] !== REFERENCE) found.push(`a number stands in our own row: ${merchant_id} ${record}`)
    else if (!kept.has(name)) found.push(`a number is lost: the vault has no ${name}`)
  }
  for (const name of kept) if (!referred.has(name)) found.push(`a number is left over in the vault: ${name}`)
  for (const { payment_id } of waiting) found.push(`a security code is left over in the vault: ${payment_id}`)
  for (const { record, forget_at } of orphans) found.push(`${record} should have been forgotten at ${forget_at}`)
  return found
}

/** The length in bytes of the handle at the end of a reference (`src/vault/split.ts`). */
const HANDLE = 16

import { scheduledJob } from '../database/due.ts'
import { orphanJobs } from './orphans.ts'
import type { SplitVault } from './split.ts'

/**
 * What falls due of the vault, with what is then done about it. `splitVault`: null where card numbers are sealed in
 * our own rows.
 */
export const vaultJobs = {
  orphan: scheduledJob(orphanJobs, async ({ splitVault }: { splitVault: SplitVault | null }, alarm) => splitVault?.forgetOrphan(alarm)),
}

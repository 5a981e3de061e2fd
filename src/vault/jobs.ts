import { scheduledJob } from '../database/due.ts'
import { orphanJobs } from './orphans.ts'
import type { SplitVault } from './split.ts'

/** `splitVault`: null if card numbers are sealed in our own rows. */
export const vaultJobs = {
  orphan: scheduledJob(orphanJobs, async ({ splitVault }: { splitVault: SplitVault | null }, job) => splitVault?.forgetOrphan(job)),
}

import { scheduledJob } from '../database/due.ts'
import { leftoverAlarms } from './leftovers.ts'
import type { SplitVault } from './split.ts'

/**
 * What falls due of the vault, with what is then done about it. `splitVault`: null where card numbers are sealed in
 * our own rows.
 */
export const vaultJobs = {
  leftover: scheduledJob(leftoverAlarms, async ({ splitVault }: { splitVault: SplitVault | null }, alarm) =>
    splitVault?.forgetLeftover(alarm),
  ),
}

import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { houses } from './stage.ts'
import { storm } from './storm.ts'

/**
 * STORM_HOUSES=all runs the storm at every processor at once, as in CI; otherwise only at the sandbox's own, which is
 * quicker (decision 0167).
 */
const { STORM_HOUSES = '', STORM_MINUTES = '1', STORM_SEED = String(Date.now() % 1_000_000) } = process.env

test(`a storm of ${STORM_MINUTES} minutes: whatever died, every operation, charge, refund, event and answer agrees with the processor's ledger`, async t => {
  const said: string[] = []
  const found = await storm(
    { minutes: Number(STORM_MINUTES), seed: Number(STORM_SEED), say: words => said.push(words) },
    STORM_HOUSES === 'all' ? houses : [],
  )
  // The first line names the seed, the last ones the totals; the lines in between matter only if something differs.
  for (const words of found.length > 0 ? said : [said[0]!, ...said.slice(-8)]) t.diagnostic(words)
  deepEqual(found, [])
})

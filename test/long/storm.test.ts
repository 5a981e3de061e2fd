import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { isSample, seed } from '../sample.ts'
import { storm, wholeStage } from './storm.ts'

/**
 * STORM=whole runs the storm at every processor at once, with each role twice and the vault apart, as in a sample;
 * otherwise at the sandbox's own processor, with two services that have all roles, which is quicker.
 */
const { STORM = isSample ? 'whole' : '', STORM_MINUTES = isSample ? '2' : '1', STORM_SEED = seed } = process.env

test(`${STORM_MINUTES} minutes of load with random crashes: every operation, event and response agrees with the ledger of the processor`, async t => {
  const lines: string[] = []
  const found = await storm(
    { minutes: Number(STORM_MINUTES), seed: Number(STORM_SEED), say: text => lines.push(text) },
    STORM === 'whole' ? wholeStage : {},
  )
  // The first line names the seed, the last ones the totals; the lines in between matter only if something differs.
  for (const line of found.length > 0 ? lines : [lines[0]!, ...lines.slice(-8)]) t.diagnostic(line)
  deepEqual(found, [])
})

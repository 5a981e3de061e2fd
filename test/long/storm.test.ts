import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { isSample, seed } from '../sample.ts'
import { storm, wholeStage } from './storm.ts'

/**
 * A sample, and a run with `--storm whole`, is a storm at every processor at once, with each role twice and the vault
 * apart; otherwise it is one at the sandbox's own processor, with two services that have all roles, which is quicker.
 */
const { STORM = isSample ? 'whole' : '', MINUTES = isSample ? '2' : '1' } = process.env

test(`${MINUTES} minutes of load with random crashes: every operation, event and response agrees with the ledger of the processor`, async t => {
  const lines: string[] = []
  const found = await storm(
    { minutes: Number(MINUTES), seed: Number(seed), say: text => lines.push(text) },
    STORM === 'whole' ? wholeStage : {},
  )
  // The first line names the seed, the last ones the totals; the lines in between matter only if something differs.
  for (const line of found.length > 0 ? lines : [lines[0]!, ...lines.slice(-8)]) t.diagnostic(line)
  deepEqual(found, [])
})

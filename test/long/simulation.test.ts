import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isSample, sampleOf, seed } from '../sample.ts'
import { huntAll, MOST_RUNS } from '../simulation/hunt.ts'
import { mutants } from '../simulation/mutants.ts'
import { runOne } from '../simulation/runs.ts'

/**
 * Runs the whole service in one process, on virtual time (docs/design/simulation-and-storm.md). `--count`
 * sets the number of seeds, `--seed` the first of them, the same in each whole run; a sample takes others
 * (`test/sample.ts`), as `npm run simulate` does. `--mutants all` hunts all known mistakes instead of three.
 */

const { COUNT = isSample ? '2' : '6', SEED = isSample ? seed : '1', MUTANTS = '' } = process.env

test('two simulations with the same seed are identical, message by message', { timeout: 600_000 }, async () => {
  const short = ['--seed', '3', '--seconds', '6', '--clients', '3']
  const [first, second] = [await runOne(short), await runOne(short)]
  deepEqual(first.found, [])
  equal(second.fingerprint, first.fingerprint)
  const other = await runOne(['--seed', '4', '--seconds', '6', '--clients', '3'])
  ok(other.fingerprint !== first.fingerprint)
})

test(`${COUNT} seeds: every operation agrees with the ledger of the processor, under random faults and crashes`, {
  timeout: 3_600_000,
}, async t => {
  t.diagnostic(`--seed ${SEED}`)
  for (let i = 0; i < Number(COUNT); i++) {
    // Every second simulation runs at all processors.
    const asked = ['--seed', String(Number(SEED) + i), ...(i % 2 === 1 ? ['--everywhere'] : [])]
    deepEqual((await runOne(asked)).found, [], `npm run simulate -- ${asked.join(' ')}`)
  }
})

test('the simulation finds known bugs', { timeout: 1_800_000 }, async t => {
  const common = mutants.filter(({ isRare }) => !isRare)
  const among = isSample ? sampleOf(common, Math.ceil(common.length / 2)) : common.slice(0, MUTANTS === 'all' ? undefined : 3)
  const all = await huntAll(
    among.map(({ name }) => name),
    MOST_RUNS,
    ({ name, ms, runs }) => t.diagnostic(`${(ms / 1000).toFixed(0)} s, ${runs} runs: ${name}`),
  )
  deepEqual(
    all.filter(({ by }) => by === null).map(({ name }) => name),
    [],
  )
})

import { parseArgs } from 'node:util'
import type { Weather } from '../test/long/disruptions.ts'
import type { StageDatabase, StageOn } from '../test/long/stage.ts'
import { stormAt } from '../test/long/storm.ts'
import { Cluster } from './cluster.ts'
import { type Failure, failures, taken } from './failures.ts'
import { openProbes } from './probes.ts'

/**
 * High availability on real parts: the storm's clients pay at two services on a cluster of three PostgreSQL, whose
 * primary is killed, frozen, cut off and switched over, again and again. Then every row is compared with the
 * processor's books and with every answer that was received: no acknowledged payment may be lost, and none may exist
 * twice.
 *
 *   npm run ha -- --times 100 --seed 7
 */

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '9' },
    only: { type: 'string', default: '' },
  },
})
const times = Number(values.times)
const chosen = failures.filter(({ name }) => name.includes(values.only))
if (chosen.length === 0) throw new Error(`--only ${values.only}: there are ${failures.map(({ name }) => `"${name}"`).join(', ')}`)
/** The rest before and after each failure, in milliseconds, so that each failure is measured alone. */
const REST_MS = 3000

const gaps = new Map<Failure, number[]>(failures.map(one => [one, []]))
const found: string[] = []

/** Causes every failure that `--only` names in turn, `times` times in total. */
const failing =
  (cluster: Cluster) =>
  async (stage: StageOn<StageDatabase>, { say, dice: diceOf }: Weather): Promise<void> => {
    const dice = diceOf('the primary')
    const probes = openProbes(stage.shops[0]!)
    const rest = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
    for (let i = 0; i < times; i++) {
      await cluster.whole()
      await rest(REST_MS + dice.between(0, 1000))
      const failure = chosen[i % chosen.length]!
      const primary = await cluster.primary()
      const begun = performance.now()
      await failure.strike(cluster, primary)
      await taken(cluster, primary)
      await rest(REST_MS)
      const gap = probes.longestGap(begun)
      gaps.get(failure)!.push(gap)
      say(`${i + 1}: ${failure.name} (node ${primary}): ${(gap / 1000).toFixed(1)} s without an acknowledged payment`)
      failure.heal(cluster, primary)
    }
    await cluster.whole()
    await probes.close()
    const ids = [...probes.acknowledged]
    const kept = await stage.query("select payment_id from payments where payment_id = any($1) and status = 'succeeded'", [ids])
    say(`${ids.length} payments were acknowledged to those who ask once; ${kept.length} are there`)
    if (kept.length !== ids.length) found.push(`${ids.length - kept.length} acknowledged payments are lost`)
  }

const say = (message: string) => void process.stdout.write(`${message}\n`)
const cluster = await Cluster.open(say)
const database = { url: cluster.url, folder: cluster.folder, thaw: () => {}, drop: () => cluster.close() }
found.push(
  ...(await stormAt(
    { minutes: 24 * 60, seed: Number(values.seed), clients: Number(values.clients), say },
    { openDatabase: async () => database, disrupt: failing(cluster), connectors: [] },
  )),
)
say('\nseconds without an acknowledged payment, each time the longest:')
for (const [{ name, within }, all] of gaps) {
  const sorted = all.toSorted((a, b) => a - b).map(ms => ms / 1000)
  if (sorted.length === 0) continue
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1)
  const late = all.filter(ms => ms > within).length
  say(
    `${name.padEnd(30)} ${String(all.length).padStart(3)} times  p50 ${at(0.5)}  p90 ${at(0.9)}  most ${at(1)}  (wanted: ${within / 1000}; ${late} later)`,
  )
}
for (const fault of found.slice(0, 20)) say(fault.slice(0, 2000))
say(found.length === 0 ? '1 passed, 0 failed' : `0 passed, ${found.length} failed`)
process.exit(found.length === 0 ? 0 : 1)

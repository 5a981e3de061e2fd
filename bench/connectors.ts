// The cost of a payment for the service at each connector. All connectors are answered as the sandbox would answer
// (`recorder.ts`): `node launch/run.mjs bench/connectors.ts`. Measures, and asserts nothing about time.
//
// The connectors take turns, round by round, so that other work of the machine affects all of them. Figures are
// medians of the rounds, in processor time of the service.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectors } from '../src/connectors/all.ts'
import { purchase } from './body.ts'
import { countSucceeded } from './counters.ts'
import { watch } from './cpu.ts'
import { median, table, whole } from './figures.ts'
import { openMerchant } from './merchant.ts'
import { ADMIN_KEY, openStage } from './stage.ts'
import { findTool } from './tools.ts'
import { load } from './wrk.ts'

const ROUNDS = 5
const CLIENTS = 16
const SECONDS = 4
const FIRST = 'phonypay'

const wrk = findTool('wrk')
if (!wrk) throw new Error('wrk is not installed. On Debian: apt install wrk')
const stage = await openStage({ sandbox: true })
const end = () => stage.close().finally(() => process.exit(130))
process.on('SIGINT', end).on('SIGTERM', end)
try {
  const body = join(stage.folder, 'purchase.json')
  writeFileSync(body, JSON.stringify({ ...purchase, confirm: true }))
  const names = [FIRST, ...Object.keys(connectors).filter(name => name !== FIRST)]
  const keys = new Map<string, string>()
  for (const name of names) keys.set(name, await openMerchant(stage.url, ADMIN_KEY, `at_${name}`, name))
  const figures = new Map(names.map(name => [name, { us: [] as number[], perSecond: [] as number[] }]))
  const pay = async (name: string, seconds: number) => {
    const before = await countSucceeded(stage.database)
    const done = watch({ service: stage.service.pid, postgres: stage.postgres.pid, processor: stage.processor.pid, load: null })
    const loaded = await load({ wrk, url: stage.url, script: 'pay.lua', args: [keys.get(name)!, body], clients: CLIENTS, seconds })
    const used = done()
    const paid = (await countSucceeded(stage.database)) - before
    if (loaded.failures !== '' || paid < loaded.requests)
      throw new Error(`${name}: ${loaded.requests} requests were answered, but ${paid} payments succeeded; ${loaded.failures}`)
    return { us: (used.service * 1e6) / paid, perSecond: paid / loaded.seconds }
  }
  for (const name of names) await pay(name, 2)
  for (let round = 0; round < ROUNDS; round++)
    for (const name of names) {
      const { us, perSecond } = await pay(name, SECONDS)
      figures.get(name)!.us.push(us)
      figures.get(name)!.perSecond.push(perSecond)
    }
  const first = median(figures.get(FIRST)!.us)
  const rows = names.map(name => {
    const us = median(figures.get(name)!.us)
    return [name, whole(us), `${(us / first).toFixed(2)}x`, whole(median(figures.get(name)!.perSecond))]
  })
  process.stdout.write(`${table([['', 'µs of the service', `of ${FIRST}`, 'a second'], ...rows])}\n`)
} finally {
  await stage.close()
}

// One run of pgbench. New connections plan every statement anew, so the first seconds are not counted, as with the
// service.
import { type Used, watch } from './cpu.ts'
import type { Script } from './pgbench-script.ts'
import { call } from './tools.ts'

export type PgbenchPlan = {
  pgbench: string
  socketDir: string
  port: number
  user: string
  database: string
  file: string
  script: Script
  clients: number
  /** The whole seconds of the warm-up, which is not counted, and of the measurement. */
  warmUp: number
  seconds: number
  /** The number from which this run's payments are counted. */
  from: number
  /** The number of payments in each of the script's transactions. */
  payments: number
  postgresPid: number
}

export type Limit = { perSecond: number; used: Used; payments: number; all: number }

export async function runPgbench(plan: PgbenchPlan): Promise<Limit> {
  const variables = Object.entries({ ...plan.script.variables, n: String(plan.from) }).flatMap(([name, value]) => [
    '-D',
    `${name}=${value}`,
  ])
  const where = ['-h', plan.socketDir, '-p', String(plan.port), '-U', plan.user]
  const how = [
    '-n',
    '-M',
    'prepared',
    '-c',
    `${plan.clients}`,
    '-j',
    '1',
    '-T',
    `${plan.warmUp + plan.seconds}`,
    '-P',
    '1',
    '-f',
    plan.file,
  ]
  let seen = ''
  let begun: (() => Used) | null = null
  let used: Used | null = null
  const running = call(plan.pgbench, [...where, ...how, ...variables, plan.database], piece => {
    seen += piece
    const ticks = readProgress(seen).length
    if (ticks >= plan.warmUp && !begun) begun = watch({ service: null, processor: null, postgres: plan.postgresPid, load: running.pid })
    // The last line may be missing, and the time after the last line belongs to the closing of connections.
    if (begun && ticks > plan.warmUp) used = begun()
  })
  const text = await running.text
  if (!used) throw new Error(`pgbench reported no progress: ${text.trim().slice(-400)}`)
  const { transactions, failed } = readPgbench(text)
  if (failed > 0) throw new Error(`${failed} pgbench transactions failed: ${text.trim().slice(-400)}`)
  const steady = readProgress(text).slice(plan.warmUp)
  const done = steady.reduce((sum, line) => sum + line.transactions, 0) * plan.payments
  const seconds = steady.reduce((sum, line) => sum + line.seconds, 0)
  return { perSecond: done / seconds, used, payments: done, all: transactions * plan.payments }
}

/** Reads pgbench's lines "progress: 2.0 s, 5310.2 tps, lat …", each as the work since the line before. */
export function readProgress(text: string): { seconds: number; transactions: number }[] {
  let last = 0
  return [...text.matchAll(/^progress: ([\d.]+) s, ([\d.]+) tps, .*\n/gm)].map(line => {
    const seconds = Number(line[1]) - last
    last = Number(line[1])
    return { seconds, transactions: Number(line[2]) * seconds }
  })
}

export function readPgbench(text: string): { transactions: number; failed: number } {
  const transactions = /^number of transactions actually processed: (\d+)/m.exec(text)?.[1]
  if (transactions === undefined) throw new Error(`The output of pgbench could not be read: ${text.trim().slice(-400)}`)
  return { transactions: Number(transactions), failed: Number(/^number of failed transactions: (\d+)/m.exec(text)?.[1] ?? 0) }
}

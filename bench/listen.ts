// The events a minute that `switchyard listen` passes on: `npm run bench -- --listen 20000`. Measures, and asserts
// nothing about time; the verdicts are in the report.
//
// Payments are made while the command listens, and then the same events are sent again as a backfill, to a receiver
// that answers at once. The published command line runs as its own process, which also reports each answer.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildPackages } from '../tools/packages.ts'
import { table, whole } from './figures.ts'
import { pay } from './pay.ts'
import { MERCHANT, openStage, type Stage } from './stage.ts'

/** The goal on two cores. */
const LEAST_A_MINUTE = 10_000
/**
 * The seconds after the last payment within which its event must arrive, for payments that are made more slowly than
 * the goal.
 */
const KEEPS_UP = 2

/** Opens a developer's server, which counts how often each event arrives. */
async function openReceiver() {
  const came = new Map<string, number>()
  const server = createServer((asked, answer) => {
    asked.resume()
    asked.on('end', () => {
      const id = String(asked.headers['webhook-id'])
      came.set(id, (came.get(id) ?? 0) + 1)
      answer.writeHead(204).end()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/hooks`, came, close }
}

/** Starts to listen with its own configuration folder, and waits until the connection is made. */
async function beginListening(stage: Stage, url: string, ...more: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bench-listen-'))
  const program = join(import.meta.dirname, '../packages/cli/dist/main.js')
  const env = { PATH: process.env.PATH, SWITCHYARD: stage.url, SWITCHYARD_KEY: stage.key, SWITCHYARD_CONFIG: folder }
  const child = spawn(process.execPath, [program, 'listen', '--json', '--forward-to', url, ...more], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => text.includes('"type":"connected"') && resolve())
    void ended.then(() => reject(new Error('switchyard listen ended before it was connected')))
  })
  return async () => {
    child.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

async function countEvents(stage: Stage): Promise<number> {
  const { rows } = await stage.database.query('select count(*)::int as n from changes where merchant_id = $1 and announces is not null', [
    MERCHANT,
  ])
  return rows[0].n
}

/** Returns the seconds until all of these events have arrived. */
async function until(came: ReadonlyMap<string, number>, events: () => number, begun: number): Promise<number> {
  while (came.size < events()) await wait(20)
  return (performance.now() - begun) / 1000
}

/** Measures and returns the report. `payments`: the number of payments made; each announces one event. */
export async function measureListen(payments: number): Promise<string> {
  await buildPackages()
  const stage = await openStage()
  const [live, late] = [await openReceiver(), await openReceiver()]
  try {
    const endLive = await beginListening(stage, live.url)
    const begun = performance.now()
    await pay(stage, payments)
    const paid = (performance.now() - begun) / 1000
    const events = await countEvents(stage)
    const liveSeconds = await until(live.came, () => events, begun)
    await endLive()
    const { rows } = await stage.database.query('select count(*)::int as n from delivery_attempts where merchant_id = $1', [MERCHANT])

    const from = performance.now()
    const endLate = await beginListening(stage, late.url, '--replay', '1d')
    const lateSeconds = await until(late.came, () => events, from)
    await endLate()

    const doubles = ({ came }: { came: ReadonlyMap<string, number> }) => [...came.values()].filter(times => times > 1).length
    const aMinute = (seconds: number) => (events / seconds) * 60
    const behind = liveSeconds - paid
    const verdict = (seconds: number) => (aMinute(seconds) >= LEAST_A_MINUTE ? 'holds' : 'DOES NOT HOLD')
    const isSlow = aMinute(liveSeconds) < LEAST_A_MINUTE && behind <= KEEPS_UP
    const row = (label: string, seconds: number, one: typeof live, holds: string) => [
      label,
      whole(events),
      seconds.toFixed(1),
      whole(aMinute(seconds)),
      whole(doubles(one)),
      holds,
    ]
    return [
      table([
        ['switchyard listen', 'events', 'seconds', 'a minute', 'more than once', `wanted: ${whole(LEAST_A_MINUTE)} a minute`],
        row('while payments are made', liveSeconds, live, isSlow ? 'keeps up with the payments' : verdict(liveSeconds)),
        row('as a backfill', lateSeconds, late, verdict(lateSeconds)),
      ]),
      '',
      `The payments themselves took ${paid.toFixed(1)} s: the last event came ${behind.toFixed(1)} s after the last payment.`,
      `${whole(rows[0].n)} answers of the first were listed among the attempts.`,
    ].join('\n')
  } finally {
    live.close()
    late.close()
    await stage.close()
  }
}

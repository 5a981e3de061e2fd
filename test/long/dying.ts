import { equal } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { homesSetting } from '../../sandbox/homes.ts'
import { programFile } from '../programs.ts'
import { ADMIN_KEY, type Shop } from '../shop.ts'

/** The point at which a process dies: see `mortal.ts`. */
export type Crossing = `${'commit' | 'send'}.${number}.${'before' | 'during' | 'after'}`

/**
 * Every crossing of one call that moves money: the commit before the request, the request, the commit of its outcome.
 */
export const crossings = [
  'commit.1.before',
  'commit.1.after',
  'send.1.during',
  'send.1.after',
  'commit.2.before',
  'commit.2.after',
] as const satisfies readonly Crossing[]

/**
 * The most tries of a client: a slow machine's database may answer too late, and the client then tries again, as the
 * 503 says.
 */
const MOST_TRIES = 3

async function answerOf<T>(work: () => Promise<T>): Promise<T | 'died'> {
  for (let tries = 1; ; tries++) {
    const answer = await work().catch(() => 'died' as const)
    const { status } = (answer ?? {}) as { status?: unknown }
    if (status !== 503 || tries === MOST_TRIES) return answer
  }
}

/**
 * Starts a second process of the same service, which dies at a crossing. Gives the result of `work` if the process
 * lived long enough to answer.
 */
export async function dyingService<T>(
  shop: Shop,
  at: Crossing,
  work: (url: string, tick: () => Promise<void>) => Promise<T>,
): Promise<T | 'died'> {
  const child = spawn(process.execPath, [programFile('test/long/mortal.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DIE_AT: at,
      CLOCK_AHEAD: String(shop.clock.ahead),
      DATABASE_URL: shop.databaseUrl,
      PORT: '0',
      ADMIN_API_KEY: ADMIN_KEY,
      KEY_FILE: shop.keyFile,
      FILES_FOLDER: join(dirname(shop.keyFile), 'files'),
      CONNECTOR_BASE_URLS: homesSetting(shop.processor.url),
      SANDBOX_URL: shop.processor.url,
      PROCESSOR_TIMEOUT_MS: '1000',
      LOG_LEVEL: 'error',
    },
  })
  const gone = new Promise<NodeJS.Signals | null>(resolve => child.on('exit', (_code, signal) => resolve(signal)))
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', data => {
      output += data
      const ready = output.match(/ready (\S+)/)?.[1]
      if (ready) resolve(ready)
    })
    child.on('exit', () => reject(new Error('the dying service died too early')))
  })
  const tick = () =>
    new Promise<void>((resolve, reject) => {
      child.stdout.on('data', data => String(data).includes('ticked') && resolve())
      child.on('exit', () => reject(new Error('it died')))
      child.stdin.write('tick\n')
    })
  const answer = await answerOf(() => work(url, tick))
  child.stdin.end()
  const signal = await gone
  equal(signal, answer === 'died' ? 'SIGKILL' : null)
  return answer
}

import { ok } from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { cards } from '../test/cards.ts'

/**
 * The steps of a stranger with a fresh clone: `npm start`, paste the printed curl, kill the service in the middle of a
 * payment, start it again, stop it. Real processes, a data folder of its own.
 */

const folder = mkdtempSync(join(tmpdir(), 'switchyard-stranger-'))
after(() => {
  for (const pid of ours()) process.kill(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

type Up = { child: ChildProcess; output: string; base: string; key: string; curl: string; ms: number }

async function npmStart(port: number, sandboxPort: number): Promise<Up> {
  const began = Date.now()
  const child = spawn('npm', ['start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      SWITCHYARD_DATA: join(folder, 'data'),
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
    },
  })
  let output = ''
  child.stdout.on('data', data => {
    output += data
  })
  child.stderr.on('data', data => {
    output += data
  })
  for (;;) {
    const curl = output.match(/^curl .*$/m)?.[0]
    if (curl) {
      const base = output.match(/ready at (\S+)/)?.[1] ?? ''
      const key = output.match(/secret key\s+(\S+)/)?.[1] ?? ''
      return { child, output, base, key, curl, ms: Date.now() - began }
    }
    if (child.exitCode !== null || Date.now() - began > 300_000) throw new Error(`npm start did not come up:\n${output}`)
    await wait(20)
  }
}

/**
 * Gives the ids of the processes that work on the test's data folder, found by their command lines and environments.
 */
function ours(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter(pid => {
      try {
        return (readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')).includes(folder)
      } catch {
        return false
      }
    })
}

/** Waits until something holds, for two minutes at most: the machine may be busy. */
async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = Date.now() + 120_000
  while (Date.now() < end) {
    if (await holds()) return true
    await wait(50)
  }
  return false
}

test('a stranger starts the service, pays, kills it in the middle of a payment, and starts it again', async t => {
  const check = (sentence: string, holds: boolean, facts = '') => {
    t.diagnostic(`${sentence} ${facts}`)
    ok(holds, `${sentence} ${facts}`)
  }
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const first = await npmStart(port, sandboxPort)
  check(
    'npm start prints a base URL, keys and a curl that pays',
    first.base.endsWith(String(port)) && first.key.startsWith('snd_'),
    `${first.ms} ms`,
  )
  const began = Date.now()
  const paid = JSON.parse(execFileSync('bash', ['-c', first.curl], { encoding: 'utf8' }))
  check(
    'the printed curl, pasted, says succeeded',
    paid.status === 'succeeded',
    `${first.ms + Date.now() - began} ms from npm start to the first payment`,
  )

  const api = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await request(first.base + path, {
      method,
      headers: { 'api-key': first.key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await answer.body.json()) as Record<string, unknown>
  }
  // A card that is charged without an answer: the processor has the money when everything is killed.
  const payment_id = 'pay_STRANGER000000000000000001'
  const card = { card_number: cards.chargesAndHangs, card_exp_month: '12', card_exp_year: '2040', card_cvc: '737' }
  const cut = api('POST', '/payments', {
    payment_id,
    amount: 4200,
    currency: 'USD',
    confirm: true,
    payment_method: 'card',
    payment_method_data: { card },
  }).then(
    () => 'answered',
    () => 'cut off',
  )
  const taken = async () => {
    const ledger = await request(`http://127.0.0.1:${sandboxPort}/control/ledger`, { headers: { authorization: 'Bearer sandbox_demo' } })
    const { charges } = (await ledger.body.json()) as { charges: { amount: number }[] }
    return charges.filter(charge => charge.amount === 4200).length
  }
  check('the processor has the money', await until(async () => (await taken()) === 1))
  // All at one moment: a service that outlives the processor by a little would still answer.
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
    for (const pid of ours()) {
      try {
        process.kill(pid, signal)
      } catch {}
    }
  check('killed with SIGKILL in the middle of a payment', (await cut) === 'cut off')
  check('nothing is left behind', await until(() => ours().length === 0), `left: ${ours().join(' ')}`)

  const second = await npmStart(port, sandboxPort)
  check('a second start finds its data', second.key === first.key, `${second.ms} ms`)
  check('the first payment is still there', (await api('GET', `/payments/${paid.payment_id}`)).status === 'succeeded')
  const cutPayment = async () => (await api('GET', `/payments/${payment_id}?force_sync=true`)).status
  check('the payment that was cut off succeeds', await until(async () => (await cutPayment()) === 'succeeded'), String(await cutPayment()))
  check('the processor was paid once', (await taken()) === 1)

  process.kill(-second.child.pid!, 'SIGINT')
  check('Ctrl-C stops everything and leaves nothing behind', await until(() => ours().length === 0), `left: ${ours().join(' ')}`)
})

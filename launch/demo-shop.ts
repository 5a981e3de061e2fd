// `npm run demo`: opens the shop of `examples/shop` beside the service, for the demo merchant of `npm start`, which is
// started first if it does not run. Ctrl-C stops everything that the command started.
import './help.mjs'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { ask } from './ask.ts'
import { projectDir } from './binaries.ts'
import type { Demo } from './demo.ts'
import { readKept } from './keep.ts'

const LOOK_EVERY_MS = 250

const notes = join(process.env.SWITCHYARD_DATA || join(projectDir, 'data'), 'demo.json')

/** Returns the demo merchant of a running service; null if no service answers. */
async function running(): Promise<Demo | null> {
  const demo = readKept<Demo>(notes) as Demo
  if (!demo.base || !demo.api_key) return null
  const answer = await ask('GET', `${demo.base}/health/ready`).catch(() => null)
  return answer?.status === 200 ? demo : null
}

async function start(): Promise<{ demo: Demo; service: ChildProcess }> {
  const service = spawn(process.execPath, [join(projectDir, 'launch', 'start.ts')], { stdio: 'inherit' })
  for (;;) {
    const demo = await running()
    if (demo) return { demo, service }
    if (service.exitCode !== null || service.signalCode !== null) throw new Misconfigured('npm start could not start the service')
    await wait(LOOK_EVERY_MS)
  }
}

try {
  const there = await running()
  const { demo, service } = there ? { demo: there, service: null } : await start()
  const { openShop } = await import('../examples/shop/server.js')
  const settings = { switchyard: demo.base!, key: demo.api_key, publishableKey: demo.publishable_key }
  const shop = await openShop({ ...settings, port: Number(process.env.SHOP_PORT ?? 8090) })
  process.stdout.write(`\nThe demo shop is open at ${shop.address}; its payments are at ${demo.base}/dashboard\nCtrl-C closes it.\n\n`)
  let leaves = false
  const leave = async () => {
    if (leaves) return
    leaves = true
    await shop.close().catch(() => {})
    service?.kill('SIGTERM')
    if (service && service.exitCode === null && service.signalCode === null) await new Promise(done => service.once('exit', done))
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, leave)
  service?.once('exit', leave)
} catch (error) {
  process.stderr.write(`the demo shop could not be opened: ${(error as Error).message}\n`)
  process.exitCode = 2
}

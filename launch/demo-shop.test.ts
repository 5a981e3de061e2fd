import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectDir } from './binaries.ts'

test('npm run demo starts the service and the demo shop, and SIGTERM stops both', { timeout: 180_000 }, async t => {
  const data = mkdtempSync(join(tmpdir(), 'switchyard-demo-'))
  t.after(() => rmSync(data, { recursive: true, force: true, maxRetries: 5 }))
  const env = { ...process.env, SWITCHYARD_DATA: data, PORT: '0', SANDBOX_PORT: '0', SHOP_PORT: '0' }
  const demo = spawn('node', [join(projectDir, 'launch/run.mjs'), 'launch/demo-shop.ts'], { cwd: projectDir, env })
  let output = ''
  const address = await new Promise<string>((resolve, reject) => {
    const receive = (chunk: Buffer) => {
      output += chunk
      const open = /The demo shop is open at (\S+);/.exec(output)?.[1]
      if (open) resolve(open)
    }
    demo.stdout.on('data', receive)
    demo.stderr.on('data', receive)
    demo.once('exit', () => reject(new Error(output)))
  })
  assert.match(await (await fetch(address)).text(), /Northlight Supply/)
  const order = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ items: { lamp: 2 } }) }
  assert.equal(((await (await fetch(`${address}/orders`, order)).json()) as { amount: number }).amount, 17_800)
  const base = /Switchyard is ready at (\S+)/.exec(output)![1]!
  demo.kill('SIGTERM')
  await new Promise(resolve => demo.once('exit', resolve))
  await assert.rejects(fetch(address))
  await assert.rejects(fetch(`${base}/health`))
})

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openTestSandbox, realSandboxContext } from '../../sandbox/test-shop.ts'
import { check, main } from './check.ts'
import { faults, openFaulty } from './faulty.ts'
import { readings } from './readings.ts'
import { sentences } from './sentences.ts'

/**
 * The conformance suite of the bridge: it finds what is wrong in adapters that are, and nothing in the two that are
 * not.
 */

const good = `${(await openTestSandbox(undefined, realSandboxContext)).url}/bridge`

/** The sentences that do not hold, and why. */
const wrong = async (url: string, patience_ms?: number): Promise<string[]> =>
  (await check({ url, key: 'sandbox_faulty', patience_ms })).flatMap(({ requirement, found }) =>
    found === null ? [] : [`${requirement}: ${found}`],
  )

test('the sandbox speaks the bridge protocol', async () => {
  const findings = await check({ url: good, key: 'sandbox_good' })
  deepEqual(
    findings.filter(({ found }) => found !== null),
    [],
  )
  deepEqual(
    findings.filter(({ untried }) => untried !== undefined),
    [],
  )
  equal(findings.length, sentences.length + readings.length + 2)
})

const python = ['python3', 'python'].find(name => {
  try {
    return /^Python 3/.test(execFileSync(name, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return false
  }
})

test('the example adapter in Python speaks the bridge protocol', {
  skip: python === undefined && 'there is no Python 3 on this machine',
}, async () => {
  const script = join(import.meta.dirname, '..', '..', 'docs', 'bridge', 'adapter.py')
  const adapter = spawn(python!, [script, '0'], {
    env: { ...process.env, BRIDGE_KEY: 'sandbox_faulty' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => adapter.kill())
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    adapter.stdout.on('data', data => {
      output += data
      const ready = /(http:\S+)\n/.exec(output)?.[1]
      if (ready) resolve(ready)
    })
    adapter.on('exit', code => reject(new Error(`it ended with ${code}`)))
  })
  deepEqual(await wrong(url), [])
})

ok(Object.keys(faults).length >= 12)
for (const [name, { finds, spoilt }] of Object.entries(faults)) {
  test(`the conformance check finds an adapter that ${name}`, async () => {
    const faulty = await openFaulty(good, spoilt())
    try {
      // What never comes need not be waited for long.
      match((await wrong(faulty.url, 1500)).join('\n'), finds)
    } finally {
      await faulty.close()
    }
  })
}

test('the command prints each requirement with its result, and exits with 0 only if all are met', async () => {
  const run = async (url: string[], env = {}) => {
    const lines: string[] = []
    return { status: await main(url, env, line => lines.push(line)), output: lines.join('\n') }
  }
  const fine = await run([good], { BRIDGE_KEY: 'sandbox_good' })
  equal(fine.status, 0)
  match(fine.output, /^✓ The adapter describes itself.*\n✓/)
  match(fine.output, /The adapter implements the bridge protocol, version 1\.$/)
  const refused = await run([good], { BRIDGE_KEY: 'invalid' })
  equal(refused.status, 1)
  match(refused.output, /✗ The adapter describes itself/)
  const unreachable = await run(['http://127.0.0.1:9'], { BRIDGE_KEY: 'x' })
  match(unreachable.output, /received no response/)
  for (const [args, env] of [
    [[], { BRIDGE_KEY: 'x' }],
    [[good], {}],
    [['ftp://x'], { BRIDGE_KEY: 'x' }],
  ] as const)
    match((await run([...args], env)).output, /^usage/)
})

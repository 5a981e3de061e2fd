// What operators run beside the service runs on what production has: without the developers' packages, and without a
// registry.
import { equal, match, ok } from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { projectDir } from './binaries.ts'
import { copyOfProject, talk } from './rehearsal.ts'

type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }> }

/** Copies the project as production has it: what only developers need is neither there nor listed. */
function production(): string {
  const dir = copyOfProject()
  const { scripts } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'))
  const own = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ ...own, scripts }))
  writeFileSync(join(dir, 'package-lock.json'), readFileSync(join(projectDir, 'package-lock.json')))
  rmSync(join(dir, 'node_modules'))
  const installed = JSON.parse(readFileSync(join(projectDir, 'node_modules', '.package-lock.json'), 'utf8')) as Lock
  const kept = Object.fromEntries(Object.entries(installed.packages).filter(([, { dev, devOptional }]) => !dev && !devOptional))
  ok(Object.keys(kept).length < Object.keys(installed.packages).length - 50)
  mkdirSync(join(dir, 'node_modules'))
  writeFileSync(join(dir, 'node_modules', '.package-lock.json'), JSON.stringify({ ...installed, packages: kept }))
  // A package inside of another is there with it.
  for (const path of Object.keys(kept).filter(path => path.lastIndexOf('node_modules/') === 0)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    symlinkSync(join(projectDir, path), join(dir, path))
  }
  return dir
}

/** These start the service, as `stranger.test.ts` does on a machine without anything. */
const starts = ['start', 'demo']

/** What each command says of an argument that it does not know: it was loaded as a whole, and needs no network. */
const commands: Readonly<Record<string, [args: string[], says: RegExp]>> = {
  build: [['nonsense'], /nonsense is not built: there are page-scripts, dashboard, site/],
  'audit:verify': [['nonsense'], /nonsense is not a valid end of the chain/],
  'bins:import': [[], /a file|FILE/i],
  'user:link': [[], /an e-mail address is required/],
  'user:reset-2fa': [[], /an e-mail address is required/],
  vault: [['nonsense'], /nonsense is not a known argument/],
  'vault:rotate': [['nonsense'], /nonsense is not a known argument/],
  'analytics:prove': [['nonsense'], /nonsense/],
  'merchant:move': [[], /MERCHANT|merchant/],
  'ledger:prove': [['nonsense'], /nonsense/],
  'ledger:reconcile': [[], /--merchant/],
  'demo:data': [['--nonsense'], /nonsense/],
}

test('each command for operators runs with the packages of production alone, and installs nothing', async () => {
  const dir = production()
  const { scripts } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const beside = Object.keys(scripts).filter(name => !starts.includes(name) && / launch\/run\.mjs (--\S+ )*launch\//.test(scripts[name]!))
  equal(beside.toSorted().join(), Object.keys(commands).toSorted().join(), 'every command of launch/ is tried here')
  for (const [name, [args, says]] of Object.entries(commands)) {
    const talker = talk('npm', ['run', '--silent', name, '--', ...args], { cwd: dir, env: { npm_config_registry: 'http://127.0.0.1:9' } })
    const code = await talker.ended
    ok(!/installing dependencies/.test(talker.output()), `${name}: ${talker.output()}`)
    ok(!/ERR_MODULE_NOT_FOUND|Cannot find/.test(talker.output()), `${name}: ${talker.output()}`)
    match(talker.output(), says, name)
    ok(code !== 0, name)
  }
})

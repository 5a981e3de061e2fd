// The whole chain ends with any process of it that dies (npm, its shell, run.mjs, start.ts, PostgreSQL, sandbox,
// service), with stand-ins for the last two.
import assert from 'node:assert/strict'
import { closeSync, constants, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ask } from './ask.ts'
import { findNative, projectDir } from './binaries.ts'
import { choosePort } from './ports.ts'
import { look } from './proc.mjs'
import { copyOfProject, pathWithout, processesAbout, type Talker, talk, tempDir, until } from './rehearsal.ts'

const project = copyOfProject()
/** Free ones, so that several runs of these tests may share a machine. */
const free = async () => String(await choosePort({ setting: 'PORT', given: '0', usual: 0, host: '127.0.0.1' }))
const ports = { PORT: await free(), SANDBOX_PORT: await free() }
const base = `http://127.0.0.1:${ports.PORT}`
const up = 'Ctrl-C stops it.'
before(() => void findNative()) // so that no start below spends its time on links

/** Nothing of a test may stay on this machine, even if it fails. */
after(() => {
  for (const { pid } of processesAbout(project)) process.kill(pid, 'SIGKILL')
})

async function started(env: Record<string, string> = {}): Promise<Talker> {
  const talker = talk('npm', ['start'], { cwd: project, env: { ...ports, ...env } })
  await talker.waitFor(up)
  return talker
}

function find(word: RegExp): number {
  const found = processesAbout(project).filter(({ line }) => word.test(line))
  assert.equal(
    found.length,
    1,
    `${word} among\n${processesAbout(project)
      .map(one => one.line)
      .join('\n')}`,
  )
  return found[0]!.pid
}

const members = {
  npm: /^npm start/,
  'the shell': /sh -c node launch\/run\.mjs/,
  'run.mjs': /^node launch\/run\.mjs/,
  'start.ts': /--import .*launch\/start\.ts$/,
  'the service': /src\/main\.ts$/,
  'the sandbox': /sandbox\/main\.ts$/,
  PostgreSQL: /native\/bin\/postgres -D/,
}

const allEnded = () => processesAbout(project).length === 0

// A service that dies is started again (`everything.test.ts`).
for (const [name, word] of Object.entries(members).filter(([name]) => name !== 'the service')) {
  test(`kill -9 of ${name} leaves no process running`, async () => {
    const talker = await started()
    process.kill(find(word), 'SIGKILL')
    await until(`all gone\n${talker.output()}`, allEnded)
    if (['the sandbox', 'PostgreSQL'].includes(name)) {
      assert.equal(await talker.ended, 1)
      assert.match(talker.output(), new RegExp(`${name} .*SIGKILL`))
    }
  })
}

test('without setpriv, kill -9 of run.mjs or start.ts still leaves no process running', async () => {
  const env = { PATH: pathWithout('setpriv') }
  for (const name of ['run.mjs', 'start.ts'] as const) {
    await started(env)
    process.kill(find(members[name]), 'SIGKILL')
    await until('all gone', allEnded)
  }
})

test('Ctrl-C stops all processes in order, with a clean shutdown of PostgreSQL', async () => {
  const mayStop = join(tempDir(), 'may-stop')
  const talker = await started({ FAKE_SLOW_STOP: mayStop })
  process.kill(-talker.child.pid!, 'SIGINT')
  await talker.waitFor('asked to stop')
  assert.match(
    processesAbout(project)
      .map(one => one.line)
      .join('\n'),
    members.PostgreSQL,
    'the database still serves',
  )
  writeFileSync(mayStop, '')
  await until('all gone', allEnded)
  assert.match(readFileSync(join(project, 'data/postgres/postgres.log'), 'utf8'), /database system is shut down\n$/)
})

test('SIGTERM to npm, or to run.mjs alone, stops all processes', async () => {
  for (const word of [members.npm, members['run.mjs']]) {
    await started()
    process.kill(find(word), 'SIGTERM')
    await until('all gone', allEnded)
  }
})

test('Ctrl-C during a first start leaves no process running, and the next start succeeds', async () => {
  for (const moment of [350, 800]) {
    rmSync(join(project, 'data'), { recursive: true, force: true })
    const talker = talk('npm', ['start'], { cwd: project, env: ports })
    await wait(moment)
    process.kill(-talker.child.pid!, 'SIGINT')
    await until(`all gone after ${moment} ms\n${talker.output()}`, allEnded)
  }
  const talker = await started()
  process.kill(-talker.child.pid!, 'SIGINT')
  await until('all gone', allEnded)
})

test('npm start keeps running after its shell exits and, as under nohup, after SIGHUP', async () => {
  const unreadable = openSync('/dev/null', constants.O_WRONLY) // what nohup makes of a terminal's stdin
  const shell = talk('sh', ['-c', 'exec 3<&0; npm start <&3 & sleep 0.1'], { cwd: project, env: ports, stdin: unreadable })
  closeSync(unreadable)
  await shell.waitFor(up)
  assert.equal(look(shell.child.pid!), null)
  process.kill(-shell.child.pid!, 'SIGHUP')
  await wait(1300)
  assert.equal((await ask('GET', `${base}/health/ready`)).status, 200)
  process.kill(find(members['run.mjs']), 'SIGTERM')
  await until('all gone', allEnded)
})

test('run.mjs passes arguments, environment and exit code through', async () => {
  writeFileSync(
    join(project, 'echo.ts'),
    'const code: number = Number(process.argv[2]); console.log(process.env.ECHO, process.version); process.exit(code)',
  )
  const talker = talk('node', [join(project, 'launch/run.mjs'), 'echo.ts', '7'], { cwd: '/', env: { ECHO: 'hello' } })
  assert.equal(await talker.ended, 7)
  assert.match(talker.output(), /hello v24\./)
})

const cold = process.env.LAUNCH_COLD === '1' ? false : 'set LAUNCH_COLD=1; it downloads all dependencies'
test('two simultaneous starts on a fresh checkout install dependencies once', { skip: cold, timeout: 180_000 }, async () => {
  const fresh = copyOfProject()
  rmSync(join(fresh, 'node_modules'))
  mkdirSync(join(fresh, 'node_modules'))
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) writeFileSync(join(fresh, file), readFileSync(join(projectDir, file)))
  const first = talk('npm', ['start'], { cwd: fresh, env: ports })
  const second = talk('npm', ['start'], {
    cwd: fresh,
    env: { PORT: await free(), SANDBOX_PORT: await free(), SWITCHYARD_DATA: join(fresh, 'other') },
  })
  await Promise.race([Promise.all([first.waitFor(up), second.waitFor(up)]), first.ended, second.ended])
  assert.ok(first.output().includes(up) && second.output().includes(up), first.output() + second.output())
  assert.equal((first.output() + second.output()).match(/installing dependencies \(/g)?.length, 1)
  assert.match(first.output() + second.output(), /waiting for process \d+/)
  assert.ok(!existsSync(join(fresh, 'node_modules', 'typescript')), 'what only developers need is not waited for')
  for (const { child } of [first, second]) process.kill(-child.pid!, 'SIGINT')
  await until('all gone', () => processesAbout(fresh).length === 0)
})

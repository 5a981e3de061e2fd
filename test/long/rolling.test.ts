import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { MIGRATIONS, nextRelease } from '../next-release.ts'
import { openReceiver } from '../receiver.ts'
import { agree } from './agree.ts'
import { judgeArrivals, openLoad } from './load.ts'
import { openStage } from './stage.ts'

/**
 * A release is rolled out under load: two processes of the release before become the next one, one after the other, so
 * that both work on one database for a while, and the schema changes under the older one. The rollout goes from the
 * sources before the last migration to this release; while there is only the first migration, it goes from this
 * release to one with the same sources that adds to every table. `--previous` names another release to begin with (any
 * name of a commit since 0.2.0). Both use the libraries of this release.
 */

const root = join(import.meta.dirname, '..', '..')
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/**
 * Gives the releases to roll from and to, as folders of sources; null if the history of this repository is missing.
 */
function releases(): { from: string; to: string; made: string } | null {
  const { PREVIOUS } = process.env
  if (PREVIOUS === undefined && readdirSync(join(root, MIGRATIONS)).length === 1) {
    const next = nextRelease()
    return { from: root, to: next, made: next }
  }
  try {
    const named = PREVIOUS ?? `${git('log', '-1', '--diff-filter=A', '--format=%H', '--', MIGRATIONS)}^`
    const before = unpack(git('rev-parse', '--verify', `${named}^{commit}`))
    return { from: before, to: root, made: before }
  } catch {
    return null
  }
}

/** Unpacks the sources of a commit into a folder of their own. */
function unpack(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-before-'))
  execFileSync('sh', ['-c', 'git -C "$1" archive "$2" src package.json | tar -x -C "$3"', 'sh', root, commit, folder])
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const rolled = releases()

test('a release is rolled out under load: nothing is lost, and nothing is delivered or charged twice', {
  timeout: 400_000,
  skip: rolled === null && 'the history of this repository is not here',
}, async t => {
  const receiver = await openReceiver()
  const { from, to, made } = rolled!
  t.after(() => rmSync(made, { recursive: true, force: true }))
  const stage = await openStage({ settings: { WEBHOOK_LOOPBACK: '1', LOG_LEVEL: 'error' }, release: from })
  t.after(async () => deepEqual(await stage.close(), []))
  for (const shop of stage.shops) equal((await shop.call('POST', '/webhook_endpoints', { url: receiver.url })).status, 200)
  const versions = async () => (await stage.query('select max(version)::int as version from schema_version', []))[0]!.version
  const old = await versions()
  const load = openLoad(stage.shops, 30)
  const goesOn = (description: string) => {
    const before = receiver.received.length
    return eventually(async () => receiver.received.length > before + 60, description, 120)
  }
  await goesOn('the release before works')
  for (const [i, { process, becomes }] of stage.services.entries()) {
    becomes(to)
    equal(await process.stop(), 'code 0')
    await process.start()
    await goesOn(i === 0 ? 'both work side by side' : 'the next release works')
  }
  await load.stop()
  const grown = await versions()
  ok(grown > old, 'the schema has changed under the release before')
  const { events, again } = await judgeArrivals(stage, receiver.received)
  t.diagnostic(`from ${from} (schema ${old} to ${grown}): ${load.begun()} clients, ${events} events, ${again} told more than once`)
  equal(again, 0, 'nothing is told twice')
  const unfinished = 'select count(*)::int as n from processor_operations where poll_at is not null'
  await eventually(async () => (await stage.query(unfinished, []))[0]!.n === 0, 'all is decided', 120)
  for (const shop of stage.shops) await agree({ query: stage.query, ...shop })
  deepEqual(stage.deaths, [])
})

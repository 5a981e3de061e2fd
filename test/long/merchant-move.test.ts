import { deepEqual, equal } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { request } from 'undici'
import { memoryFlags } from '../../launch/memory.ts'
import { choosePort } from '../../launch/ports.ts'
import { newDatabase } from '../shop.ts'
import { agree } from './agree.ts'
import { type Access, openClients } from './clients.ts'
import { openLastDays } from './last-days.ts'
import { openMortalProcess } from './mortal-process.ts'
import { openStage, type Stage, type StormShop } from './stage.ts'

/**
 * A merchant moves while its clients run all journeys of the storm, from two services to a third one on another
 * database, and the command that moves it is killed after each of its steps. One of the services is stopped (SIGSTOP)
 * before the merchant leaves, and continues when it has left. Clients of other merchants go on at the source. Then
 * time passes, and every row is compared with the processor's books, and every answer with the rows.
 */

const root = join(import.meta.dirname, '..', '..')
const DRAIN_S = '20'

/** Opens another deployment: a service of its own on a database of its own, with the keys of the stage. */
async function openTarget(stage: Stage) {
  const database = await newDatabase()
  const host = '127.0.0.1'
  const port = await choosePort({ setting: 'PORT', given: undefined, usual: 31_000 + (process.pid % 1000), host })
  const url = `http://${host}:${port}`
  const settings = { ...stage.services[0]!.settings, DATABASE_URL: database.url, PORT: String(port) }
  const complaints: string[] = []
  const process_ = openMortalProcess({
    name: 'the target',
    command: [...memoryFlags, join(root, 'src', 'main.ts')],
    env: { ...(process.env as Record<string, string>), ...settings },
    ready: `${url}/health/ready`,
    onLine: line => /"level":[56]0/.test(line) && complaints.push(line),
    died: how => complaints.push(how),
  })
  await process_.start()
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  return {
    url,
    settings,
    complaints,
    process: process_,
    query: async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows,
    async close() {
      await process_.kill()
      await pool.end()
      await database.drop()
    },
  }
}
type Target = Awaited<ReturnType<typeof openTarget>>

/** Gives the shop as its clients reach it: at the source, until the source answers that the merchant has moved. */
function accessOf(shop: StormShop, stage: Stage, target: Target): Access {
  let moved = false
  const own = [...stage.services.map(({ url }) => url), target.url]
  const asked = async (method: string, path: string, more: object) => {
    const answer = await request(target.url + path, { method: method as 'GET', headersTimeout: 15_000, ...more })
    return { status: answer.statusCode, text: await answer.body.text(), headers: answer.headers }
  }
  return {
    ...shop,
    async call(method, path, body, headers) {
      if (!moved) {
        const answer = await shop.call(method, path, body, headers)
        moved = answer.status === 503 && /has moved to another deployment/.test(answer.text)
        if (!moved) return answer
      }
      const json = body !== undefined && { body: JSON.stringify(body) }
      const { status, text } = await asked(method, path, {
        headers: { 'api-key': shop.api_key, ...(json && { 'content-type': 'application/json' }), ...headers },
        ...json,
      })
      return { status, text, body: JSON.parse(text) }
    },
    async visit(method, url, form) {
      const { origin, pathname, search } = new URL(url)
      if (!moved || !own.includes(origin)) return shop.visit(method, url, form)
      const sent = form !== undefined && { body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
      const { status, text, headers } = await asked(method, pathname + search, sent || {})
      return { status, location: (headers.location as string | undefined) ?? null, text }
    },
  }
}

/** Runs the command; kills it after this number of output lines. Gives its output and how it ended. */
function move(stage: Stage, target: Target, shop: StormShop, args: string[], diesAfter = Number.POSITIVE_INFINITY) {
  const { DATABASE_URL, KEY_FILE } = stage.services[0]!.settings
  const child = spawn(process.execPath, [join(root, 'launch', 'merchant-move.ts'), shop.merchant_id, ...args], {
    env: { PATH: process.env.PATH, DATABASE_URL, KEY_FILE, TARGET_DATABASE_URL: target.settings.DATABASE_URL },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output += part.toString()
      if (output.split('\n').length > diesAfter) child.kill('SIGKILL')
    })
  return new Promise<{ output: string; code: number | null }>(resolve => child.on('close', code => resolve({ output, code })))
}

/** Lets days pass at a deployment, until nothing is unfinished; then judges its shops. */
async function judgeAfterDays(stage: Parameters<typeof openLastDays>[0], received: Parameters<typeof agree>[1][]): Promise<string[]> {
  const days = await openLastDays(stage)
  try {
    for (const time of ['1 minute', '4 minutes', '10 minutes', '1 hour', '11 hours', '1 hour', '1 day', '1 day', '7 days', '1 hour'])
      await days.wait(time)
    await days.lookAtHolds()
    for (const [i, shop] of stage.shops.entries()) await agree({ ...shop, query: stage.query }, received[i])
    return await days.askAgain(received.map(one => [...one!]))
  } finally {
    await days.close()
  }
}

test('a merchant is moved under load, and the command is killed at each step: nothing is lost or processed twice', {
  timeout: 900_000,
}, async t => {
  const stage = await openStage({ settings: { LOG_LEVEL: 'error' } })
  t.after(async () => deepEqual(await stage.close(), []))
  const target = await openTarget(stage)
  t.after(() => target.close())
  const [moving, ...others] = stage.shops as [StormShop, ...StormShop[]]
  const manners = { whileRunning: 'ask on', rest_ms: 200, again_ms: 100 } as const
  const crowd = openClients(accessOf(moving, stage, target), 5, { seed: 'moves', ...manners })
  const neighbours = others.map((shop, i) => openClients(shop, 2, { seed: `stays ${i}`, ...manners }))
  await crowd.yeses(60)
  for (let lines = 1; lines <= 3; lines++) t.diagnostic((await move(stage, target, moving, ['--drain', '2'], lines)).output)
  const back = await move(stage, target, moving, ['--undo'])
  equal(back.code, 0, back.output)
  await Promise.all(neighbours.map(one => one.yeses(5)))
  await crowd.yeses(40)
  const frozen = stage.services[1]!.process
  frozen.freeze()
  for (let lines = 1; lines <= 5; lines++)
    t.diagnostic((await move(stage, target, moving, ['--drain', lines > 3 ? DRAIN_S : '1'], lines)).output)
  equal((await move(stage, target, moving, ['--drain', '1'])).code, 0)
  // The service was stopped in the middle of requests, and knows nothing of what has happened since.
  frozen.thaw()
  const path = moving.all[0]!.webhook_path
  await moving.processor.account({ webhook_url: target.url + path })
  await moving.processor.flushWebhooks()
  await crowd.yeses(80)
  await Promise.all(neighbours.map(one => one.yeses(5)))
  await Promise.all([crowd, ...neighbours].map(one => one.end()))
  t.diagnostic(JSON.stringify(crowd.counts))

  const [mark] = await stage.query('select changed from merchant_moves where merchant_id = $1', [moving.merchant_id])
  const ours = 'select object_id, kind, version, event_id from changes where merchant_id = $1 order by object_id, kind, version'
  const left = await stage.query(ours, [moving.merchant_id])
  const late = await stage.query('select 1 from changes where merchant_id = $1 and created > $2', [moving.merchant_id, mark!.changed])
  deepEqual(late, [], 'the source has written nothing since')
  const there = new Set((await target.query(ours, [moving.merchant_id])).map(row => JSON.stringify(row)))
  deepEqual(
    left.filter(row => !there.has(JSON.stringify(row))),
    [],
    'all that the source has written is at the target',
  )
  for (const { counts } of neighbours)
    deepEqual(
      Object.keys(counts).filter(outcome => outcome.startsWith('5')),
      [],
      'others are not disturbed',
    )
  for (const { process } of [...stage.services, target]) equal(await process.stop(), 'code 0')

  const { complaints } = stage
  const atTarget = { shops: [moving], query: target.query, complaints, services: [{ url: target.url, settings: target.settings }] }
  const found = await judgeAfterDays(atTarget, [crowd.received])
  const atSource = { shops: others, query: stage.query, complaints, services: stage.services }
  found.push(
    ...(await judgeAfterDays(
      atSource,
      neighbours.map(({ received }) => received),
    )),
  )
  deepEqual([...found, ...crowd.surprises, ...neighbours.flatMap(({ surprises }) => surprises)], [])
  t.diagnostic(
    `${complaints.length} complaints: ${[...new Set(complaints.map(({ message }) => message))].join('; ')}; ${target.complaints.join('; ')}`,
  )
})

import { deepEqual, equal, match } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { openLog } from './log.ts'

/**
 * Starts a process with the service's log that writes a first line, and at the end of its input `lines` last ones; it
 * exits immediately afterwards.
 */
function speaker(lines: number, stdout: 'pipe' | number = 'pipe'): ChildProcess {
  const script = `
    import { openLines, openLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
    const log = openLog('info', openLines(() => process.stderr.write('cut off')))
    log.info({}, 'first words')
    process.stdin.on('end', () => {
      for (let i = 0; i < ${lines}; i++) log.info({ i }, 'last words')
      process.exit(0)
    }).resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', stdout, 'pipe'] })
  after(() => child.kill('SIGKILL'))
  return child
}

test('the last log lines are written before the process exits', { timeout: 10_000 }, async () => {
  const child = speaker(500)
  child.stdin!.end()
  equal((await text(child.stdout!)).match(/last words/g)?.length, 500)
})

test('a process whose log is no longer read still exits', { timeout: 10_000 }, async () => {
  const child = speaker(1)
  await once(child.stdout!, 'data')
  child.stdout!.destroy()
  await once(child.stdout!, 'close')
  child.stdin!.end()
  equal((await once(child, 'exit'))[0], 0)
})

test('a process is notified when its log is no longer read', { timeout: 10_000 }, async () => {
  const child = speaker(1)
  await once(child.stdout!, 'data')
  child.stdout!.destroy()
  match(String(await once(child.stderr!, 'data')), /cut off/)
  child.stdin!.end()
  equal((await once(child, 'exit'))[0], 0)
})

test('a full disk loses log lines, and does not stop the process', { timeout: 10_000 }, async () => {
  const full = openSync('/dev/full', 'w')
  const child = speaker(500, full)
  closeSync(full)
  child.stdin!.end()
  equal(await text(child.stderr!), '')
  equal(child.exitCode ?? (await once(child, 'exit'))[0], 0)
})

test('a line has the same format at every level, and is not written below the log level', () => {
  const lines: string[] = []
  const log = openLog('info', { write: line => void lines.push(line) })
  const facts = { code: null, left_out: undefined, words: 'a "quote"\n', ids: { payment_id: 'pay_1' }, n: 1.5 }
  log.info(facts, 'said')
  log.warn(facts, 'said')
  log.info({}, 'nothing more')
  const [info, warn, bare] = lines.map(line => line.replace(/"time":"[^"]*"/, '"time":""'))
  equal(info, warn!.replace('"level":40', '"level":30'))
  deepEqual(Object.keys(JSON.parse(bare!)), ['level', 'time', 'process', 'msg'])
  openLog('warn', { write: line => void lines.push(line) }).info(facts, 'said')
  equal(lines.length, 3)
})

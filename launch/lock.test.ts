import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { takeLock } from './lock.mjs'
import { bootId, look, nameOf } from './proc.mjs'
import { talk, tempDir, until } from './rehearsal.ts'

test('a lock has one holder at a time, and is free after it is released', () => {
  const path = join(tempDir(), 'lock')
  const first = takeLock(path, 'the first')
  assert.equal(first.holder, null)
  const second = takeLock(path, 'the second')
  assert.deepEqual([second.holder?.pid, second.holder?.what], [process.pid, 'the first'])
  if (first.holder === null) first.release()
  assert.equal(takeLock(path, 'the third').holder, null)
})

test('a lock whose holder has ended is free, even when its pid now belongs to another process', () => {
  const dir = tempDir()
  const dead = spawnSync('true').pid
  for (const holder of [
    { pid: dead, begun: '1', boot: bootId() },
    { ...nameOf(process.pid), begun: '1' },
    { ...nameOf(process.pid), boot: 'another boot' },
  ]) {
    writeFileSync(join(dir, 'lock.7'), JSON.stringify(holder))
    const lock = takeLock(join(dir, 'lock'), 'we')
    assert.equal(lock.holder, null)
    if (lock.holder === null) lock.release()
  }
})

test('when many processes find a stale lock at the same time, exactly one takes it', async () => {
  const dir = tempDir()
  const script = join(dir, 'take.mjs')
  const lockModule = join(import.meta.dirname, 'lock.mjs')
  writeFileSync(
    script,
    `import { existsSync } from 'node:fs'
     import { takeLock } from ${JSON.stringify(lockModule)}
     console.log('ready')
     while (!existsSync(process.argv[2])) {}
     const got = []
     for (let i = 0; i < 20; i++) got.push(takeLock(${JSON.stringify(dir)} + '/lock.' + i, 'x').holder === null ? 1 : 0)
     console.log('took ' + got.join(',') + '.')
     setInterval(() => {}, 60_000)`,
  )
  for (let i = 0; i < 20; i++) writeFileSync(join(dir, `lock.${i}.3`), JSON.stringify({ pid: 1, begun: 'long ago', boot: '' }))
  const go = join(dir, 'go')
  const takers = Array.from({ length: 6 }, () => talk(process.execPath, [script, go]))
  await Promise.all(takers.map(taker => taker.waitFor('ready')))
  writeFileSync(go, '')
  // No taker leaves before all have tried: a lock whose taker is gone may be taken again.
  await Promise.all(takers.map(taker => taker.waitFor('.')))
  for (const { child } of takers) child.kill('SIGKILL')
  const taken = takers.map(taker => /took (.*)\./.exec(taker.output())![1]!.split(','))
  const sums = Array.from({ length: 20 }, (_, i) => taken.reduce((sum, one) => sum + Number(one[i]), 0))
  assert.deepEqual(
    sums,
    Array.from({ length: 20 }, () => 1),
  )
  assert.ok(!existsSync(join(dir, 'lock.0.3')))
})

test('a zombie process counts as not running', async () => {
  // The shell starts a child, then becomes a program that never asks after it.
  const { child, output, waitFor } = talk('sh', ['-c', 'true & echo "child $!."; exec sleep 60'])
  await waitFor('.')
  const pid = Number(/\d+/.exec(output())![0])
  await until('it is a zombie', () => look(pid) === null)
  assert.ok(existsSync(`/proc/${pid}`))
  assert.notEqual(look(child.pid!), null)
  child.kill('SIGKILL')
})

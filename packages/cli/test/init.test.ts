import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ADMIN_KEY, openShop } from '../../../test/shop.ts'
import { openTerminal, program } from './run.ts'

/** What `switchyard init` writes. That it works: `shops.test.ts`, which installs it from the registry. */

const here = join(import.meta.dirname, '../../..')
const frameworks = ['express', 'fastify', 'next']
const read = (...path: string[]) => readFileSync(join(...path), 'utf8')
const manifestOf = (...path: string[]) => JSON.parse(read(...path)) as { name: string; dependencies: Record<string, string> }

test('a new shop has the API keys of its merchant in a file that only its owner can read and that git ignores', async () => {
  const shop = await openShop()
  const terminal = await openTerminal({
    SWITCHYARD: shop.url,
    SWITCHYARD_KEY: shop.api_key,
    SWITCHYARD_MERCHANT: shop.merchant_id,
    ADMIN_KEY,
  })
  for (const framework of frameworks) {
    const folder = join(terminal.folder, `${framework} Shop`)
    const { code, out, err } = await terminal.run('init', folder, '--framework', framework, '--json')
    equal(code, 0, err)
    const said = JSON.parse(out)
    deepEqual(said.missing_settings, [])
    for (const file of ['.env', '.env.example', '.gitignore', 'README.md', 'package.json', 'shop.js', 'shop.test.js'])
      ok(said.files.includes(file), file)
    equal(statSync(join(folder, '.env')).mode & 0o777, 0o600)
    match(read(folder, '.gitignore'), /^\.env$/m)
    const env = read(folder, '.env')
    for (const value of [shop.url, shop.api_key, shop.publishable_key]) ok(env.includes(`=${value}\n`), value)
    match(env, /^WEBHOOK_SECRET=whsec_.{20,}$/m)
    const example = read(folder, '.env.example')
    for (const secret of [shop.api_key, shop.publishable_key, 'whsec_']) ok(!example.includes(secret))
    const { name, dependencies } = manifestOf(folder, 'package.json')
    equal(name, `${framework}-shop`)
    for (const version of Object.values(dependencies)) match(version, /^\d+\.\d+\.\d+$/)
  }
})

test('a shop created without a profile lists the settings that are missing', async () => {
  const terminal = await openTerminal()
  const { code, out } = await terminal.run('init', join(terminal.folder, 'shop'), '--framework', 'express')
  equal(code, 0)
  match(out, /Fill in, in \.env: SWITCHYARD, SWITCHYARD_KEY, PUBLISHABLE_KEY, WEBHOOK_SECRET/)
})

test('a folder that is not empty is refused with its file names, and --force keeps the existing files', async () => {
  const terminal = await openTerminal()
  const folder = join(terminal.folder, 'there')
  mkdirSync(folder)
  for (const name of ['notes.txt', '.env']) writeFileSync(join(folder, name), 'MINE=1\n')
  const refused = await terminal.run('init', folder, '--framework', 'express')
  equal(refused.code, 2)
  match(refused.err, /is not empty: it has \.env, notes\.txt/)
  deepEqual(readdirSync(folder).toSorted(), ['.env', 'notes.txt'])
  equal((await terminal.run('init', folder, '--framework', 'express', '--force')).code, 0)
  equal(read(folder, '.env'), 'MINE=1\n')
  equal(read(folder, 'notes.txt'), 'MINE=1\n')
})

test('without a terminal, the framework must be given as an option and is not prompted for', async () => {
  const terminal = await openTerminal()
  const folder = join(terminal.folder, 'shop')
  const unsaid = await terminal.run('init', folder)
  deepEqual([unsaid.code, unsaid.err], [2, 'switchyard: which framework? Give --framework: express, fastify, next\n'])
  equal((await terminal.run('init', folder, '--framework', 'koa')).code, 2)
  const none = await terminal.run('init', folder, '--framework', 'next', '--packages', terminal.folder)
  equal(none.code, 2)
  match(none.err, /has no @switchyard\/js, no @switchyard\/node/)
  deepEqual(
    readdirSync(terminal.folder).filter(name => name === 'shop'),
    [],
  )
})

test('at a terminal, the user is prompted for the framework until a valid one is entered', async () => {
  const terminal = await openTerminal()
  const folder = join(terminal.folder, 'asked')
  // `script` runs a command at a pseudo-terminal.
  const child = spawn('script', ['-qec', `${process.execPath} ${program} init ${folder}`, '/dev/null'], {
    env: { ...terminal.env, TERM: 'xterm' },
  })
  let said = ''
  let answers = ['koa', 'fastify']
  child.stdout.setEncoding('utf8').on('data', chunk => {
    said += chunk
    if (said.split('Which framework').length - 1 <= 2 - answers.length) return
    const [answer, ...more] = answers
    answers = more
    if (answer !== undefined) child.stdin.write(`${answer}\n`)
  })
  await new Promise(resolve => child.on('close', resolve))
  match(said, /npm run dev/)
  ok('fastify' in manifestOf(folder, 'package.json').dependencies, said)
})

test('the Next.js template uses the current versions of the browser packages', () => {
  const { dependencies } = manifestOf(here, 'packages/cli/templates/next/package.json')
  for (const name of ['js', 'react'])
    equal(dependencies[`@switchyard/${name}`], JSON.parse(read(here, 'packages', name, 'package.json')).version)
})

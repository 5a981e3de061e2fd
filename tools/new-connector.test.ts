import { equal, match, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { filesOf, whyNot, withLine } from './new-connector.ts'

const root = join(import.meta.dirname, '..')
const all = readFileSync(join(root, 'src', 'connectors', 'all.ts'), 'utf8')

test('a name that is taken, or that no file can have, is refused', () => {
  for (const name of [undefined, 'Acme', 'acme-pay', '../acme', '1']) match(whyNot(name, all)!, /usage/)
  match(whyNot('phonypay', all)!, /already/)
  equal(whyNot('acmepay', all), null)
})

test('a new connector has its line in the table, among the others', () => {
  const line = withLine(all, 'acmepay')
  match(line, /^import \{ acmepay \} from '\.\/acmepay\/connector\.ts'$/m)
  match(line, /\{ acmepay, .*phonypay.*\}/)
  for (const [, name] of all.matchAll(/from '\.\/(\w+)\/connector\.ts'/g)) ok(line.includes(`'./${name}/connector.ts'`), name)
})

test('what is made type-checks, and passes its first rehearsal', () => {
  const place = mkdtempSync(join(tmpdir(), 'switchyard-connector-'))
  after(() => rmSync(place, { recursive: true }))
  for (const name of ['src', 'test', 'launch', 'sandbox']) cpSync(join(root, name), join(place, name), { recursive: true })
  for (const name of ['tsconfig.json', 'package.json']) cpSync(join(root, name), join(place, name))
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  const folder = join(place, 'src', 'connectors')
  const files = Object.entries(filesOf('acmepay'))
  mkdirSync(join(folder, 'acmepay'))
  for (const [file, text] of files) writeFileSync(join(folder, file), text)
  writeFileSync(join(folder, 'all.ts'), withLine(all, 'acmepay'))
  const paths = files.map(([file]) => join('src', 'connectors', file))
  const config = { extends: './tsconfig.json', include: [], files: paths }
  writeFileSync(join(place, 'tsconfig.new.json'), JSON.stringify(config))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: place, env, encoding: 'utf8', stdio: 'pipe' })
  run(join(root, 'node_modules', '.bin', 'tsc'), '--noEmit', '-p', 'tsconfig.new.json')
  match(run(process.execPath, '--test', paths[2]!), /pass 1/)
})

import { equal, match, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { filesOf, whyNot, withLine, writeFiles } from './new-connector.ts'

const root = join(import.meta.dirname, '..')
const all = readFileSync(join(root, 'src', 'connectors', 'all.ts'), 'utf8')

test('a connector name that is taken or invalid is refused', () => {
  for (const name of [undefined, 'Acme', 'acme-pay', '../acme', '1']) match(whyNot(name, all)!, /usage/)
  match(whyNot('phonypay', all)!, /already/)
  match(whyNot('kit', all)!, /already/)
  equal(whyNot('acmepay', all), null)
})

test('a new connector is added to the table, beside the existing ones', () => {
  const line = withLine(all, 'acmepay')
  match(line, /^import \{ acmepay \} from '\.\/acmepay\/connector\.ts'$/m)
  match(line, /\{ acmepay, .*phonypay.*\}/)
  for (const [, name] of all.matchAll(/from '\.\/(\w+)\/connector\.ts'/g)) ok(line.includes(`'./${name}/connector.ts'`), name)
})

test('a generated connector passes the type checker, its own test and the conformance suite', () => {
  const place = mkdtempSync(join(tmpdir(), 'switchyard-connector-'))
  after(() => rmSync(place, { recursive: true }))
  for (const name of ['src', 'test', 'launch', 'sandbox']) cpSync(join(root, name), join(place, name), { recursive: true })
  for (const name of ['tsconfig.json', 'package.json', 'biome.json']) cpSync(join(root, name), join(place, name))
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  writeFiles('acmepay', place)
  const paths = Object.keys(filesOf('acmepay'))
  const config = { extends: './tsconfig.json', include: [], files: [...paths, 'src/connectors/all.ts'] }
  writeFileSync(join(place, 'tsconfig.new.json'), JSON.stringify(config))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: place, env, encoding: 'utf8', stdio: 'pipe' })
  const tool = (name: string) => join(root, 'node_modules', '.bin', name)
  run(tool('tsc'), '--noEmit', '-p', 'tsconfig.new.json')
  run(tool('biome'), 'check', '--vcs-enabled=false', ...paths)
  match(run(process.execPath, '--test', paths.find(path => path.endsWith('.test.ts'))!), /pass 2/)
  const suite = ['conformance', 'conformance-answers', 'conformance-secrets'].map(name => `src/connectors/${name}.test.ts`)
  cpSync(join(root, 'tools', 'names.test.ts'), join(place, 'tools', 'names.test.ts'))
  match(run(process.execPath, '--test', 'tools/names.test.ts'), /pass 2/)
  match(run(process.execPath, '--test', '--test-name-pattern=^acmepay:', ...suite), /pass [1-9]\d/)
})

import { deepEqual, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { suiteNames } from '../test/suites.ts'

const root = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const { jobs } = parse(readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8')) as {
  jobs: { suite: { strategy: { matrix: { command: string[] } } } }
}
const commands = jobs.suite.strategy.matrix.command

test('the nightly workflow runs each suite as a whole, by commands that exist', () => {
  const scriptOf = (command: string) => /^npm (?:run )?([\w:]+)/.exec(command)?.[1] ?? ''
  deepEqual(
    commands.filter(command => scripts[scriptOf(command)] === undefined),
    [],
  )
  for (const suite of suiteNames) ok(commands.includes(suite === 'fast' ? 'npm test' : `npm run test:${suite}`), suite)
})

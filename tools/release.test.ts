import { equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

test('the version of this release has its section in the changelog, under what is unreleased if there is any', () => {
  const [first, second] = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, name]) => name)
  equal(first === 'Unreleased' ? second : first, version)
})

test('whoever asks for the version is told the same: the lock file and the OpenAPI document', () => {
  const lock = JSON.parse(read('package-lock.json'))
  equal(lock.version, version)
  equal(lock.packages[''].version, version)
  equal(JSON.parse(read('docs/generated/openapi.json')).info.version, version)
})

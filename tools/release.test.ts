import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { imageOf } from './release/contents.ts'
import { disagreements, notesOf, versionOf, whyNotGreen } from './release/ready.ts'

// The parts of a release. A whole one, in a copy of the project: `launch/release.test.ts`.

const root = join(import.meta.dirname, '..')

test('the version has its section in the changelog, and is the same in lock file, OpenAPI document and packages', () => {
  deepEqual(disagreements(root), [])
  equal(typeof notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), versionOf(root)), 'string')
})

test('release notes are the changelog section of exactly their version', () => {
  const changelog = '# Changelog\n\n## 0.3.0\n\n- third\n\n### More\n\n- of it\n\n## 0.30.0\n\n- another\n\n## 0.2.0\n'
  equal(notesOf(changelog, '0.3.0'), '- third\n\n### More\n\n- of it')
  equal(notesOf(changelog, '0.2.0'), null)
  equal(notesOf(changelog, '0.1.0'), null)
})

test('test output counts as green only if it ends with passed tests and no failure', () => {
  equal(whyNotGreen('A whole run\n== fast\n12 passed, 0 failed\n\n3412 passed, 0 failed\n'), null)
  equal(whyNotGreen('A whole run\n3412 passed, 1 failed\n'), '3412 passed, 1 failed')
  equal(whyNotGreen('A whole run\n0 passed, 0 failed\n'), 'no test ran')
  for (const sample of ['', 'A sample: --sample 1\n3412 passed, 0 failed\n'])
    equal(whyNotGreen(sample)?.startsWith('it is not a whole run'), true, sample)
  for (const cut of ['', '12 passed, 0 failed\n== the long suites'])
    equal(whyNotGreen(`A whole run\n${cut}`)?.startsWith('its last line is not "N passed, 0 failed"'), true, cut)
})

test('the description of the image matches the Dockerfile', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const image = imageOf(dockerfile, { version: '0.3.0', revision: 'a'.repeat(40), time: '2026-01-01T00:00:00.000Z' })
  deepEqual([image.user, image.ports, image.writable, image.command.at(-1)], ['node', [8080], ['/files'], 'src/main.ts'])
  equal(image.env.MODE, 'live')
  equal(image.labels['org.opencontainers.image.base.name'], 'node:24-bookworm-slim')
  equal(image.build.includes('org.opencontainers.image.version=0.3.0'), true)
})

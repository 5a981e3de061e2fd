import { deepEqual, match } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const pages = join(root, 'packages/dashboard/src')

test('the Dockerfile copies exactly the service files that the dashboard imports', () => {
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name))
  const imported = files.flatMap(name =>
    [...readFileSync(join(pages, name), 'utf8').matchAll(/from '((?:\.\.\/)+src\/[^']+)'/g)].map(([, path]) =>
      relative(root, join(pages, dirname(name), path!)),
    ),
  )
  const copied = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^COPY (src\/.+\.ts) \.\/src\/\w+\/$/gm)].flatMap(
    ([, files]) => files!.split(' '),
  )
  deepEqual([...new Set(imported)].sort(), copied.sort())
  match(
    readFileSync(join(root, 'Dockerfile'), 'utf8'),
    /^COPY docs\/generated\/openapi\.json \.\/docs\/generated\/$/m,
    'forms are read off it',
  )
})

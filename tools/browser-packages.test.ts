import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loader } from '../src/pages/sdk.ts'

/** What is published for browsers. What a browser makes of it: `test/browser/element-packages.test.ts`. */

const folder = join(import.meta.dirname, '../packages')
type Load = (key: string, options: { baseUrl: string }) => Promise<unknown>

for (const [name, files] of [
  ['js', ['README.md', 'index.d.ts', 'index.js', 'package.json', 'switchyard.d.ts']],
  ['react', ['README.md', 'index.d.ts', 'index.js', 'package.json']],
] as const)
  test(`the package @switchyard/${name} contains exactly the expected files`, () => {
    const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: join(folder, name),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const packed = JSON.parse(output)
    const [one] = Array.isArray(packed) ? packed : Object.values(packed)
    deepEqual(one.files.map((file: { path: string }) => file.path).toSorted(), files)
    equal(one.name, `@switchyard/${name}`)
    equal(one.version, loader.version, 'the packages and the script are of one version')
    const { license, exports } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))
    equal(license, 'Apache-2.0')
    for (const path of Object.values(exports['.']) as string[]) ok((files as readonly string[]).includes(path.slice(2)), path)
  })

test('loadSwitchyard returns null on a server', async () => {
  const { loadSwitchyard } = (await import(join(folder, 'js/index.js'))) as { loadSwitchyard: Load }
  equal(await loadSwitchyard('pk_snd_x', { baseUrl: 'https://pay.example' }), null)
})

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { endpoints } from '../src/http/endpoints.ts'
import { listOperations } from './packages/pages.ts'
import { buildPackages, published } from './packages.ts'

/** What merchants install is made of the tables, and has the shape that is published. */

const root = join(import.meta.dirname, '..')
const folder = join(root, 'packages')
before(() => buildPackages())

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'node_modules', program), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  equal(status, 0, stdout + stderr)
  return stdout
}

test('every operation that takes a key and is no alias has an SDK method, and each method has a unique name', () => {
  const listed = listOperations()
  const names = listed.map(({ resource, method }) => `${resource}.${method}`)
  equal(new Set(names).size, names.length)
  const withKey = endpoints
    .filter(({ auth, aliasOf }) => /secret|admin/.test(auth.credential) && aliasOf === undefined)
    .map(({ name }) => name)
  ok(withKey.length > 200)
  const has = new Set(listed.map(({ operation }) => operation.operationId))
  deepEqual(
    withKey.filter(name => !has.has(name)),
    [],
  )
  const aliases = endpoints.filter(({ aliasOf }) => aliasOf !== undefined)
  for (const { name, aliasOf } of aliases) {
    ok(!has.has(name), name)
    ok(
      endpoints.some(one => one.name === aliasOf && one.aliasOf === undefined),
      `${name} is an alias of ${aliasOf}: name the operation that it repeats`,
    )
  }
  for (const name of ['payments.create', 'payments.confirm', 'payments.capture', 'payments.cancel', 'payments.retrieve', 'payments.list'])
    ok(names.includes(name), name)
})

/** What npm would publish of a package. */
const packed = (name: string): string[] => {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(folder, name),
    encoding: 'utf8',
  })
  equal(status, 0, stderr)
  const report = JSON.parse(stdout) as { files: { path: string }[] }[] | Record<string, { files: { path: string }[] }>
  return Object.values(report)[0]!.files.map(({ path }) => path)
}

test('published packages have names that are ours to take, and documents run only commands of these packages', () => {
  const names = published.map(name => JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).name as string)
  // In a scope only its owner can publish; the bare name belongs to a stranger on the public registry.
  for (const name of names) match(name, /^@switchyard\/[a-z]+$/)
  const pages = globSync(
    '{*.md,docs/**/*.md,packages/*/README.md,packages/site/**/*.md,packages/dashboard/src/**/*.tsx,packages/cli/{src,templates}/**/*}',
    {
      cwd: root,
      exclude: file => file.includes('node_modules'),
    },
  ).filter(file => statSync(join(root, file)).isFile())
  ok(pages.length > 50)
  const strange = pages.flatMap(file =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /\b(?:npx|npm exec|npm install(?: -g)?|npm i(?: -g)?) (?:-\S+ )*(@?[a-z][\w./-]*)/g,
      ),
    ]
      .map(([all, name]) => [all, name!] as const)
      .filter(([, name]) => /switchyard/.test(name) && !names.includes(name.replace(/@[\d.^~]+$/, '')))
      .filter(([all]) => !(file === 'packages/cli/README.md' && all === 'npx switchyard'))
      .map(([all]) => `${file}: ${all}`),
  )
  deepEqual(strange, [])
})

test('the SDK is published as JavaScript and types, without its sources, and passes the package checks', () => {
  const files = packed('node')
  for (const file of ['package.json', 'README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/made/interface.d.ts'])
    ok(files.includes(file), file)
  deepEqual(
    files.filter(file => !/^(package\.json|README\.md|dist\/)/.test(file)),
    [],
  )
  run('publint/src/cli.js', ['--strict', 'node'])
  run('@arethetypeswrong/cli/dist/index.js', ['--pack', 'node', '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'])
})

test('the SDK is at most 25 kB of compressed JavaScript, and imports nothing', () => {
  const code = packed('node')
    .filter(file => file.endsWith('.js'))
    .map(file => readFileSync(join(folder, 'node', file), 'utf8'))
  const size = gzipSync(code.join('\n')).length
  process.stdout.write(`# @switchyard/node: ${(size / 1000).toFixed(1)} kB compressed\n`)
  ok(size < 25_000, String(size))
  for (const text of code)
    deepEqual(
      [...text.matchAll(/from '([^.'][^']*)'/g)].map(([, name]) => name),
      [],
    )
})

test('the command line package contains its program and all templates, and passes the package checks', () => {
  const files = packed('cli')
  for (const file of ['package.json', 'README.md', 'dist/main.js']) ok(files.includes(file), file)
  // npm leaves out some names (a .gitignore), and nothing says so.
  const templates = globSync('templates/**/*', { cwd: join(folder, 'cli') }).filter(file => statSync(join(folder, 'cli', file)).isFile())
  ok(templates.length > 20)
  deepEqual(
    templates.filter(file => !files.includes(file)),
    [],
  )
  deepEqual(
    files.filter(file => !/^(package\.json|README\.md|dist\/.+\.js|templates\/.+)$/.test(file)),
    [],
  )
  run('publint/src/cli.js', ['--strict', 'cli'])
})

test('the browser packages pass the package checks', () => {
  for (const name of ['js', 'react']) {
    run('publint/src/cli.js', ['--strict', name])
    run('@arethetypeswrong/cli/dist/index.js', ['--pack', name, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'])
  }
})

test('a bundle with a part of the SDK is as small as its README states', async () => {
  const { build } = await import(join(folder, 'node_modules/esbuild/lib/main.js'))
  const readme = readFileSync(join(folder, 'node/README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| `?(\w+)`? \| ([\d.]+) kB \|$/gm)].map(([, name, kB]) => [name!, Number(kB) * 1000] as const)
  deepEqual(
    rows.map(([name]) => name),
    ['everything', 'createClient', 'webhooks', 'money'],
  )
  for (const [name, most] of rows) {
    const contents = `export ${name === 'everything' ? '*' : `{ ${name} }`} from '@switchyard/node'`
    const options = { bundle: true, minify: true, format: 'esm', write: false, stdin: { contents, resolveDir: folder } }
    const size = gzipSync((await build(options)).outputFiles[0].contents).length
    process.stdout.write(`# ${name}: ${(size / 1000).toFixed(1)} kB minified and compressed\n`)
    ok(size <= most && size > most * 0.6, `${name}: ${size} bytes, and README says at most ${most}`)
  }
})

test('packages have the version of the service', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const { version } = read('package.json')
  const cli = read('packages/cli/package.json')
  deepEqual([read('packages/node/package.json').version, cli.version, cli.dependencies['@switchyard/node']], [version, version, version])
})

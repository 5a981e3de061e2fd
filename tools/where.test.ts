import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** The cells of a row of a table in Markdown. */
const cellsOf = (row: string): string[] => row.split('|').slice(1, -1)
const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)

test('each name in the table Where to look of docs/architecture.md is declared in its listed file', () => {
  const [, section] = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8').split('## Where to look\n')
  const rows = section!
    .split('\n## ')[0]!
    .split('\n')
    .filter(line => line.startsWith('| ') && line.includes('.ts`'))
  ok(rows.length >= 15)
  for (const row of rows) {
    const [what, files, names] = cellsOf(row)
    const texts = quoted(files!).map(file => readFileSync(join(root, 'src', file), 'utf8'))
    for (const name of quoted(names!)) {
      const declared = new RegExp(`^export (async )?(type|const|function|class) ${name}\\b`, 'm')
      equal(texts.filter(text => declared.test(text)).length, 1, `${what}: ${name}`)
    }
  }
})

test('each threat on the security page lists tests that exist', () => {
  const [, section] = readFileSync(join(root, 'docs', 'security.md'), 'utf8').split('## Threats and what stops them\n')
  const rows = section!
    .split('\n## ')[0]!
    .split('\n')
    .filter(line => line.startsWith('| ') && !line.startsWith('| threat') && !line.startsWith('| ---'))
  ok(rows.length >= 15)
  for (const row of rows) {
    const [threat, , tests] = cellsOf(row)
    const held = quoted(tests!)
    ok(held.length > 0, `nothing holds${threat}`)
    for (const path of held) ok(existsSync(join(root, path)), `${path} is not there`)
  }
})

test('each folder in the tables of docs/architecture.md exists, and each folder of src and of src/payments is in them', () => {
  const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8')
  const named = (section: string): string[] =>
    section
      .split('\n## ')[0]!
      .split('\n')
      .filter(line => /^\| `/.test(line))
      .flatMap(row => quoted(cellsOf(row)[0]!))
  const [modules, folders] = [page.split('\n| module | contents |\n')[1]!, page.split('`payments` has these folders:\n')[1]!]
  const foldersIn = (place: string) => globSync('*/', { cwd: join(root, 'src', place) }).map(name => name.replace(/\/$/, ''))
  const ofModules = named(modules.split('`payments` has these folders:')[0]!)
  deepEqual(
    foldersIn('').filter(name => !ofModules.includes(name)),
    [],
  )
  for (const name of ofModules) ok(existsSync(join(root, 'src', name)), name)
  const ofPayments = named(folders.split('\n\nImports go')[0]!).map(name => name.replace(/\/$/, ''))
  deepEqual(ofPayments.toSorted(), ['payments', ...foldersIn('payments')].toSorted())
})

test('each file that the documents, guides and decisions name exists', () => {
  const pages = globSync('{README,CONTRIBUTING}.md', { cwd: root }).concat(
    globSync('docs/{*,guides/*,decisions/*,bridge/*}.md', { cwd: root }),
  )
  ok(pages.length > 200)
  // These show what is to be made.
  const recipes = ['docs/adding.md', 'docs/connectors.md']
  const beside = [
    '',
    'src',
    'docs',
    'test',
    'packages',
    'dashboard/src',
    'sandbox',
    'tools',
    'launch',
    'src/payments',
    'src/connectors',
    'src/pages',
    'packages/cli/src',
  ]
  const missing = pages
    .filter(page => !recipes.includes(page))
    .flatMap(page =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|mjs|js|sql|md|yaml))`/g)]
        .map(([, path]) => path!)
        .filter(path => !beside.some(folder => existsSync(join(root, folder, path))))
        .map(path => `${page}: ${path}`),
    )
  deepEqual(missing, [])
})

test('each library has a line in decision 0002', () => {
  const page = readFileSync(join(root, 'docs', 'decisions', '0002-libraries.md'), 'utf8')
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // Types belong to their library, and parts of one project share a line.
  const short = (name: string) => name.replace(/^@opentelemetry\/|-(?:arm64|x64)$/g, '')
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter(name => !name.startsWith('@types/'))
  deepEqual(
    names.filter(name => !page.includes(short(name))),
    [],
  )
})

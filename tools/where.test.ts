import { deepEqual, ok } from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
  ok(rows.length >= 25)
  for (const row of rows) {
    const [what, files, names] = cellsOf(row)
    const texts = quoted(files!).map(file => readFileSync(join(root, 'src', file), 'utf8'))
    const declares = (text: string, name: string) =>
      new RegExp(`^(export )?(async )?(type|const|function\\*?|class) ${name}\\b`, 'm').test(text)
    const wanted = quoted(names!)
    for (const name of wanted)
      ok(
        texts.some(text => declares(text, name)),
        `${what}: none of its files declares ${name}`,
      )
    if (wanted.length > 0)
      for (const [i, text] of texts.entries())
        ok(
          wanted.some(name => declares(text, name)),
          `${what}: ${quoted(files!)[i]} declares none of its names`,
        )
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

test('the table of modules in docs/architecture.md has the order of its arrows', () => {
  const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8')
  const arrows = /^`(base ← .*)`$/m.exec(page)![1]!.split(/[←{}, ]+/)
  const [, table] = page.split('\n| module | contents |\n')
  const listed = table!
    .split('\n\n')[0]!
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(row => quoted(cellsOf(row)[0]!))
    .map(name => name.replace(/\.ts$/, ''))
  deepEqual(
    listed,
    arrows.filter(name => name !== ''),
  )
})

test('the picture of the flow in docs/architecture.md names files and folders that exist', () => {
  const [, picture] = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8').split('```text\n')
  const paths = [...picture!.split('```')[0]!.matchAll(/[a-z][\w-]*\/[\w./-]*/g)].map(([path]) => path.replace(/[.]$/, ''))
  ok(paths.length > 15)
  deepEqual(
    paths.filter(path => !existsSync(join(root, 'src', path))),
    [],
  )
})

test('each file that the documents, guides and design notes name exists', () => {
  const pages = globSync('{README,CONTRIBUTING}.md', { cwd: root }).concat(
    globSync('docs/{*,guides/*,design/*,bridge/*}.md', { cwd: root }),
  )
  ok(pages.length > 80)
  // These show what is to be made.
  const recipes = ['docs/adding.md', 'docs/connectors.md']
  const beside = [
    '',
    'src',
    'docs',
    'test',
    'packages',
    'packages/dashboard/src',
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

test('the changelog has one line for each change, and at most 12 kB', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  ok(Buffer.byteLength(changelog) <= 12_000)
  deepEqual(
    changelog.split('\n').filter(line => line.length >= 200),
    [],
  )
})

const notes = globSync('docs/design/*.md', { cwd: root })

test('a design note fits two screens, ends its lines before column 120, and says what would end its choice', () => {
  ok(notes.length > 40)
  const wrong = notes.flatMap(note => {
    const lines = readFileSync(join(root, note), 'utf8').split('\n')
    return [
      ...(lines.length > 111 ? [`${note} has ${lines.length - 1} lines: split it by topic`] : []),
      ...(lines.includes('## What would end it') ? [] : [`${note} lacks its heading "What would end it"`]),
      ...lines.flatMap((line, i) => (line.length >= 120 ? [`${note}:${i + 1} has ${line.length} columns`] : [])),
    ]
  })
  deepEqual(wrong, [])
})

/** The headings of a page, as they are spelled in links. */
const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('each link between the documents leads to a file, and to one of its headings', () => {
  const pages = globSync('{*,docs/{*,guides/*,design/*,bridge/*,generated/*},packages/*/README,bench/yardstick/README}.md', { cwd: root })
  const dead = pages.flatMap(page =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href]) => {
      const [path = '', anchor] = href!.split('#')
      // An address of the Internet, or of a running service.
      if (/^(?:[a-z]+:|\/)/.test(path)) return []
      const file = path === '' ? join(root, page) : join(root, dirname(page), path)
      if (!existsSync(file)) return [`${page}: ${href}`]
      return anchor === undefined || !file.endsWith('.md') || anchorsOf(file).includes(anchor) ? [] : [`${page}: ${href}`]
    }),
  )
  deepEqual(dead, [])
})

test('each design note that code, scripts or documents name by its path exists', () => {
  const files = globSync(
    '{*,.ci/*,{src,sandbox,test,tools,launch,bench,ha,deploy,examples}/**/*.{ts,tsx,js,mjs,sql,md,yaml},packages/**/src/**/*,packages/{page-scripts,site}/**/*.ts,docs/**/*.md}',
    { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] },
  ).filter(file => statSync(join(root, file)).isFile())
  ok(files.length > 1500)
  const named = files.flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/docs\/(?:design|decisions)\/[\w-]+(?:\.md)?/g)].map(([path]) => ({ file, path })),
  )
  ok(named.length > 30)
  deepEqual(
    named
      // An applied migration never changes, so these comments keep the paths of their time.
      .filter(({ file }) => !file.startsWith('src/database/migrations/'))
      .filter(({ path }) => !existsSync(join(root, path)))
      .map(({ file, path }) => `${file}: ${path}`),
    [],
  )
})

test('each library has a line in the design note of libraries', () => {
  const page = readFileSync(join(root, 'docs', 'design', 'libraries.md'), 'utf8')
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // Types belong to their library, and parts of one project share a line.
  const short = (name: string) => name.replace(/^@opentelemetry\/|-(?:arm64|x64)$/g, '')
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter(name => !name.startsWith('@types/'))
  deepEqual(
    names.filter(name => !page.includes(short(name))),
    [],
  )
})

test('each word of docs/words.md is used in ten lines of the code', () => {
  const sources = globSync('{src,test}/**/*.ts', { cwd: root }).map(file => readFileSync(join(root, file), 'utf8'))
  const lines = sources.join('\n').split('\n')
  const words = [...readFileSync(join(root, 'docs/words.md'), 'utf8').matchAll(/^\| ([a-z -]+) \|/gm)].map(([, word]) => word!)
  ok(words.length > 20)
  // In a name, the parts of a word may be joined in any way.
  const uses = (word: string): number => lines.filter(line => new RegExp(word.replace(/[ -]/, '.?'), 'i').test(line)).length
  deepEqual(
    words.filter(word => uses(word) < 10),
    [],
  )
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allTables, type Table } from '../src/database/table.ts'
// All tables are described once this is loaded.
import '../src/service.ts'
import { code, page, table } from './markdown.ts'

const root = join(import.meta.dirname, '..')

const textsOf = (pattern: string): { file: string; text: string }[] =>
  globSync(pattern, { cwd: root, exclude: ['**/*.test.ts'] })
    .toSorted()
    .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** The file that describes each table. */
function describedIn(): Map<string, string> {
  const described = textsOf('src/**/*.ts').flatMap(({ file, text }) =>
    [...text.matchAll(/= table\(\s*'(\w+)'/g)].map(([, name]) => [name!, file] as const),
  )
  return new Map(described)
}

/** The tables that the migrations leave behind. */
function inDatabase(): Set<string> {
  const names = new Set<string>()
  for (const { text } of textsOf('src/database/migrations/*.sql'))
    for (const [, made, dropped] of text.matchAll(/\bcreate (?:unlogged )?table (\w+)|\bdrop table (?:if exists )?(\w+)/g))
      if (made !== undefined) names.add(made)
      else names.delete(dropped!)
  return names
}

const traitsOf = ({ kind, money, cached, audited, secret, listed }: Table): string =>
  Object.entries({
    [`history as \`${kind}\``]: kind !== null,
    'moves money': money,
    'in memory of each process': cached,
    audited,
    secret,
    listed: listed !== null,
  })
    .filter(([, holds]) => holds)
    .map(([trait]) => trait)
    .join(', ')

export function tablesPage(): string {
  const files = describedIn()
  const tables = allTables().filter(({ name }) => files.has(name))
  const rest = [...inDatabase()].filter(name => !files.has(name)).toSorted()
  return page(
    'Tables',
    'Every table of the database, with the file whose comment says what it is for. *History*: each change of a row is kept in `changes`, and written under the guard of its version ([rows and migrations](../design/rows-and-migrations.md)). *Audited*: each change is in the audit log.',
    table(
      ['table', 'described in', 'key', 'traits'],
      tables
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(one => [code(one.name), code(files.get(one.name)!), one.key.join(', '), traitsOf(one)]),
    ),
    `Written by SQL statements alone, without a description of columns: ${rest.map(code).join(', ')}.`,
  )
}

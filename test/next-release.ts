import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The folder of migrations in the sources of a release. */
export const MIGRATIONS = join('src', 'database', 'migrations')

const columns = 'add column of_the_next_release text, add column count_of_the_next_release int not null default 0'

/**
 * Migrations that the next release might bring: they only add (docs/design/rows-and-migrations.md), to every existing
 * table. Requests of this release must go on being answered as before while the next one is rolled out.
 */
export const nextMigrations: Readonly<Record<string, string>> = {
  '901.do.sql': `alter table payments ${columns}; create view connectors_of_the_next_release as select distinct connector from payments`,
  '902.do.sql': `alter table processor_operations ${columns}; alter table changes ${columns}`,
  '903.do.sql': `
    create table things_of_the_next_release (merchant_id text collate "C" primary key, n int not null);
    do $$
    declare
      other text;
    begin
      for other in
        select c.relname from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_version'
          and not exists (select from pg_attribute where attrelid = c.oid and attname = 'of_the_next_release')
      loop
        execute 'alter table ' || other || ' ${columns}';
      end loop;
    end $$`,
  '904.outside.sql': 'create index concurrently if not exists payments_of_the_next_release on payments (connector, merchant_id)',
  '905.outside.sql': "alter type operation_verb add value if not exists 'verb_of_the_next_release'",
}

/** Writes these migrations into an existing folder. */
export function writeMigrations(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, sql] of Object.entries(files)) writeFileSync(join(folder, file), sql)
}

/** Makes a folder with the sources of this release and the migrations of the next one. Gives its path. */
export function nextRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-next-'))
  for (const part of ['src', 'package.json']) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeMigrations(join(folder, MIGRATIONS), nextMigrations)
  return folder
}

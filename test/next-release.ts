import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Where migrations lie in the sources of a release. */
export const MIGRATIONS = join('src', 'database', 'migrations')

const columns = 'add column of_the_next_release text, add column count_of_the_next_release int not null default 0'

/**
 * What the release after this one might bring: it only adds (docs/decisions/0019-migrations.md), to every table that
 * there is. Requests of this release must go on being answered as they were while the other is rolled out.
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

/** Writes these migrations into a folder that is there. */
export function writeMigrations(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, sql] of Object.entries(files)) writeFileSync(join(folder, file), sql)
}

/** The sources of this release with those migrations, in a folder of their own. */
export function nextRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-next-'))
  for (const part of ['src', 'package.json']) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeMigrations(join(folder, MIGRATIONS), nextMigrations)
  return folder
}

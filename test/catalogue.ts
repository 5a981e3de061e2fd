import type pg from 'pg'

/**
 * What PostgreSQL's catalogue says of the schema `public`, a line for each thing, sorted: tables with their storage
 * parameters, columns (by name, so that their order does not count), constraints, indexes, triggers, functions, words
 * of enum types, views, sequences, and what else there might be; and the rows that are there.
 */
export async function catalogueOf(client: pg.Client): Promise<string[]> {
  const lines: string[] = []
  for (const [what, query] of Object.entries(questions)) {
    const { rows } = await client.query<{ line: string }>(query)
    lines.push(...rows.map(({ line }) => `${what} ${line}`))
  }
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> 'schema_version'`,
  )
  for (const { name } of tables) {
    // As jsonb its members are sorted.
    const { rows } = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)
    lines.push(...rows.map(({ row }) => `row of ${name} ${row}`))
  }
  return lines.sort()
}

const ours = `relnamespace = 'public'::regnamespace and c.relname <> 'schema_version'`

const questions = {
  table: `select concat_ws(' ', relname, relkind, relpersistence, reloptions, relrowsecurity, relreplident, relacl, reltablespace, amname) as line
    from pg_class c left join pg_am on pg_am.oid = relam where relkind in ('r', 'p', 'f', 'm') and ${ours}`,
  toast: `select concat_ws(' ', c.relname, t.reloptions) as line from pg_class c join pg_class t on t.oid = c.reltoastrelid where c.${ours}`,
  column: `select concat_ws(' ', relname || '.' || attname, format_type(atttypid, atttypmod), case when attnotnull then 'not null' end,
      'default ' || pg_get_expr(adbin, adrelid), 'identity ' || nullif(attidentity::text, ''), 'generated ' || nullif(attgenerated::text, ''),
      'collate ' || nullif(attcollation, 0)::regcollation::text, 'storage ' || attstorage::text, attcompression::text, attstattarget, attoptions::text) as line
    from pg_class c join pg_attribute a on attrelid = c.oid and attnum > 0 and not attisdropped left join pg_attrdef on adrelid = c.oid and adnum = attnum
    where relkind in ('r', 'p') and ${ours}`,
  // Not null stands with the columns; its constraints have names, which nobody ever sees.
  constraint: `select concat_ws(' ', relname, conname, contype, convalidated, condeferrable, pg_get_constraintdef(k.oid)) as line
    from pg_constraint k join pg_class c on c.oid = conrelid where contype <> 'n' and ${ours}`,
  index: `select concat_ws(' ', pg_get_indexdef(i.oid), x.indisprimary, x.indisunique, x.indisvalid, x.indnullsnotdistinct, i.reloptions) as line
    from pg_index x join pg_class i on i.oid = indexrelid join pg_class c on c.oid = indrelid where c.${ours}`,
  // Of several that begin alike the planner may take the newest.
  newest: `select c.relname || ' ' || (select i.relname from pg_index x join pg_class i on i.oid = indexrelid where indrelid = c.oid order by i.oid desc limit 1) as line
    from pg_class c where c.relkind = 'r' and exists (select from pg_index where indrelid = c.oid) and ${ours}`,
  trigger: `select concat_ws(' ', tgenabled, pg_get_triggerdef(t.oid)) as line from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal and ${ours}`,
  function: `select concat_ws(' ', oid::regprocedure, md5(pg_get_functiondef(oid))) as line from pg_proc where pronamespace = 'public'::regnamespace and prokind <> 'a'`,
  type: `select concat_ws(' ', typname, typtype, (select string_agg(enumlabel, ' ' order by enumsortorder) from pg_enum where enumtypid = t.oid)) as line
    from pg_type t where typnamespace = 'public'::regnamespace and typrelid = 0 and typelem = 0`,
  view: `select concat_ws(' ', relname, pg_get_viewdef(c.oid)) as line from pg_class c where relkind = 'v' and ${ours}`,
  sequence: `select concat_ws(' ', sequencename, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size, last_value) as line
    from pg_sequences where schemaname = 'public'`,
  rule: `select concat_ws(' ', tablename, rulename) as line from pg_rules where schemaname = 'public'`,
  policy: `select concat_ws(' ', tablename, policyname) as line from pg_policies where schemaname = 'public'`,
  extension: 'select extname as line from pg_extension',
  statistics: `select stxname as line from pg_statistic_ext`,
  partition: `select inhrelid::regclass::text as line from pg_inherits`,
  description: `select concat_ws(' ', d.objoid::regclass, d.objsubid, d.description) as line from pg_description d join pg_class c on c.oid = d.objoid where d.classoid = 'pg_class'::regclass and ${ours}`,
}

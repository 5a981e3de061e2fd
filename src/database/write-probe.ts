import type { Context } from '../context.ts'
import { statement } from './statement.ts'
import { bigint, table, text } from './table.ts'

/** Rows without meaning. A row fills most of a page, so that writing it takes new space on the disk. */
table('write_probes', { key: ['probe_id'], columns: { probe_id: bigint(), filler: text() } })

/** Bytes: more than half a page, so that no page has room for two. */
const FILLER = 7000

const write = statement(
  'write_probe',
  `with gone as (delete from write_probes where probe_id in (select probe_id from write_probes for update skip locked))
    insert into write_probes (filler) values (repeat('x', ${FILLER})) returning 1 as written`,
)

/** Returns why the database cannot write now, in its own words (a full disk is named by its file); null if it can. */
export async function whyNotWritten(context: Pick<Context, 'query'>): Promise<string | null> {
  try {
    await context.query(write, [])
    return null
  } catch (error) {
    const { cause, message } = error as Error
    return cause instanceof Error ? cause.message : message
  }
}

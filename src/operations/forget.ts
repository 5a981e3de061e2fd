import type { Context, Reads, Row, RowChange } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select, type Table } from '../database/table.ts'
import type { AggregateRow, Forgetting } from './verb.ts'

/** Removes the data of a deleted customer from heads; the heads stay. */

const REDACTED = 'Redacted'
const PAGE = 100

/** These parts of personal data stay: they identify no person. */
const harmless = ['country', 'acceptance_type', 'accepted_at']

const anonymous = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return harmless.includes(name) ? value : REDACTED
  if (Array.isArray(value)) return value.map(one => anonymous(one))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([member, its]) => [member, anonymous(its, member)]))
}

/** Makes these members of a request anonymous, and removes the browser's data, which together identify a person. */
export function requestWithout<A extends object>(request: A, names: readonly string[]): A {
  const { browser_info: _browser, ...rest } = request as A & { browser_info?: unknown }
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, names.includes(name) ? anonymous(value) : value])) as A
}

/**
 * `without`: a row, or its state before a change, without the customer's data. `kept`: the head's record in the vault,
 * if it may have one, and the rows that change with it.
 */
export type Forgets<H extends AggregateRow> = {
  table: Table
  find(context: Reads, merchant_id: string, object_id: string): Promise<H | undefined>
  without(row: Partial<H>, of: H): Partial<H>
  kept(head: H): { record: string; rows: RowChange[] } | null
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const record = statement('vault_record', 'select 1 as there from vault_records where merchant_id = $1 and record = $2')

function statementsOf(table: Table) {
  const { name, kind } = table
  const key = table.key.at(-1)!
  return {
    ofCustomer: statement(
      `${name}_of_customer`,
      select(table, `where merchant_id = $1 and customer_id = $2 and ${key} > $3 order by ${key} limit ${PAGE}`),
    ),
    past: statement(
      `past_of_${kind}`,
      `select version, was from changes where merchant_id = $1 and kind = '${kind}' and object_id = $2 order by version`,
    ),
    rewrite: statement(
      `rewrite_past_of_${kind}`,
      `update changes set was = $4 where merchant_id = $1 and kind = '${kind}' and object_id = $2 and version = $3`,
    ),
    forgetNetwork: statement(
      `forget_network_of_${kind}`,
      `update processor_operations set client_network = null
        where merchant_id = $1 and kind = '${kind}' and object_id = $2 and client_network is not null and poll_at is null`,
    ),
    forgotten: statement(
      `customer_of_${kind}_forgotten`,
      `select from ${name} o join customers c on c.merchant_id = $1 and c.customer_id = o.customer_id and c.redacted_at is not null
        where o.merchant_id = $1 and o.${key} = $2`,
    ),
  }
}

/** Removes a customer's data from a table's heads, histories and vault. A second run skips what the first has done. */
export function forgetter<H extends AggregateRow>({ table, find, without, kept }: Forgets<H>): Forgetting {
  const { name } = table
  const key = table.key.at(-1)!
  const { ofCustomer, past, rewrite, forgetNetwork, forgotten } = statementsOf(table)
  const idOf = (head: H): string => String((head as Row)[key])
  /** Removes the data in one change that records no earlier values. False: a concurrent change. */
  async function forgetNow(context: Context, before: H): Promise<boolean> {
    const { merchant_id } = before
    const after = without(before, before)
    const sealed = kept(before)
    const isThere = sealed !== null && (await context.query(record, [merchant_id, sealed.record])).length > 0
    if (same(before, after) && !isThere) return true
    const written = await context.commit({
      head: name,
      before,
      after: { ...before, ...after, modified_at: context.now() },
      rows: isThere ? sealed.rows : [],
      event: { type: 'payer_forgotten', announces: null },
      by: context.by,
      forgets: true,
    })
    return written.is === 'written'
  }

  async function forgetIn(context: Context, seen: H, each: Parameters<Forgetting['forget']>[2]): Promise<boolean> {
    const { merchant_id } = seen
    const id = idOf(seen)
    for (let before = seen; ; ) {
      // An operation in progress may have to be sent again, with the stored data.
      if (before.alone !== null) return false
      if (await forgetNow(context, before)) break
      before = (await find(context, merchant_id, id)) ?? seen
    }
    await context.query(forgetNetwork, [merchant_id, id])
    let rewritten = false
    for (const { version, was } of await context.query<{ version: number; was: Row }>(past, [merchant_id, id])) {
      const after = without(was as Partial<H>, seen)
      if (same(was, after)) continue
      await context.query(rewrite, [merchant_id, id, version, JSON.stringify(after)])
      rewritten = true
    }
    await each(id, rewritten || !same(seen, without(seen, seen)))
    return true
  }

  return {
    async forget(context, { merchant_id, customer_id }, each) {
      let whole = true
      for (let last = ''; ; ) {
        const page = await context.query<H & Row>(ofCustomer, [merchant_id, customer_id, last])
        for (const head of page) if (!(await forgetIn(context, head, each))) whole = false
        if (page.length < PAGE) return whole
        last = idOf(page.at(-1)!)
      }
    },
    isForgotten: async ({ query }, merchant_id, object_id) => (await query(forgotten, [merchant_id, object_id])).length > 0,
  }
}

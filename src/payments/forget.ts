import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { familyNamed } from '../means/families.ts'
import { vaultRecords } from '../vault/records.ts'
import type { Row, World } from '../world.ts'
import { payer } from './fields/payer.ts'
import { noLongerWaiting, recordName } from './means.ts'
import { type Asked, PAYMENT, type Payment, payments } from './payment.ts'
import { findPayment } from './rows.ts'

/** What payments hold of a person whose data was deleted: it goes, the payments stay (docs/decisions/0040-deletion.md). */

const REDACTED = 'Redacted'
const PAGE = 100

/** Of what is said of a payer these stay: they name nobody. */
const harmless = ['country', 'acceptance_type', 'accepted_at']

const anonymous = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return harmless.includes(name) ? value : REDACTED
  if (Array.isArray(value)) return value.map(one => anonymous(one))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([member, its]) => [member, anonymous(its, member)]))
}

/** What a request said, without who pays: texts say so, of an address the country is kept. The browser is gone: all of it together tells whose it is. */
function askedWithout(asked: Asked): Asked {
  const { browser_info: _browser, ...rest } = asked
  const told = [...Object.keys(payer), 'payment_method_billing']
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, told.includes(name) ? anonymous(value) : value])) as Asked
}

/** A row of a payment, or what one was before a change, without the person. */
function without<T extends Partial<Pick<Payment, 'asked' | 'card'>>>(row: T, method: string | undefined): T {
  const { asked, card } = row
  const forget = familyNamed(asked?.payment_method ?? method)?.forget
  return { ...row, ...(asked && { asked: askedWithout(asked) }), ...(card && forget && { card: forget(card) }) }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const ofCustomer = statement(
  'payments_of_customer',
  select(payments, `where merchant_id = $1 and customer_id = $2 and payment_id > $3 order by payment_id limit ${PAGE}`),
)
const past = statement(
  'past_of_payment',
  `select version, was from changes where merchant_id = $1 and kind = '${PAYMENT}' and object_id = $2 order by version`,
)
const rewrite = statement(
  'rewrite_past_of_payment',
  `update changes set was = $4 where merchant_id = $1 and kind = '${PAYMENT}' and object_id = $2 and version = $3`,
)
const forgetNetwork = statement(
  'forget_network_of_payment',
  `update processor_operations set client_network = null
    where merchant_id = $1 and kind = '${PAYMENT}' and object_id = $2 and client_network is not null and ask_at is null`,
)

type Whose = { merchant_id: string; customer_id: string }

/**
 * Takes a customer's person out of all their payments: out of the rows, their histories and the vault. `each`: is told of every payment whose history was rewritten. False if some are under way, so that this must be done
 * again. What was done before is found done.
 */
export async function forgetPayer(world: World, whose: Whose, each: (payment_id: string) => Promise<void>): Promise<boolean> {
  const { merchant_id, customer_id } = whose
  let whole = true
  for (let last = ''; ; ) {
    const page = await world.query<Payment>(ofCustomer, [merchant_id, customer_id, last])
    for (const payment of page) if (!(await forgetIn(world, payment, each))) whole = false
    if (page.length < PAGE) return whole
    last = page.at(-1)!.payment_id
  }
}

async function forgetIn(world: World, seen: Payment, each: (payment_id: string) => Promise<void>): Promise<boolean> {
  const { merchant_id, payment_id } = seen
  for (let before = seen; ; ) {
    // Whoever asks a processor now may have to ask again, with what is kept.
    if (before.alone !== null) return false
    if (await forgetNow(world, before)) break
    before = (await findPayment(world, merchant_id, payment_id)) ?? seen
  }
  await world.query(forgetNetwork, [merchant_id, payment_id])
  let rewritten = false
  const method = seen.asked.payment_method
  for (const { version, was } of await world.query<{ version: number; was: Row }>(past, [merchant_id, payment_id])) {
    const after = without(was, method)
    if (same(was, after)) continue
    await world.query(rewrite, [merchant_id, payment_id, version, JSON.stringify(after)])
    rewritten = true
  }
  if (rewritten || !same(seen, without(seen, method))) await each(payment_id)
  return true
}

/** The row and what the vault keeps of it, in one change that keeps nothing of what was. False if somebody else moved the payment meanwhile. */
async function forgetNow(world: World, before: Payment): Promise<boolean> {
  const { merchant_id } = before
  const after = without(before, before.asked.payment_method)
  if (same(before, after) && before.card === null) return true
  const family = familyNamed(before.asked.payment_method)
  const kept = before.card !== null && family ? recordName(family, before) : null
  const rows =
    kept === null ? [] : [{ table: vaultRecords.name, before: { merchant_id, record: kept }, after: null }, noLongerWaiting(before)]
  if (same(before, after) && !(await isKept(world, merchant_id, kept!))) return true
  const event = { type: 'payer_forgotten', announces: null }
  const written = await world.commit({
    head: payments.name,
    before,
    after: { ...after, modified_at: world.now() },
    rows,
    event,
    by: world.by,
    forgets: true,
  })
  return written.is === 'written'
}

const record = statement('vault_record', 'select 1 as there from vault_records where merchant_id = $1 and record = $2')
const isKept = async (world: World, merchant_id: string, name: string): Promise<boolean> =>
  (await world.query(record, [merchant_id, name])).length > 0

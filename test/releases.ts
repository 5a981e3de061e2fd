import { readFileSync } from 'node:fs'
import pg from 'pg'
import { type Context, isRowStatement, type Row } from '../src/context.ts'
import { openCommit } from '../src/database/commit.ts'
import { connectionSettings } from '../src/database/connection-settings.ts'
import { endFile } from './endings.ts'
import { payBody } from './merchant.ts'
import { type Body, cards, newDatabase, openPlace, openShop } from './shop.ts'

/**
 * The recording of a shop of one release: the statements that its payments of all kinds sent to the database, with
 * values and answers, and the payments as the service then showed them. `migrations`: the migrations that had made its
 * schema.
 */
export type Recorded = {
  migrations: string[]
  shop: { merchant_id: string; api_key: string; keys: string }
  statements: string[]
  calls: Call[]
  /** The objects as shown, the first of them a captured payment. */
  shown: { path: string; body: Body }[]
  /** The body of the payment that was made under the Idempotency-Key `k-1`. */
  kept: Body
}
type Call = [statement: number, values: unknown[], answer: Row[]]

type Frozen = { base64: string }
const isFrozen = (value: unknown): value is Frozen => typeof (value as Frozen | null)?.base64 === 'string'
const thawed = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(thawed) : isFrozen(value) ? Buffer.from(value.base64, 'base64') : value
const frozen = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(frozen) : Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value
const frozenRow = (row: Row): Row => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, frozen(value)]))

const HOLD = `pay_${'H'.repeat(26)}`
/** The body of the payment that is made under the Idempotency-Key `k-1`. */
const kept = payBody({ payment_id: `pay_${'K'.repeat(26)}` })

/**
 * Records a day of a shop of this release. All statements of its context go over one connection, so that they can be
 * run again in the same order; statements that read the database's clock are not recorded.
 */
export async function recordDay(migrations: string[]): Promise<Recorded> {
  const [statements, calls]: [string[], Call[]] = [[], []]
  const database = await newDatabase()
  const connection = new pg.Pool({ ...connectionSettings(database.url, 'a release'), max: 1 })
  // The database may be dropped while the connection's goodbye is still under way.
  connection.on('connect', client => client.on('error', () => {}))
  const say = async (text: string, values: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await connection.query<Row>({ text, values: [...values] })
    if (text.includes('clock_timestamp()')) return rows
    if (!statements.includes(text)) statements.push(text)
    calls.push([statements.indexOf(text), values.map(frozen), rows.map(frozenRow)])
    return rows
  }
  const recorded = (context: Context): Context => {
    const write = async ({ statement, values }: { statement: { text: string }; values: readonly unknown[] }) =>
      (await say(statement.text, values)).length > 0
    return {
      ...context,
      query: async <T extends Row>(statement: { name: string; text: string }, values: unknown[]) => {
        const rows = await say(statement.text, values)
        return (isRowStatement(statement) ? rows.map(({ row }) => statement.read(row as string)) : rows) as T[]
      },
      commit: openCommit({ write, close: async () => {} }, context),
    }
  }
  const drop = async () => {
    await connection.end()
    await database.drop()
  }
  const { keyFile } = await openPlace({}, recorded, async () => ({ url: database.url, drop }))
  const shop = await openShop()
  const shown = await dayOf(shop)
  const keys = readFileSync(keyFile, 'utf8')
  await endFile()
  return { migrations, shop: { merchant_id: shop.merchant_id, api_key: shop.api_key, keys }, statements, calls, shown, kept }
}

/** Makes payments of all kinds; gives the objects as shown at the end. */
async function dayOf(shop: Awaited<ReturnType<typeof openShop>>): Promise<Recorded['shown']> {
  await shop.hold({ payment_id: HOLD, amount: 1000, capture_method: 'manual_multiple', metadata: { order: 7 } })
  await shop.capture(HOLD, 400)
  await shop.capture(HOLD, 600)
  const refunds = [await shop.refund(HOLD, 300, { reason: 'too large' }), await shop.refund(HOLD, 200)]
  for (const _twice of [1, 2]) await shop.post('/payments', kept, { 'idempotency-key': 'k-1' })
  const declined = await shop.tryToPay({ card: cards.declines })
  await shop.processor.fault('lookup', '500_before', { times: 3 })
  const silent = await shop.tryToPay({ card: cards.chargesAndResets })
  const challenged = await shop.tryToPay({ authentication_type: 'three_ds' })
  const created = await shop.create({ customer_id: 'cus_ida' })
  await shop.confirm(created.payment_id)
  const saved = await shop.pay({
    customer_id: 'cus_ida',
    setup_future_usage: 'off_session',
    customer_acceptance: { acceptance_type: 'offline' },
  })
  const { body: methods } = await shop.call('GET', '/customers/cus_ida/payment_methods')
  const { payment_method_data: _new, ...by } = shop.payBody({ customer_id: 'cus_ida' })
  const again = await shop.post('/payments', { ...by, payment_token: methods.customer_payment_methods[0].payment_token, card_cvc: '737' })
  const held = await shop.hold()
  await shop.cancel(held.payment_id)
  await shop.post('/webhook_endpoints', { url: 'http://127.0.0.1:9/hooks' })
  const notified = await shop.pay({ currency: 'EUR' })
  await shop.wait('1 hour')
  const payments = [HOLD, kept.payment_id, declined.body, silent.body, challenged.body, created, saved, again.body, held, notified]
  const paths = [
    ...payments.map(payment => `/payments/${payment.payment_id ?? payment}`),
    ...refunds.map(({ body }) => `/refunds/${body.refund_id}`),
    '/payments/list?limit=100',
    '/refunds/list',
    '/customers/cus_ida',
    `/events?object_id=${HOLD}`,
  ]
  return Promise.all(paths.map(async path => ({ path, body: (await shop.call('GET', path)).body })))
}

/**
 * Runs the recorded statements again, over one connection that prepares each statement once; gives the answers that
 * differ from the recorded ones. `between` happens halfway, while the connection stays open.
 */
export async function sayAgain(url: string, { statements, calls }: Recorded, between?: () => Promise<unknown>): Promise<unknown[]> {
  const client = new pg.Client(connectionSettings(url, 'the release before'))
  await client.connect()
  const wrong: unknown[] = []
  try {
    for (const [i, [statement, values, answer]] of calls.entries()) {
      if (i === Math.floor(calls.length / 2)) await between?.()
      const text = statements[statement]!
      const { rows } = await client.query<Row>({ name: `said_${statement}`, text, values: values.map(thawed) })
      const again = rows.map((row, i) => Object.fromEntries(Object.keys(answer[i] ?? row).map(column => [column, frozen(row[column])])))
      if (JSON.stringify(again) !== JSON.stringify(answer)) wrong.push({ text, values, answer, again })
    }
  } finally {
    await client.end()
  }
  return wrong
}

/** Reduces `now` to the members that `then` has: members that were added later are left out. */
export function asThen(then: Body, now: Body): Body {
  if (Array.isArray(then) && Array.isArray(now)) return now.map((item, i) => (i in then ? asThen(then[i], item) : item))
  if (then === null || now === null || typeof then !== 'object' || typeof now !== 'object') return now
  return Object.fromEntries(Object.keys(then).map(name => [name, asThen(then[name], now[name])]))
}

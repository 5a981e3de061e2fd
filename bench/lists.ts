// The time that lists take with many payments: `npm run bench -- --lists 10000000`. Measures, and asserts nothing
// about time.
//
// The payments are made by SQL, as if they had been written with their listings: half of them of one merchant, the
// others of 1,000. Then every documented filter is requested, alone and in pairs: its first page, its hundredth page
// (by the last object of the page before, and by offset), and the total; each several times with other values, through
// the service's own code on one connection.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { startPostgres } from '../launch/postgres.ts'
import type { Context } from '../src/context.ts'
import { openReader, type Reader } from '../src/database/connection.ts'
import { migrate } from '../src/database/migrate.ts'
import type { PageRequest } from '../src/lists/conditions.ts'
import { exportRows } from '../src/lists/export.ts'
import { countAll, DEEPEST, type Inquiry, listPage } from '../src/lists/list.ts'
import { readConditions, readPostPart } from '../src/lists/read-conditions.ts'
import { listedPayments } from '../src/payments/list.ts'
import { table } from './figures.ts'

export const LARGE = 'shop_large'
const OTHERS = 1000
const PAGE = 20
const HUNDREDTH = 99 * PAGE
const TIMES = 20
/** How often totals are counted. Counting reads one entry for each object: a second for millions. */
const COUNTS = 2
/** The number of rows of the export that is measured. */
const EXPORTED = 1_000_000

type Ask = Record<string, unknown>

/** The combinations of values as in real shops: most payments are of few kinds, and some kinds are rare. */
const kindsOfAShop = `
  select status, currency, connector, 'mca_' || connector as merchant_connector_id, 'pro_1' as profile_id, payment_method, payment_method_type, authentication_type, card_network, card_discovery,
    (1.0 / (1 + s.o ^ 2.2)) * (1.0 / (1 + c.o ^ 1.5)) * (1.0 / (1 + n.o)) * (1.0 / (1 + p.o)) * (1.0 / (1 + a.o)) * (1.0 / (1 + d.o)) as weight
  from unnest(array['succeeded', 'failed', 'requires_capture', 'cancelled', 'partially_captured', 'requires_customer_action', 'processing', 'requires_payment_method', 'review', 'conflicted']) with ordinality s (status, o),
    unnest(array['USD', 'EUR', 'GBP', 'JPY', 'KWD']) with ordinality c (currency, o),
    unnest(array['Visa', 'Mastercard', 'AmericanExpress', 'JCB', 'DinersClub']) with ordinality n (card_network, o),
    unnest(array['phonypay', 'stripe']) with ordinality p (connector, o),
    unnest(array['no_three_ds', 'three_ds']) with ordinality a (authentication_type, o),
    unnest(array['manual', 'saved_card']) with ordinality d (card_discovery, o),
    (values ('card', 'credit')) m (payment_method, payment_method_type)`

const names = `array['status', 'currency', 'connector', 'merchant_connector_id', 'profile_id', 'payment_method', 'payment_method_type', 'authentication_type', 'card_network', 'card_discovery']`
const cells = `array[status, currency, connector, merchant_connector_id, profile_id, payment_method, payment_method_type, authentication_type, card_network, card_discovery]`

/** A kind's values in SQL, its number as `database/listing-kinds.ts` computes it, and its values as they are stored. */
const PAIRS = `(select string_agg(E'\\x1f' || n || '=' || w, '' order by o) from unnest(${names}, ${cells}) with ordinality as t (n, w, o))`
const KIND = `('x' || left(encode(sha256(convert_to('payment' || ${PAIRS}, 'UTF8')), 'hex'), 13))::bit(52)::bigint`
const FACETS = `(select json_object_agg(n, w order by o) from unnest(${names}, ${cells}) with ordinality as t (n, w, o))`

/**
 * Fills the database with payments of the last year, at random times, with their listings. None lies in the future.
 */
async function fill(url: string, payments: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const run = (text: string) => client.query(text)
  await run('set session_replication_role = replica')
  await run('set synchronous_commit = off')
  await run(`create temporary table shop_kinds as
    select *, ${KIND} as kind, (sum(weight) over (order by weight desc, status, currency, connector, authentication_type, card_network, card_discovery) / sum(weight) over ())::float8 as upto
    from (${kindsOfAShop}) kinds`)
  await run('create index on shop_kinds (upto)')
  await run('analyze shop_kinds')
  await run(`create temporary table made as
    select case when n % 2 = 0 then '${LARGE}' else 'shop_' || (1 + n / 2 % ${OTHERS}) end as merchant_id, 'pay_' || lpad(n::text, 26, '0') as payment_id,
      now() - random() * interval '365 days' as created, (100 + floor(exp(random() * 12)))::bigint as amount,
      case when n % 3 = 0 then 'cus_' || floor(random() * ${payments} / 20) end as customer_id, case when n % 4 = 0 then 'order-' || n end as reference, random() as die
    from generate_series(1, ${payments}) n`)
  await run('alter table made add column kind bigint')
  await run('update made set kind = (select kind from shop_kinds where upto >= die order by upto limit 1)')
  await run(`insert into listing_kinds (merchant_id, resource, kind, facets)
    select merchant_id, 'payment', kind, ${FACETS} from shop_kinds join (select distinct merchant_id, kind from made) had using (kind)`)
  await run(`insert into listings (merchant_id, kind, created, object_id, amount, customer_id, reference)
    select merchant_id, kind, created, payment_id, amount, customer_id, reference from made`)
  await run(`insert into payments (merchant_id, payment_id, version, sequence, status, profile_id, connector, merchant_connector_id, customer_id, currency, amount, net_amount, amount_authorized, amount_capturable,
      amount_capturing, amount_received, amount_refunding, amount_refunded, amount_disputed, capture_method, authentication_type, attempt_count, operation_count, refund_count, client_secret, request, created, modified_at, expires_on)
    select merchant_id, payment_id, 2, 1, status::payment_status, profile_id, connector, merchant_connector_id, customer_id, currency, amount, amount, amount, 0, 0, amount, 0, 0, 0, 'automatic', authentication_type, 1, 1, 0,
      payment_id || '_secret_x', '{"payment_method":"card","payment_method_type":"credit"}', created, created, created from made join shop_kinds using (kind)`)
  // Rows are marked as visible to all only after their commit was flushed. Without the marks, a vacuum would not make
  // index-only scans possible.
  await run('set synchronous_commit = on')
  await run('create table flushed ()')
  await run('vacuum analyze listings')
  await run('vacuum analyze payments')
  await run('vacuum analyze listing_kinds')
  await client.end()
}

const one = <T>(all: readonly T[], i: number): T => all[i % all.length]!

/** All documented filters, with common and rare values. */
const filters: Record<string, (i: number, payments: number) => Ask> = {
  'no filter': () => ({}),
  status: i => ({ status: [one(['succeeded', 'failed', 'review', 'conflicted', 'cancelled'], i)] }),
  currency: i => ({ currency: [one(['USD', 'EUR', 'KWD'], i)] }),
  connector: i => ({ connector: [one(['phonypay', 'stripe'], i)] }),
  merchant_connector_id: i => ({ merchant_connector_id: [one(['mca_phonypay', 'mca_stripe'], i)] }),
  profile_id: () => ({ profile_id: 'pro_1' }),
  payment_method: () => ({ payment_method: ['card'] }),
  payment_method_type: () => ({ payment_method_type: ['credit'] }),
  authentication_type: i => ({ authentication_type: [one(['three_ds', 'no_three_ds'], i)] }),
  card_network: i => ({ card_network: [one(['Visa', 'DinersClub', 'JCB'], i)] }),
  card_discovery: i => ({ card_discovery: [one(['manual', 'saved_card'], i)] }),
  customer_id: (i, n) => ({ customer_id: `cus_${Math.floor((i * 7919) % (n / 20))}` }),
  merchant_order_reference_id: (i, n) => ({ merchant_order_reference_id: `order-${((i * 7919) % Math.floor(n / 4)) * 4}` }),
  payment_id: (i, n) => ({ payment_id: `pay_${String((i * 7919) % n).padStart(26, '0')}` }),
  amount: i => ({
    amount_filter: one(
      [{ start_amount: 1250, end_amount: 1250 }, { start_amount: 100_000 }, { end_amount: 1000 }, { start_amount: 5000, end_amount: 6000 }],
      i,
    ),
  }),
  time: i => ({
    time_range: one(
      [
        { start_time: '2026-06-01T00:00:00Z', end_time: '2026-06-02T00:00:00Z' },
        { start_time: '2026-03-01T00:00:00Z', end_time: '2026-09-01T00:00:00Z' },
      ],
      i,
    ),
  }),
}

const pairs = Object.keys(filters)
  .flatMap((a, i, all) => all.slice(i + 1).map(b => [a, b] as const))
  .filter(([a]) => a !== 'no filter')

type Measured = { first: number[]; hundredth: number[]; behind: number[]; total: number[] }

async function measure(
  reader: Reader & Pick<Context, 'now' | 'listKinds'>,
  merchants: readonly string[],
  asks: (i: number) => Ask,
  counts = COUNTS,
): Promise<Measured> {
  const measured: Measured = { first: [], hundredth: [], behind: [], total: [] }
  const clock = async (into: number[], run: () => Promise<unknown>) => {
    const begin = performance.now()
    await run()
    into.push(performance.now() - begin)
  }
  for (let i = 0; i < TIMES; i++) {
    const merchant_id = one(merchants, i)
    const ask = asks(i)
    const inquiry = { context: reader, merchant_id, of: listedPayments, conditions: readConditions(listedPayments, ask) }
    const part = readPostPart(listedPayments, { limit: PAGE })
    await clock(measured.first, () => listPage(inquiry, part))
    // A page of a range of amounts cannot begin as deep by offset.
    const deepest =
      inquiry.conditions.amount.to < Number.MAX_SAFE_INTEGER || inquiry.conditions.amount.from > 0 ? DEEPEST.ofAmount : HUNDREDTH
    await clock(measured.hundredth, () => listPage(inquiry, { ...part, offset: deepest }))
    const after = await lastBefore(inquiry, HUNDREDTH)
    await clock(measured.behind, () => listPage(inquiry, { ...part, after }))
    if (i < counts) await clock(measured.total, () => countAll(inquiry))
  }
  return measured
}

/**
 * Returns the last object before a depth, found in steps of the allowed offset; null if there are not that many
 * objects.
 */
async function lastBefore(inquiry: Inquiry<typeof listedPayments.table>, depth: number): Promise<PageRequest['after']> {
  let after: PageRequest['after'] = null
  for (let left = depth; left > 0; left -= DEEPEST.ofAmount) {
    const part: PageRequest = { ...readPostPart(listedPayments, { limit: 1 }), offset: Math.min(left, DEEPEST.ofAmount) - 1, after }
    const [last] = await listPage(inquiry, part)
    if (!last) return null
    after = { created: last.created, id: last.payment_id }
  }
  return after
}

const at = (share: number, values: number[]): string => values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1]!.toFixed(1)

/** Measures every filter and every pair of filters, for a large shop and for small ones. */
async function measureAll(reader: Reader & Pick<Context, 'now' | 'listKinds'>, payments: number): Promise<string[][]> {
  const shops = { large: [LARGE], small: Array.from({ length: 20 }, (_, i) => `shop_${1 + i * 37}`) }
  const lines: string[][] = []
  for (const [shop, merchants] of Object.entries(shops)) {
    const asked: [string, (i: number) => Ask][] = [
      ...Object.entries(filters).map(([name, of]): [string, (i: number) => Ask] => [name, i => of(i, payments)]),
      ...pairs.map(([a, b]): [string, (i: number) => Ask] => [
        `${a} + ${b}`,
        i => ({ ...filters[a]!(i, payments), ...filters[b]!(i + Math.floor(i / 3), payments) }),
      ]),
    ]
    for (const [name, asks] of asked) {
      // The first pass is not counted, so that no disk reads are measured.
      await measure(reader, merchants, asks, 0)
      const { first, hundredth, behind, total } = await measure(reader, merchants, asks)
      lines.push([shop, name, ...[first, behind, hundredth, total].flatMap(values => [at(0.5, values), at(0.99, values)])])
      process.stderr.write(`${lines.at(-1)!.join('  ')}\n`)
    }
  }
  return lines
}

const MB = 1024 * 1024

/**
 * Measures an export of the large shop's payments, up to a million: its duration and memory. The memory in use is read
 * after a garbage collection, every hundred pages: memory is flat if it does not grow with the number of rows already
 * exported.
 */
async function measureExport(reader: Reader & Pick<Context, 'now' | 'listKinds'>): Promise<string> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const inUse = () => {
    collect()
    return process.memoryUsage().heapUsed / MB
  }
  const begin = performance.now()
  const used: number[] = []
  let rows = 0
  let pages = 0
  for await (const page of exportRows(reader, listedPayments, { merchant_id: LARGE, profiles: null }, {})) {
    rows += page.length
    if (pages++ % 100 === 0) used.push(inUse())
    if (rows >= EXPORTED) break
  }
  const seconds = (performance.now() - begin) / 1000
  const [first = 0, ...later] = used
  const most = Math.max(first, ...later)
  return `export of ${rows} payments: ${seconds.toFixed(0)} s, ${pages} pages; heap in use ${first.toFixed(1)} MB after the first page, at most ${most.toFixed(1)} MB`
}

/**
 * Opens a database with a number of payments for a measurement. `measure` also receives how the payments were made.
 * `kept`: a folder that keeps the payments for the next time.
 */
export async function withPayments<T>(
  payments: number,
  kept: string | null,
  measure: (reader: Reader & Pick<Context, 'now' | 'listKinds'>, made: string, url: string) => Promise<T>,
): Promise<T> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'switchyard-lists-'))
  const postgres = await startPostgres({
    dataDir: join(folder, 'pg'),
    // The settings are those that docs/deployment.md recommends.
    settings: { shared_buffers: '2GB', fsync: 'off', max_wal_size: '8GB', maintenance_work_mem: '512MB' },
  })
  try {
    await migrate(postgres.url)
    const made = await makeOrFind(postgres.url, payments)
    const reader = {
      ...openReader(postgres.url, 1, () => {}, { connect_ms: 4000, statement_ms: 60_000, silence_ms: 61_000 }),
      listKinds: new Map(),
      now: () => new Date().toISOString(),
    }
    const measured = await measure(reader, made, postgres.url)
    await reader.close()
    return measured
  } finally {
    await postgres.stop()
    if (kept === null) rmSync(folder, { recursive: true, force: true })
  }
}

async function makeOrFind(url: string, payments: number): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select count(*)::int as n from payments').finally(() => client.end())
  if (rows[0].n === payments) return 'as they were kept'
  if (rows[0].n > 0) throw new Error(`--kept has ${rows[0].n} payments, not ${payments}. Choose another folder`)
  const begin = performance.now()
  await fill(url, payments)
  return `made in ${((performance.now() - begin) / 1000).toFixed(0)} s`
}

/**
 * Makes a number of payments and measures their lists and an export. `kept`: the folder that keeps the payments
 * (`withPayments`).
 */
export const measureLists = (payments: number, kept: string | null): Promise<string> =>
  withPayments(payments, kept, async (reader, made) => {
    const exported = await measureExport(reader)
    const lines = await measureAll(reader, payments)
    const title = `${payments} payments, ${made}: half of them of one merchant (large), the others of ${OTHERS} (small); ms, p50 and p99`
    return `${title}\n\n${table([['shop', 'filter', 'first page', 'p99', 'hundredth', 'p99', 'by offset', 'p99', 'total', 'p99'], ...lines])}\n\n${exported}`
  })

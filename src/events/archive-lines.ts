import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRawSync, gunzip, gzip, inflateRawSync } from 'node:zlib'
import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { bytes, int, type RowOf, select, table, text, time } from '../database/table.ts'
import { type DataKey, newDataKey, openDataKey } from '../vault/data-keys.ts'

/**
 * The index of the event archive. The archive holds the webhook payloads of events in files of JSON lines, by merchant
 * and day (UTC, from the event ids). Each row of this table is one file. An event may be in several files, and is the
 * same in all of them.
 */
export const archiveParts = table('archive_parts', {
  key: ['merchant_id', 'day', 'part'],
  columns: { merchant_id: text(), day: text(), part: text(), first_id: text(), last_id: text(), events: int(), created: time() },
})
export type ArchivePart = RowOf<typeof archiveParts>

const recordName = (customer_id: string): string => `archive of ${customer_id}`

/**
 * The keys that seal events in the archive: one for each customer, and one under '' for a merchant's events without a
 * customer. The row is deleted with the customer, which makes the customer's data unreadable in all archive files and
 * all copies of them.
 */
const archiveKeys = table('archive_keys', {
  key: ['merchant_id', 'customer_id'],
  secret: true,
  columns: { merchant_id: text(), customer_id: text(), sealed: bytes(row => recordName(String(row.customer_id))) },
})

const keysOf = statement('archive_keys_of', select(archiveKeys, 'where merchant_id = $1 and customer_id = any($2)'))
const makeKeys = statement(
  'make_archive_keys',
  `insert into ${archiveKeys.name} (merchant_id, customer_id, sealed)
    select $1, customer_id, sealed from unnest($2::text[], $3::bytea[]) made (customer_id, sealed)
    where not exists (select from ${archiveKeys.name} k where k.merchant_id = $1 and k.customer_id = made.customer_id) on conflict do nothing`,
)
const forgetKey = statement('forget_archive_key', `delete from ${archiveKeys.name} where merchant_id = $1 and customer_id = $2`)

type Keeps = Pick<Context, 'query' | 'vault' | 'random'>

export async function findKeys(context: Keeps, merchant_id: string, customers: readonly string[]): Promise<ReadonlyMap<string, DataKey>> {
  const rows = await context.query<RowOf<typeof archiveKeys>>(keysOf, [merchant_id, customers])
  return new Map(
    rows.map(({ customer_id, sealed }) => [
      customer_id,
      openDataKey(context, context.vault.open(merchant_id, recordName(customer_id), sealed)),
    ]),
  )
}

export async function needKeys(context: Keeps, merchant_id: string, customers: readonly string[]): Promise<ReadonlyMap<string, DataKey>> {
  const found = await findKeys(context, merchant_id, customers)
  const lacks = customers.filter(customer_id => !found.has(customer_id))
  if (lacks.length === 0) return found
  const made = lacks.map(customer_id => context.vault.seal(merchant_id, recordName(customer_id), newDataKey(context)))
  await context.query(makeKeys, [merchant_id, lacks, made])
  return findKeys(context, merchant_id, customers)
}

/** Deletes a deleted customer's archive key, so that the customer's archived events can no longer be opened. */
export const forgetArchived = (context: Pick<Context, 'query'>, merchant_id: string, customer_id: string) =>
  context.query(forgetKey, [merchant_id, customer_id])

/** One event in an archive file: only the payload is sealed. `customer_id` is '' for an event without a customer. */
export type ArchiveLine = {
  event_id: string
  event_type: string | null
  object_id: string | null
  customer_id: string
  created: Time
  /** The customer's key: a new one if an event is archived after the customer was deleted. */
  key_id: string
  /** The payload, byte for byte: deflated, sealed under the key of this customer, in base64. */
  sealed: string
}

const boundTo = (merchant_id: string, event_id: string): string => `${merchant_id}\narchived event ${event_id}`

type Clear = Omit<ArchiveLine, 'key_id' | 'sealed'> & { body: string }

/** Seals one archive line; returns null if the key has been deleted meanwhile. */
export function sealLine(merchant_id: string, { body, ...line }: Clear, keys: ReadonlyMap<string, DataKey>): ArchiveLine | null {
  const key = keys.get(line.customer_id)
  if (!key) return null
  return { ...line, key_id: key.id, sealed: key.seal(deflateRawSync(body), boundTo(merchant_id, line.event_id)).toString('base64') }
}

/** Returns the payload, null once its key is deleted. Throws for a line that is not of this merchant and event. */
export function unsealLine(merchant_id: string, line: ArchiveLine, keys: ReadonlyMap<string, DataKey>): string | null {
  const key = keys.get(line.customer_id)
  if (!key || key.id !== line.key_id) return null
  return inflateRawSync(key.open(Buffer.from(line.sealed, 'base64'), boundTo(merchant_id, line.event_id))).toString()
}

/** Names begin with the merchant, so that all files of a merchant are listed together. */
export const archiveFile = ({ merchant_id, day, part }: Pick<ArchivePart, 'merchant_id' | 'day' | 'part'>): string =>
  `events/${merchant_id}/${day}/${part}.jsonl.gz`

/** Derived from the event ids: the same events give the same file again, and no other file is overwritten. */
export const partName = (lines: readonly Pick<ArchiveLine, 'event_id'>[]): string => {
  const ids = lines.map(line => line.event_id)
  return `${ids[0]}-${hash('sha256', ids.join('\n'), 'hex').slice(0, 16)}`
}

const [zip, unzip] = [promisify(gzip), promisify(gunzip)]

export const packed = (lines: readonly ArchiveLine[]): Promise<Buffer> => zip(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
export const unpacked = async (file: Buffer): Promise<ArchiveLine[]> =>
  (await unzip(file))
    .toString()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as ArchiveLine)

// The steps of a merchant's move from one deployment to another. The command may die after any step, and continues
// from there when it is run again (docs/design/moving-merchants.md).
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { MERCHANT_ID, sealedName } from '../src/accounts/merchant.ts'
import { Misconfigured } from '../src/base/misconfigured.ts'
import type { MerchantMove } from '../src/database/merchant-moves.ts'
import type { Keys } from '../src/vault/keys.ts'
import { openVault } from '../src/vault/vault.ts'
import { fence, mark, markMoved, markOf, type Side, tablesHolding, unmark } from './moving-database.ts'
import { moveRows, removeRows } from './moving-rows.ts'
import { kept } from './moving-tables.ts'

export type Moving = {
  merchant_id: string
  source: Side
  target: Side
  keys: { source: Keys; target: Keys }
  /** The merchant's new address, which clients that still call the source receive. */
  address: string | null
  /** The time in milliseconds to wait for operations in progress at the source. */
  drain_ms: number
  /** Copies the merchant's files; no file changes any more. */
  files(): Promise<string>
  say(line: string): void
}

/**
 * The time in milliseconds after which every process has read that the merchant leaves, or no longer trusts its cache.
 */
const KNOWN_MS = 1500
const LOOK_EVERY_MS = 200

const no = (message: string): never => {
  throw new Misconfigured(message)
}

export async function moveMerchant(moving: Moving): Promise<void> {
  const { merchant_id, source, target } = moving
  if (!MERCHANT_ID.test(merchant_id)) no(`${merchant_id} cannot be the id of a merchant`)
  await checkDatabases(moving)
  const [here, there] = await Promise.all([markOf(source, merchant_id), markOf(target, merchant_id)])
  if (here?.state === 'arriving') no(`merchant ${merchant_id} is arriving at the source: finish that move first`)
  if (there?.state === 'leaving') no(`merchant ${merchant_id} is leaving the target: finish that move first, or take it back (--undo)`)
  if (here?.state === 'moved') return open(moving, here)
  await checkMerchant(moving, there)
  const began = performance.now()
  await close(moving)
  await open(moving, (await markOf(source, merchant_id))!)
  moving.say(`The merchant was not served for ${seconds(performance.now() - began)}.`)
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/**
 * Closes the merchant at the source and copies its rows: from the first refused request until all rows are at the
 * target.
 */
async function close(moving: Moving): Promise<void> {
  const { merchant_id, source, target, address, say } = moving
  // The id is new each time: rows that an earlier run has copied, perhaps to another database, are never opened.
  const move_id = `move_${randomBytes(10).toString('hex')}`
  try {
    await mark(source, { merchant_id, move_id, state: 'leaving', address })
    say('The source takes no more changes of the merchant.')
    await wait(KNOWN_MS)
    await drain(moving)
    await fence(source)
    say('The database of the source refuses them, too.')
    const files = await moving.files()
    if (files) say(files)
    const began = performance.now()
    const rows = await moveRows(source, target, merchant_id, () => mark(target, { merchant_id, move_id, state: 'arriving', address: null }))
    const ms = performance.now() - began
    say(`${rows} rows were copied and compared in ${seconds(ms)} (${Math.round((rows * 1000) / ms)} a second).`)
  } catch (error) {
    await reopen(moving).catch(() => say('The source could not be opened again: run this command again, or with --undo.'))
    throw error
  }
  await markMoved(source, merchant_id, move_id)
  say('The source is closed for the merchant for good.')
}

/** The statement that counts the requests to processors in progress. Requests of a process that died look the same. */
const underWay = `select count(*)::int as n from processor_operations where merchant_id = $1 and poll_at is not null and state = 'open'`

async function drain({ merchant_id, source, drain_ms, say }: Moving): Promise<void> {
  const until = performance.now() + drain_ms
  for (;;) {
    const [row] = await source.query<{ n: number }>(underWay, [merchant_id])
    if (row!.n === 0) return say('Nothing of it is under way.')
    if (performance.now() >= until) return say(`${row!.n} requests to processors have no result yet: the target will ask for it.`)
    await wait(LOOK_EVERY_MS)
  }
}

/** Lets the target serve the merchant, if all its rows are there. */
async function open({ merchant_id, source, target, say }: Moving, here: MerchantMove): Promise<void> {
  const there = await markOf(target, merchant_id)
  if (there === null) {
    const [row] = await target.query('select 1 from merchants where merchant_id = $1', [merchant_id])
    if (!row) no(`merchant ${merchant_id} has left ${source.name} and is not in ${target.name}: name the database that it has moved to`)
    return say(`${target.name} serves the merchant.`)
  }
  if (there.move_id !== here.move_id) no(`merchant ${merchant_id} has left ${source.name} by another move than it is in ${target.name}`)
  // If the merchant has moved back, this removes its fence from when it left.
  await fence(target)
  await unmark(target, merchant_id)
  say(`${target.name} serves the merchant.`)
}

/** Lets the source serve the merchant again. The copied rows are worthless from now on. */
async function reopen({ merchant_id, source, say }: Pick<Moving, 'merchant_id' | 'source' | 'say'>): Promise<void> {
  await fence(source, merchant_id)
  await unmark(source, merchant_id)
  say('The source serves the merchant as before.')
}

/** Takes back a move that has not closed the source. */
export async function undo(moving: Pick<Moving, 'merchant_id' | 'source' | 'target' | 'say'>): Promise<void> {
  const { merchant_id, source, target } = moving
  const here = await markOf(source, merchant_id)
  if (here?.state !== 'leaving')
    no(
      here?.state === 'moved'
        ? `merchant ${merchant_id} has left: move it back, from where it is now`
        : `merchant ${merchant_id} is not being moved from ${source.name}`,
    )
  const there = await markOf(target, merchant_id)
  if (there?.state === 'arriving' && there.move_id === here!.move_id)
    await target.within('', async () => {
      await removeRows(target, merchant_id)
      await target.query('delete from merchant_moves where merchant_id = $1', [merchant_id])
    })
  await reopen(moving)
}

/**
 * Removes the rows that a merchant has left behind, except those with which the source tells clients the merchant's
 * new address.
 */
export async function removeLeft({
  merchant_id,
  source,
  target,
  say,
}: Pick<Moving, 'merchant_id' | 'source' | 'target' | 'say'>): Promise<void> {
  const here = await markOf(source, merchant_id)
  if (here?.state !== 'moved') no(`merchant ${merchant_id} has not left ${source.name}`)
  const there = await markOf(target, merchant_id)
  const [row] = await target.query('select 1 from merchants where merchant_id = $1', [merchant_id])
  if (there !== null || !row) no(`${target.name} does not serve merchant ${merchant_id}: nothing was removed`)
  const [sink] = await source.query<{ n: number }>('select count(*)::int as n from sink_queue where merchant_id = $1', [merchant_id])
  if (sink!.n > 0)
    no(`${sink!.n} events wait for the event sink of ${source.name}, which is told of them by these rows: run it again later`)
  // Merchants that left more than a week ago need no fence any more.
  await fence(source)
  say(`${await removeRows(source, merchant_id, kept)} rows were removed.`)
}

/**
 * The largest difference between the databases' clocks, because one clock sets the jobs and the other one triggers
 * them.
 */
const MOST_SKEW_MS = 2000

type Schema = { version: number; md5: string | null }

/** Checks that both databases have the same schema, mode and keys. */
async function checkDatabases({ source, target, keys }: Pick<Moving, 'source' | 'target' | 'keys'>): Promise<void> {
  const schemaOf = async ({ name, query }: Side) => {
    const [found] = await query<{ there: boolean }>("select to_regclass('schema_version') is not null as there")
    if (!found!.there) no(`${name} is empty: start its deployment first`)
    const done = await query<Schema>('select version::int, md5 from schema_version order by version')
    return done.map(({ version, md5 }) => `${version} ${md5}`)
  }
  const modeOf = async ({ query }: Side) => (await query<{ mode: string | null }>('select mode from settings_version'))[0]?.mode ?? null
  const [here, there] = await Promise.all([schemaOf(source), schemaOf(target)])
  if (`${here}` !== `${there}`) no('the databases have not the same migrations: run the same release at both deployments')
  const [mode, other] = await Promise.all([modeOf(source), modeOf(target)])
  if (other === null) no(`${target.name} was never started: start the deployment, so that it has a mode and keys`)
  if (mode !== other) no(`${source.name} is in ${mode} mode, ${target.name} in ${other} mode`)
  const clockOf = async ({ query }: Side) =>
    (await query<{ ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms'))[0]!.ms
  const skew = Math.abs((await clockOf(source)) - (await clockOf(target)))
  if (skew > MOST_SKEW_MS) no(`the clocks of the databases are ${seconds(skew)} apart: set them by one time server`)
  const differs =
    keys.source.lookup !== keys.target.lookup || Object.entries(keys.source.sealing).some(([id, key]) => keys.target.sealing[id] !== key)
  if (differs) no('the keys are not the same: the target needs the lookup key and all sealing keys of the source, each under its id')
  await checkSeal(source, keys.source)
  await checkSeal(target, keys.target)
}

/**
 * Checks that these are the keys of this database, by decrypting stored credentials, as the service does when it
 * starts.
 */
async function checkSeal({ name, query }: Side, keys: Keys): Promise<void> {
  type Account = { merchant_id: string; merchant_connector_id: string; sealed: Buffer }
  const [row] = await query<Account>('select merchant_id, merchant_connector_id, sealed from connector_accounts limit 1')
  if (!row) return
  try {
    openVault(keys).open(row.merchant_id, sealedName(row.merchant_connector_id), row.sealed)
  } catch {
    no(`${name} was not encrypted with these keys`)
  }
}

/** Checks that this merchant can be moved, and that the target has no rows of it. */
async function checkMerchant({ merchant_id, source, target }: Moving, there: MerchantMove | null): Promise<void> {
  const [row] = await source.query<{ type: string | null; references: boolean }>(
    `select details ->> 'merchant_account_type' as type, exists (select from vault_records where merchant_id = $1 and substring(sealed from 1 for 1) = '\\x03'::bytea) as references
      from merchants where merchant_id = $1`,
    [merchant_id],
  )
  if (!row) return no(`${source.name} has no merchant ${merchant_id}`)
  if (row.type === 'platform' || row.type === 'connected')
    no(`merchant ${merchant_id} is a ${row.type} account: a platform and its accounts cannot be moved`)
  if (row.references) no(`card numbers of merchant ${merchant_id} are in a vault apart (VAULT_URL): it cannot be moved`)
  const tables = there === null ? await tablesHolding(target, merchant_id) : []
  if (tables.length > 0) no(`${target.name} has rows of merchant ${merchant_id} already (${tables.join(', ')}), which no move has brought`)
}

import Type from 'typebox'
import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { customerId, parsed } from '../base/shapes.ts'
import { later, millisecondsOf } from '../base/time.ts'
import type { Context, Time, Vault } from '../context.ts'
import { forgotten } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select, table, text, time } from '../database/table.ts'

/** For one customer's browser, for an hour (contract 2.3); without cache and history, as each visit may make one. */
const ephemeralKeys = table('ephemeral_keys', {
  key: ['merchant_id', 'id'],
  columns: { merchant_id: text(), id: text(), digest: text().fixed(), customer_id: text(), created_at: time(), expires_at: time() },
})

export const expiredEphemeralKeys = forgotten(ephemeralKeys, 'expires_at')
type EphemeralKeyRow = RowOf<typeof ephemeralKeys>

export const ephemeralKeyShape = Type.Object({ customer_id: customerId }, { additionalProperties: false, ...parsed })
export type EphemeralKeyAsk = Type.Static<typeof ephemeralKeyShape>

const LASTS_MS = 3_600_000

const digestOf = (vault: Pick<Vault, 'digest'>, key: string): string => vault.digest('ephemeral key', key)
/** Seconds since 1970. */
const seconds = (moment: Time): number => Math.floor(millisecondsOf(moment) / 1000)

const insert = statement(
  'insert_ephemeral_key',
  'insert into ephemeral_keys (merchant_id, id, digest, customer_id, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)',
)
const byDigest = statement('ephemeral_key_by_digest', select(ephemeralKeys, 'where digest = $1 and expires_at > $2'))
const remove = statement(
  'delete_ephemeral_key',
  'delete from ephemeral_keys where merchant_id = $1 and id = $2 returning id, customer_id, created_at, expires_at',
)

/** Only this answer contains the key itself. */
export async function createEphemeralKey(context: Context, merchant_id: string, { customer_id }: EphemeralKeyAsk) {
  const secret = `epk_${context.random(16).toString('hex')}`
  const id = newId(context, 'eki_')
  const created_at = context.now()
  const expires_at = later(created_at, LASTS_MS)
  await context.query(insert, [merchant_id, id, digestOf(context.vault, secret), customer_id, created_at, expires_at])
  return { id, merchant_id, customer_id, created_at: seconds(created_at), expires: seconds(expires_at), secret }
}

export async function deleteEphemeralKey(context: Context, merchant_id: string, id: string) {
  const [row] = await context.query<Pick<EphemeralKeyRow, 'customer_id' | 'created_at' | 'expires_at'>>(remove, [merchant_id, id])
  const { customer_id, created_at, expires_at } = row ?? refuse('not_found', { what: 'ephemeral key' })
  return { id, merchant_id, customer_id, created_at: seconds(created_at), expires: seconds(expires_at), deleted: true }
}

export const findEphemeralKey = async (
  context: Pick<Context, 'query' | 'vault'>,
  key: string,
  now: Time,
): Promise<EphemeralKeyRow | undefined> => (await context.query<EphemeralKeyRow>(byDigest, [digestOf(context.vault, key), now]))[0]

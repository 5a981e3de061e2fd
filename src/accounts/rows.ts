import { refuse } from '../base/refusal.ts'
import type { Context, Reads, Row, RowChange } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { type MerchantMove, merchantMoves } from '../database/merchant-moves.ts'
import { statement } from '../database/statement.ts'
import { bigint, flag, select, table, text } from '../database/table.ts'
import { type ConnectorAccountRow, connectorAccounts, type ProfileRow, profiles } from './merchant.ts'
import { type MerchantRow, merchants } from './merchant-row.ts'

/** Counts the changes of cached rows, which each process notices within half a second. `mode`: test or live. */
table('settings_version', { key: ['one'], columns: { one: flag(), version: bigint(), mode: text().orNull() } })

/** The last thousand changes of the settings counter. */
table('settings_changes', { key: ['version'], columns: { version: bigint(), merchant_id: text() } })

const merchantById = statement('merchant_by_id', select(merchants, 'where merchant_id = $1'))
const merchantByPublishable = statement('merchant_by_publishable_key', 'select merchant_id from merchants where publishable_key = $1')
const profilesOf = statement('profiles_of_merchant', select(profiles, 'where merchant_id = $1 order by created, profile_id'))
const accountsOf = statement(
  'connector_accounts_of_merchant',
  select(connectorAccounts, 'where merchant_id = $1 order by created, merchant_connector_id'),
)

export const findMerchantRow = async (context: Reads, merchant_id: string): Promise<MerchantRow | undefined> =>
  (await context.query<MerchantRow>(merchantById, [merchant_id]))[0]

const moveOf = statement('move_of_merchant', `select state, address from ${merchantMoves.name} where merchant_id = $1`)
export const findMove = async (context: Reads, merchant_id: string): Promise<Pick<MerchantMove, 'state' | 'address'> | null> =>
  (await context.query<Pick<MerchantMove, 'state' | 'address'>>(moveOf, [merchant_id]))[0] ?? null

/** A deleted merchant does not exist (HE_02). */
export async function needMerchant(context: Reads, merchant_id: string): Promise<MerchantRow> {
  const row = await findMerchantRow(context, merchant_id)
  return row && row.deleted_at === null ? row : refuse('not_found', { what: 'merchant account' })
}

export const findMerchantIdByPublishableKey = async (context: Reads, key: string): Promise<string | undefined> =>
  (await context.query<{ merchant_id: string }>(merchantByPublishable, [key]))[0]?.merchant_id

export const findProfiles = (context: Reads, merchant_id: string): Promise<ProfileRow[]> =>
  context.query<ProfileRow>(profilesOf, [merchant_id])

export const findConnectorAccounts = (context: Reads, merchant_id: string): Promise<ConnectorAccountRow[]> =>
  context.query<ConnectorAccountRow>(accountsOf, [merchant_id])

const ofOrganization = statement(
  'merchants_of_organization',
  select(merchants, 'where organization_id = $1 and deleted_at is null order by created, merchant_id'),
)
export const findMerchantsOf = (context: Reads, organization_id: string): Promise<MerchantRow[]> =>
  context.query<MerchantRow>(ofOrganization, [organization_id])

const accountById = statement(
  'connector_account_by_id',
  select(connectorAccounts, 'where merchant_id = $1 and merchant_connector_id = $2 and deleted_at is null'),
)
export const findConnectorAccountRow = async (
  context: Reads,
  merchant_id: string,
  merchant_connector_id: string,
): Promise<ConnectorAccountRow | undefined> =>
  (await context.query<ConnectorAccountRow>(accountById, [merchant_id, merchant_connector_id]))[0]

const accountOnce = statement('connector_account_once', select(connectorAccounts, 'where merchant_id = $1 and merchant_connector_id = $2'))
export const findConnectorAccountOnce = async (
  context: Reads,
  merchant_id: string,
  merchant_connector_id: string,
): Promise<ConnectorAccountRow | undefined> =>
  (await context.query<ConnectorAccountRow>(accountOnce, [merchant_id, merchant_connector_id]))[0]

const UNIQUE_VIOLATION = '23505'
const MOST_TRIES = 5

/** A change of one row, or only an answer if there is nothing to write. */
type Move<T> = { before: Row | null; after: Row; rows?: RowChange[]; answer: T } | { answer: T }

/** Plans again after a concurrent change, or if a unique index finds that a name was taken: the next plan refuses. */
export async function move<T>(context: Context, head: string, type: string, plan: () => Promise<Move<T>>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const planned = await plan()
    const { answer } = planned
    if (!('before' in planned)) return answer
    const { before, after, rows = [] } = planned
    try {
      const written = await context.commit(changeTo(context, head, { before, after }, type, { rows, answer }))
      if (written.is === 'written') return answer
    } catch (error) {
      if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION || tries === MOST_TRIES) throw error
    }
  }
}

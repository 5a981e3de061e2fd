import { statement } from '../database/statement.ts'
import { bigint, flag, select, table, text } from '../database/table.ts'
import type { World } from '../world.ts'
import { type ConnectorAccountRow, connectorAccounts, type MerchantRow, merchants, type ProfileRow, profiles } from './merchant.ts'

type Reads = Pick<World, 'query'>

/** One row: it counts the changes of what every process keeps in memory, and each notices within half a second. */
export const settingsVersion = table('settings_version', { key: ['one'], columns: { one: flag(), version: bigint() } })

/** And whose change it was that brought the counter there: the last thousand. */
export const settingsChanges = table('settings_changes', { key: ['version'], columns: { version: bigint(), merchant_id: text() } })

const merchantById = statement('merchant_by_id', select(merchants, 'where merchant_id = $1'))
const merchantByPublishable = statement('merchant_by_publishable_key', 'select merchant_id from merchants where publishable_key = $1')
const profilesOf = statement('profiles_of_merchant', select(profiles, 'where merchant_id = $1 order by created, profile_id'))
const accountsOf = statement(
  'connector_accounts_of_merchant',
  select(connectorAccounts, 'where merchant_id = $1 order by created, merchant_connector_id'),
)

export const findMerchantRow = async (world: Reads, merchant_id: string): Promise<MerchantRow | undefined> =>
  (await world.query<MerchantRow>(merchantById, [merchant_id]))[0]

export const findMerchantIdByPublishableKey = async (world: Reads, key: string): Promise<string | undefined> =>
  (await world.query<{ merchant_id: string }>(merchantByPublishable, [key]))[0]?.merchant_id

export const findProfiles = (world: Reads, merchant_id: string): Promise<ProfileRow[]> => world.query<ProfileRow>(profilesOf, [merchant_id])

export const findConnectorAccounts = (world: Reads, merchant_id: string): Promise<ConnectorAccountRow[]> =>
  world.query<ConnectorAccountRow>(accountsOf, [merchant_id])

import { count, flag, jsonb, type RowOf, table, time } from '../database/table.ts'
import { tableColumns } from '../resources/read.ts'
import {
  type ConnectorAccount,
  type Details,
  hiddenMembers,
  isInline,
  type Merchant,
  type ProfileRow,
  sealedMemberName,
} from './merchant.ts'
import { merchantFields } from './merchant-fields.ts'

export const merchants = table('merchants', {
  kind: 'merchant',
  cached: true,
  key: ['merchant_id'],
  columns: {
    ...tableColumns(merchantFields),
    version: count(1),
    details: jsonb<Details>().holding(hiddenMembers, ({ merchant_id }, member) => sealedMemberName(member, String(merchant_id))),
    blocklist_guard: flag(),
    created: time().fixed(),
    modified_at: time(),
    deleted_at: time().orNull(),
  },
})
export type MerchantRow = RowOf<typeof merchants>

/** The merchant's default profile while it exists, else the only profile that is left; null if there are several. */
export function defaultProfileOf(row: Pick<MerchantRow, 'default_profile'>, live: readonly ProfileRow[]): string | null {
  const isThere = live.some(profile => profile.profile_id === row.default_profile)
  return isThere ? row.default_profile : live.length === 1 ? live[0]!.profile_id : null
}

/** The connector accounts of a deleted profile count as deleted. */
export function merchantFrom(
  row: MerchantRow,
  profileRows: readonly ProfileRow[],
  accounts: readonly ConnectorAccount[],
  routing: Merchant['routing'],
  moving: Merchant['moving'],
): Merchant {
  const { merchant_id, organization_id, publishable_key, details, blocklist_guard } = row
  const profiles = profileRows.filter(profile => profile.deleted_at === null)
  const isLive = (account: ConnectorAccount) =>
    account.deleted_at === null && profiles.some(profile => profile.profile_id === account.profile_id)
  return {
    merchant_id,
    organization_id,
    publishable_key,
    default_profile: defaultProfileOf(row, profiles),
    details,
    blocklist_guard,
    profiles,
    connectorAccounts: accounts.filter(account => isLive(account) && !isInline(account)),
    inlineAccounts: accounts.filter(account => isLive(account) && isInline(account)),
    routing,
    moving,
    deleted: row.deleted_at !== null,
    former: {
      profiles: profileRows.filter(profile => profile.deleted_at !== null),
      connectorAccounts: accounts.filter(account => !isLive(account)),
    },
  }
}

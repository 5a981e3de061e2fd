import { Misconfigured } from '../base/misconfigured.ts'
import type { Context, Reads, Statement } from '../context.ts'
import { type Audited, macOf } from '../database/audit.ts'
import { statement } from '../database/statement.ts'
import { otherKeys, proveSealing } from '../vault/deployment-checks.ts'
import { type ConnectorAccountRow, sealedName } from './merchant.ts'

const anyAccount: Statement = {
  name: 'any_connector_account',
  text: 'select merchant_id, merchant_connector_id, sealed from connector_accounts limit 1',
}

/** Several entries, because one alone may have been tampered with. */
const lastEntries = statement(
  'last_audit_entries',
  `select l.merchant_id, l.kind, l.object_id, l.version, l.request_id, l.address, l.created, l.mac, c.event_id, c.type, c.by, c.was::text as was
    from audit_log l join changes c on c.merchant_id = l.merchant_id and c.object_id = l.object_id and c.kind = l.kind and c.version = l.version
    order by l.n desc limit 20`,
)

const takeMode: Statement = { name: 'take_mode', text: 'update settings_version set mode = $1 where mode is null' }
const readMode: Statement = { name: 'read_mode', text: 'select mode from settings_version' }

/** Stored for good at the first start: live keys must accept no simulated payments, and test keys no real ones. */
export async function checkMode(context: Reads, mode: 'test' | 'live'): Promise<void> {
  await context.query(takeMode, [mode])
  const [row] = await context.query<{ mode: string }>(readMode, [])
  if (row && row.mode !== mode)
    throw new Misconfigured(
      `MODE is ${mode}, but this database belongs to a deployment with MODE ${row.mode}. Set MODE=${row.mode}, or set DATABASE_URL to another database.`,
    )
}

/**
 * By stored credentials, records and audit entries, whose digests prove `lookup`. `source`: where the keys are from.
 */
export async function proveKeys({ query, vault }: Context, source: string): Promise<void> {
  const [row] = await query<Pick<ConnectorAccountRow, 'merchant_id' | 'merchant_connector_id' | 'sealed'>>(anyAccount, [])
  if (row)
    try {
      vault.open(row.merchant_id, sealedName(row.merchant_connector_id), row.sealed)
    } catch {
      throw otherKeys(source)
    }
  await proveSealing({ query }, vault, source)
  const entries = await query<Audited & { mac: string }>(lastEntries, [])
  if (entries.length > 0 && !entries.some(entry => entry.mac === macOf(vault.digest, entry)))
    throw otherKeys(source, ': its key lookup is another one (with it, no API key and no saved card would be recognized)')
}

import { Misconfigured } from '../base/misconfigured.ts'
import type { Reads } from '../context.ts'
import { statement } from '../database/statement.ts'
import { table, text } from '../database/table.ts'
import { derivedFrom } from './cipher.ts'
import type { Keys } from './keys.ts'
import { isSealedUnder } from './rotate.ts'
import { ENVELOPE, REFERENCE } from './sealed.ts'
import type { OpenVault } from './vault.ts'

/**
 * The values that all processes on a database must share: for each key one that it alone gives and does not reveal it
 * (HKDF), and the kind of the database. The first start writes them, later ones compare
 * (docs/design/deployment-checks.md).
 */
table('deployment_checks', { key: ['name'], columns: { name: text(), value: text() } })

/** Of a service that keeps card numbers itself (`here`), one with a vault process (`apart`), or that process. */
type DatabaseKind = 'here' | 'apart' | 'vault'

/** `source`: the name of the setting that the keys come from. */
export type DeploymentKeys = { keys: Keys; source: string; kind: DatabaseKind }

const all = statement('deployment_checks', 'select name, value from deployment_checks')
const take = statement('take_deployment_check', 'insert into deployment_checks (name, value) values ($1, $2) on conflict do nothing')
const split = statement('split_deployment', "update deployment_checks set value = 'apart' where name = 'kind' and value = 'here'")
const drop = statement('drop_deployment_check', 'delete from deployment_checks where name = $1')
const anyMerchant = statement('any_merchant', 'select 1 from merchants limit 1')
const anyReference = statement(
  'any_reference',
  `select 1 from vault_records where substring(sealed from 1 for 1) = '\\x0${REFERENCE}'::bytea limit 1`,
)
const someRecords = statement(
  'some_records',
  `select merchant_id, record, sealed from vault_records where substring(sealed from 1 for 1) = '\\x0${ENVELOPE}'::bytea limit 20`,
)

const SEALING = 'sealing '

const checkOf = (key: string, name: string): string =>
  derivedFrom(Buffer.from(key, 'base64'), 'switchyard key check', name).export().toString('base64url')

/** By name: `lookup`, and `sealing` with the key's id. */
const checksOf = ({ lookup, sealing }: Keys): Map<string, string> =>
  new Map([
    ['lookup', checkOf(lookup, 'lookup')],
    ...Object.entries(sealing).map(([id, key]) => [SEALING + id, checkOf(key, SEALING + id)] as const),
  ])

const checksIn = async ({ query }: Reads): Promise<Map<string, string>> =>
  new Map((await query<{ name: string; value: string }>(all, [])).map(({ name, value }) => [name, value]))

const RESTORE = 'Restore those keys, or set DATABASE_URL to an empty database.'

/** `why`: names the key. */
export const otherKeys = (source: string, why = ''): Misconfigured =>
  new Misconfigured(`${source} does not contain the keys that this database was encrypted with${why}. ${RESTORE}`)

/** Refuses keys of which one differs from the key of the same name that this database was first used with. */
function compare(known: ReadonlyMap<string, string>, { keys, source }: Pick<DeploymentKeys, 'keys' | 'source'>): void {
  for (const [name, value] of checksOf(keys)) {
    if ((known.get(name) ?? value) === value) continue
    const effect =
      name === 'lookup'
        ? 'with it, no API key and no saved card would be recognized'
        : 'it would seal records that no other process can open'
    throw otherKeys(source, `: its key ${name === 'lookup' ? 'lookup' : name.slice(SEALING.length)} is another one (${effect})`)
  }
}

const NO_TABLE = '42P01'

/** For commands of operators, which write no checks, and may run before this release's table exists. */
export async function checkKeys(reads: Reads, deployment: Pick<DeploymentKeys, 'keys' | 'source'>): Promise<void> {
  const known = await checksIn(reads).catch(error => {
    if ((error as { code?: unknown }).code !== NO_TABLE) throw error
    return new Map<string, string>()
  })
  compare(known, deployment)
}

/** Once `vault:rotate` has made them. */
export async function noteKeys({ query }: Reads, keys: Keys): Promise<void> {
  for (const [name, value] of checksOf(keys)) await query(take, [name, value])
}

/** Of sealing keys that were removed. */
export async function forgetKeys({ query }: Reads, keys: Keys): Promise<void> {
  const own = checksOf(keys)
  for (const name of (await checksIn({ query })).keys()) if (name.startsWith(SEALING) && !own.has(name)) await query(drop, [name])
}

/** Throws `Misconfigured`, naming the key or setting at fault. `prove`: by data that is older than the checks. */
export async function checkDeployment(reads: Reads, deployment: DeploymentKeys, prove: () => Promise<void>): Promise<void> {
  const { keys, kind } = deployment
  const known = await checksIn(reads)
  await checkKind(reads, known.get('kind') as DatabaseKind | undefined, kind)
  compare(known, deployment)
  for (const name of known.keys()) if (name.startsWith(SEALING)) await checkMissing(reads, deployment, name.slice(SEALING.length))
  if (!known.has('lookup')) await prove()
  await noteKeys(reads, keys)
  await reads.query(take, ['kind', kind])
  // A process with other keys may have started at the same moment, and been first.
  const written = await checksIn(reads)
  compare(written, deployment)
  await checkKind(reads, written.get('kind') as DatabaseKind, kind)
}

/** Refuses keys that lack one with which records are still sealed; forgets the check of one that seals none. */
async function checkMissing(reads: Reads, { keys, source }: DeploymentKeys, id: string): Promise<void> {
  if (keys.sealing[id] !== undefined) return
  if (await isSealedUnder(reads, id)) throw otherKeys(source, `: the key ${id} is missing, and records are encrypted with it`)
  await reads.query(drop, [SEALING + id])
}

/** A service may begin to use a separate vault; it cannot stop doing so. */
async function checkKind({ query }: Reads, known: DatabaseKind | undefined, kind: DatabaseKind): Promise<void> {
  if (kind === 'vault') {
    if (known === 'vault' || (known === undefined && (await query(anyMerchant, [])).length === 0)) return
    throw new Misconfigured('DATABASE_URL names the database of a service. The vault process needs a database of its own.')
  }
  if (known === 'vault') throw new Misconfigured('DATABASE_URL names the database of the vault process. Set the database of the service.')
  const isApart = known === 'apart' || (known === undefined && (await query(anyReference, [])).length > 0)
  if (isApart && kind === 'here')
    throw new Misconfigured(
      'VAULT_URL must be set: card numbers of this deployment are stored by the vault process, and without it new ones would be stored in the database of the service.',
    )
  if (known === 'here' && kind === 'apart') await query(split, [])
}

/** Refuses keys with which none of some records opens; one record alone may be damaged. */
export async function proveSealing({ query }: Reads, vault: Pick<OpenVault, 'open'>, source: string): Promise<void> {
  const some = await query<{ merchant_id: string; record: string; sealed: Buffer }>(someRecords, [])
  const opens = ({ merchant_id, record, sealed }: (typeof some)[number]): boolean => {
    try {
      vault.open(merchant_id, record, sealed)
      return true
    } catch {
      return false
    }
  }
  if (some.length > 0 && !some.some(opens)) throw otherKeys(source)
}

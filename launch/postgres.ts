// The database that comes with the project: PostgreSQL from node_modules on a folder of the project's own, reachable
// only through one private socket.
//
//   <dataDir>/cluster        PostgreSQL's files   <dataDir>/socket  its socket (0700; elsewhere if the path is long)
//   <dataDir>/postgres.log   PostgreSQL's log     <dataDir>/lock.N  the launcher that holds the folder
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findNative } from './binaries.ts'
import { howItEnded } from './children.ts'
import { makeCluster, superuser } from './cluster.ts'
import { takeLock } from './lock.mjs'
import { type LogFile, lastLines, openLog } from './log-file.ts'
import { look } from './proc.mjs'
import { chooseWay, command, give, type Way } from './server-user.ts'
import { findSocketDir, openSocketDir, port } from './socket-dir.ts'
import { stopStaleProcesses } from './stale-processes.ts'

export type PostgresOptions = {
  dataDir: string
  /** Settings that override postgresql.conf for this run. `fsync: 'off'` is for tests only. */
  settings?: Record<string, string>
  log?: (line: string) => void
  signal?: AbortSignal
}

export type Postgres = {
  /**
   * The address for the `pg` driver and for `new URL()`: the host in the query takes precedence over the one in front.
   */
  url: string
  socketDir: string
  pid: number
  stop(): Promise<void>
  /** Settles with the server's last output when the server has ended, by itself or by a signal. */
  ended: Promise<string>
}

const database = 'switchyard'

const urlOf = (socketDir: string, name: string): string =>
  `postgresql://${superuser}@localhost/${name}?host=${encodeURIComponent(socketDir)}&port=${port}`

/** Returns the address of the server that runs on this folder; null if none runs. */
export function findRunning(dataDir: string): string | null {
  const socketDir = findSocketDir(join(dataDir, 'socket'), join(dataDir, 'socket-dir'))
  return socketDir === null ? null : urlOf(socketDir, database)
}

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const log = options.log ?? (() => {})
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
  const dataDir = realpathSync(options.dataDir)
  const lock = takeLock(join(dataDir, 'lock'), process.argv.slice(0, 2).join(' '))
  if (lock.holder !== null) {
    throw new Error(`The database in ${dataDir} is in use by process ${lock.holder.pid} (${lock.holder.what}). Stop it first.`)
  }
  let forget = () => {}
  try {
    const cluster = join(dataDir, 'cluster')
    const socket = join(dataDir, 'socket')
    await stopStaleProcesses(cluster, log)
    const way = chooseWay(findNative(), dataDir, [socket])
    forget = way.forget
    if (!existsSync(cluster)) await makeCluster(way, cluster, options.settings?.fsync !== 'off')
    give(cluster, way.owner)
    const socketDir = openSocketDir(socket, join(dataDir, 'socket-dir'), way.owner)
    forget = () => {
      way.forget()
      if (socketDir !== socket) rmSync(socketDir, { recursive: true, force: true })
    }
    options.signal?.throwIfAborted()
    const server = await open(way, {
      cluster,
      socketDir,
      logPath: join(dataDir, 'postgres.log'),
      settings: options.settings ?? {},
      log,
    })
    const abort = () => void server.stop()
    options.signal?.addEventListener('abort', abort)
    const url = (name: string) => urlOf(socketDir, name)
    try {
      await Promise.race([server.ready(), server.ended.then(reason => Promise.reject(new Error(reason)))])
      await makeDatabase(url('postgres'))
      options.signal?.throwIfAborted()
    } catch (error) {
      await server.stop()
      throw error
    } finally {
      options.signal?.removeEventListener('abort', abort)
    }
    const ended = server.ended.finally(() => {
      forget()
      lock.release()
    })
    const stop = async () => {
      await server.stop()
      await ended
    }
    return { url: url(database), socketDir, pid: server.pid, stop, ended }
  } catch (error) {
    forget()
    lock.release()
    throw error
  }
}

type Place = {
  cluster: string
  socketDir: string
  logPath: string
  settings: Record<string, string>
  log: (line: string) => void
}
type Server = { pid: number; ready(): Promise<void>; stop(): Promise<void>; ended: Promise<string> }

async function open(way: Way, place: Place): Promise<Server> {
  const settings = {
    ...place.settings,
    port: String(port),
    listen_addresses: '',
    unix_socket_directories: `"${place.socketDir.replaceAll('"', '""')}"`, // quoted, because a comma would otherwise split the path into two
    unix_socket_permissions: '0700',
    logging_collector: 'off',
    log_destination: 'stderr',
  }
  const args = ['-D', place.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const call = command(way, join(way.native, 'bin', 'postgres'), args)
  // A session of its own: Ctrl-C must not reach the database before the service has finished its work.
  const child = spawn(call.command, call.args, { ...call.options, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const file = openLog(place.logPath)
  const output = lastLines(15)
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    file.write(chunk)
    output.receive(chunk)
  })
  const ended = endOf(child, file, () => output.all())
  // The database alone keeps no process alive: a script that forgets to stop the database still ends, and the database
  // with it.
  child.unref()
  ;(child.stderr as unknown as { unref(): void }).unref()
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  const pid = child.pid!
  const guard = guardian(pid, place.cluster)
  void ended.then(() => guard.kill('SIGKILL'))
  const ready = () => readiness(place, pid, child)
  return { pid, ready, ended, stop: () => stop(child, ended) }
}

async function endOf(child: ChildProcess, file: LogFile, output: () => string[]): Promise<string> {
  const how = await howItEnded(child)
  file.close()
  return [`PostgreSQL ended with ${how}; its last output:`, ...output().map(line => `  ${line}`)].join('\n')
}

/**
 * Stops the server with a fast shutdown (sessions are cut, a checkpoint is written); if that hangs, with the
 * crash-safe immediate shutdown; then with SIGKILL.
 */
async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.ref()
  for (const [signal, patience] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null) break
    child.kill(signal)
    const timer = new AbortController()
    const done = await Promise.race([ended.then(() => true), wait(patience, false, { signal: timer.signal }).catch(() => false)])
    timer.abort()
    if (done) return
  }
  await ended
}

/**
 * Starts a shell that guards the server, because PostgreSQL does not read stdin: when this process's end of the pipe
 * to the shell closes, however this process died, the shell stops the server. Where setpriv exists, the kernel's death
 * signal does the same sooner. The shell compares the start time, so that it never signals another process with the
 * same pid. The folder is an argument for people who read the list of processes.
 */
function guardian(pid: number, cluster: string): ChildProcess {
  const script = `begun() { set -- $(cat "/proc/$1/stat" 2>/dev/null); [ "$3" = Z ] || echo "\${22}"; }
read -r _
for signal in INT QUIT KILL; do
  n=0
  while [ "$(begun $1)" = "$2" ] && [ $n -lt 50 ]; do
    [ $n -eq 0 ] && kill -$signal $1
    n=$((n + 1)); sleep 0.2
  done
done`
  const args = ['-c', script, 'switchyard-guardian', `${pid}`, look(pid)?.begun ?? '', cluster]
  const child = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/' })
  child.on('error', () => {}) // without a shell there is no second guard
  child.stdin?.on('error', () => {})
  child.unref()
  ;(child.stdin as unknown as { unref(): void } | null)?.unref()
  return child
}

/**
 * Waits until PostgreSQL writes "ready" in the eighth line of its pid file. Recovery after a crash may take long, so
 * only the end of the process ends the wait.
 */
async function readiness(place: Place, pid: number, child: ChildProcess): Promise<void> {
  const begun = Date.now()
  let hasLogged = false
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const lines = readFileSync(join(place.cluster, 'postmaster.pid'), 'utf8').split('\n')
      if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return
    } catch {
      // the file is not written yet
    }
    if (!hasLogged && Date.now() - begun > 5000) {
      hasLogged = true
      place.log('PostgreSQL is still starting (after a crash, it first replays its log)')
    }
    await wait(10)
  }
  await new Promise(() => {}) // the other promise of the race reports the end
}

async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, ssl: false, password: '' })
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database ${database}`)
  } finally {
    await client.end()
  }
}

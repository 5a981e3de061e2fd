import { match } from 'node:assert/strict'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Postgres, startPostgres } from '../../launch/postgres.ts'
import { fits } from '../../launch/socket-dir.ts'
import { serversOf } from '../../launch/stale-processes.ts'

/** Opens a PostgreSQL server, as durable as in production, that can die and come back at the same address. */
export async function openMortalDatabase(settings: Record<string, string> = {}) {
  // In a folder whose path is too long for a socket the address would change with every start.
  const base = fits(join(tmpdir(), 'switchyard-mortal-XXXXXX', 'pg', 'socket')) ? tmpdir() : '/tmp'
  const folder = mkdtempSync(join(base, 'switchyard-mortal-'))
  const dataDir = join(folder, 'pg')
  const open = () => startPostgres({ dataDir, settings })
  let server: Postgres | null = await open()
  const { url } = server
  const cluster = join(realpathSync(dataDir), 'cluster')

  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of serversOf(cluster)) kill(pid, signal)
  }

  /** Gives the database sessions of a service by their purpose; all of them without a name. */
  const sessions = async (name = 'switchyard %'): Promise<number[]> =>
    (await ask('select pid from pg_stat_activity where application_name like $1 order by random()', [name])).rows.map(row => row.pid)

  /**
   * Kills every process that works on the server's folder, all at once: none is warned, and nothing more is written.
   */
  async function killAll(): Promise<void> {
    for (let pids = serversOf(cluster); pids.length > 0; pids = serversOf(cluster)) {
      for (const pid of pids) kill(pid, 'SIGKILL')
      await pause(1)
    }
  }

  async function ended(): Promise<string> {
    const reason = await server!.ended
    server = null
    return reason
  }

  /** Gives the number of starts at which the server found that it had crashed. */
  const crashes = () => readFileSync(join(dataDir, 'postgres.log'), 'utf8').split('automatic recovery in progress').length - 1

  /** Runs one statement over a connection of its own. */
  async function ask(text: string, values: unknown[] = []) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    return client.query(text, values).finally(() => client.end())
  }

  return {
    url,
    /** The folder that contains all files of the server. */
    folder,
    crashes,
    ask,
    async start(): Promise<void> {
      if (server) return
      server = await open()
      if (server.url !== url) throw new Error(`the database came back as ${server.url}`)
    },
    async kill(): Promise<void> {
      await killAll()
      match(await ended(), /SIGKILL/)
    },
    /** Starts a server that was killed, and kills it again before it is ready. */
    async killAtItsStart(): Promise<void> {
      const starting = open().then(
        one => one.ended,
        () => {},
      )
      while (serversOf(cluster).length === 0) await pause(1)
      await killAll()
      await starting
    },
    /** Kills one session, as a machine without memory does: PostgreSQL ends all connections and recovers by itself. */
    async killSession(name: string): Promise<void> {
      const before = crashes()
      const [pid] = await sessions(name)
      if (pid === undefined || !kill(pid, 'SIGKILL')) return
      while (crashes() === before || !(await ask('select 1').catch(() => null))) await pause(5)
    },
    /** Ends one session, as an administrator does. */
    async endSession(name: string): Promise<void> {
      const [pid] = await sessions(name)
      if (pid !== undefined) kill(pid, 'SIGTERM')
    },
    /**
     * Stops a share of the sessions where they are: a client that waits for one receives no answer, not even that the
     * session is gone. Gives a function that lets them go on.
     */
    async freezeSessions(share: number): Promise<() => void> {
      const pids = await sessions()
      const some = pids.slice(0, Math.ceil(pids.length * share))
      for (const pid of some) kill(pid, 'SIGSTOP')
      return () => {
        for (const pid of some) kill(pid, 'SIGCONT')
      }
    },
    freeze: (): void => signalAll('SIGSTOP'),
    thaw: (): void => signalAll('SIGCONT'),
    /** Begins a smart shutdown: the server accepts no new connection, and the open ones go on. */
    stopAccepting: (): boolean => kill(server!.pid, 'SIGTERM'),
    /** Stops the server by a fast shutdown: every session is cut, committed changes are written. */
    async stop(): Promise<void> {
      await server!.stop()
      await ended()
    },
    async drop(): Promise<void> {
      await server?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    // The process ended by itself.
    return false
  }
}

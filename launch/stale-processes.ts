// Stops the processes that an earlier start may have left on the data folder (a running server and its helpers), and
// repairs files that contain their pids. Called under the launcher's lock, so that a PostgreSQL that still works on
// this folder belongs to no launcher any more.
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { commandLine, look } from './proc.mjs'

/** A number higher than any pid of Linux (2^22), so that looking for this process always answers "no such process". */
const nobodysPid = 2 ** 31 - 1

export async function stopStaleProcesses(cluster: string, log: (line: string) => void): Promise<void> {
  await stopMakers(cluster)
  const begun = Date.now()
  let sent = ''
  for (;;) {
    const pids = serversOf(cluster)
    if (pids.length === 0) break
    if (sent === '') log(`stopping the PostgreSQL (pid ${pids.join(', ')}) left by an earlier start`)
    const waited = Date.now() - begun
    const signal = waited < 10_000 ? 'SIGINT' : waited < 15_000 ? 'SIGQUIT' : 'SIGKILL'
    if (signal !== sent) for (const pid of pids) sendSignal(pid, fatherless(pid, pids) ? signal : signal === 'SIGINT' ? null : signal)
    sent = signal
    if (waited > 20_000) throw new Error(`PostgreSQL (pid ${pids.join(', ')}) is still using ${cluster} and cannot be stopped`)
    await wait(20)
  }
  disarmPidFile(cluster)
}

/**
 * Stops an initdb whose launcher died: it would go on filling the folder that is about to be deleted. Its result is
 * not needed any more.
 */
async function stopMakers(cluster: string): Promise<void> {
  const drafts = `${cluster}.making-`
  for (let patience = 250; patience > 0; patience--) {
    const makers = processesCalled('initdb', 'postgres').filter(pid => commandLine(pid).includes(drafts) || cwdOf(pid)?.startsWith(drafts))
    if (makers.length === 0) return
    for (const pid of makers) sendSignal(pid, 'SIGKILL')
    await wait(20)
  }
}

/**
 * Whether a process was not started by another of these processes: it is the server itself, or a helper whose server
 * was killed (for which SIGTERM is better).
 */
function fatherless(pid: number, pids: number[]): boolean {
  return !pids.includes(look(pid)?.parent ?? 0)
}

function sendSignal(pid: number, signal: NodeJS.Signals | null): void {
  if (signal === null) return
  try {
    // A helper takes SIGINT as "cancel your query"; its title has a colon, the server's has none.
    process.kill(pid, signal === 'SIGINT' && /^postgres: /.test(commandLine(pid)) ? 'SIGTERM' : signal)
  } catch {
    // The process has ended by itself.
  }
}

/**
 * Returns PostgreSQL's processes on this folder. Their working directory is the data folder; where it cannot be read,
 * the pid file and the command line decide.
 */
export function serversOf(cluster: string): number[] {
  const noted = notedPid(cluster)
  return processesCalled('postgres').filter(pid => {
    const cwd = cwdOf(pid)
    if (cwd !== null) return cwd === cluster
    return pid === noted || look(pid)?.parent === noted || commandLine(pid).includes(`-D ${cluster} `)
  })
}

function processesCalled(...names: string[]): number[] {
  const pids = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
  return pids.filter(pid => names.includes(look(pid)?.command ?? ''))
}

function cwdOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

function notedPid(cluster: string): number {
  try {
    return Math.abs(Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10))
  } catch {
    return 0
  }
}

/**
 * Replaces the pid in PostgreSQL's pid file. The pid may belong to another program or a zombie by now, and PostgreSQL
 * would take either for a running server. The file is not deleted, because it also names the shared memory with which
 * PostgreSQL finds helpers that this process cannot see.
 */
function disarmPidFile(cluster: string): void {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  if (rest.length < 3)
    rmSync(file, { force: true }) // an incomplete file means that no server was started
  else writeFileSync(file, [nobodysPid, ...rest].join('\n'))
}

// What an earlier start may have left on our data folder: a running server, its helpers, and files that name its pid.
// Called under the launcher's lock, so a PostgreSQL that still works on this folder belongs to no launcher any more.
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { commandLine, look } from './proc.mjs'

/** Higher than any pid Linux gives (2^22), so asking for it always answers "no such process". */
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
    if (signal !== sent) for (const pid of pids) tell(pid, fatherless(pid, pids) ? signal : signal === 'SIGINT' ? null : signal)
    sent = signal
    if (waited > 20_000) throw new Error(`PostgreSQL (pid ${pids.join(', ')}) is still using ${cluster} and cannot be stopped`)
    await wait(20)
  }
  disarmPidFile(cluster)
}

/**
 * An initdb whose launcher died would go on filling the folder that we are about to clear away. What it makes is of no
 * use any more.
 */
async function stopMakers(cluster: string): Promise<void> {
  const drafts = `${cluster}.making-`
  for (let patience = 250; patience > 0; patience--) {
    const makers = processesCalled('initdb', 'postgres').filter(pid => commandLine(pid).includes(drafts) || cwdOf(pid)?.startsWith(drafts))
    if (makers.length === 0) return
    for (const pid of makers) tell(pid, 'SIGKILL')
    await wait(20)
  }
}

/**
 * Of the pids, those not started by another of them: the server itself, or helpers whose server was killed (SIGTERM
 * suits them better).
 */
function fatherless(pid: number, pids: number[]): boolean {
  return !pids.includes(look(pid)?.parent ?? 0)
}

function tell(pid: number, signal: NodeJS.Signals | null): void {
  if (signal === null) return
  try {
    // A helper takes SIGINT as "cancel your query"; its title has a colon, the server's has not.
    process.kill(pid, signal === 'SIGINT' && /^postgres: /.test(commandLine(pid)) ? 'SIGTERM' : signal)
  } catch {
    // It went by itself.
  }
}

/**
 * PostgreSQL's processes have their data folder as working directory; where that may not be read, the pid file and
 * the command must do.
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
 * The pid noted there may by now be another program's or a zombie's, and PostgreSQL would take either for a living
 * server. Its number is replaced rather than the file deleted: the file also names the shared memory by which
 * PostgreSQL finds helpers that we cannot see.
 */
function disarmPidFile(cluster: string): void {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  if (rest.length < 3)
    rmSync(file, { force: true }) // torn while it was written: no server came to life
  else writeFileSync(file, [nobodysPid, ...rest].join('\n'))
}

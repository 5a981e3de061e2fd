// Runs a script of this project as a child process that cannot outlive its parent: the kernel signals the parent's
// death to the child where the system supports this, and the child's stdin is a pipe from the parent whose end the
// child takes as the command to stop.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { diesWithParent } from './death-signal.mjs'

export type Child = {
  name: string
  pid: number
  ended: Promise<string>
  /** Sends SIGTERM, then SIGKILL when the patience (ms) is over or `hurry` is aborted. */
  stop(patience: number, hurry?: AbortSignal): Promise<void>
}

export type Recipe = {
  name: string
  script: string
  nodeFlags?: readonly string[]
  env: Record<string, string>
  receive(chunk: Buffer, from: 'stdout' | 'stderr'): void
}

export async function startChild(recipe: Recipe): Promise<Child> {
  const [command, ...args] = [...diesWithParent('TERM'), process.execPath, ...(recipe.nodeFlags ?? []), recipe.script]
  // The child has a session of its own, so that Ctrl-C reaches the child through the parent and in order.
  const child = spawn(command!, args, { env: recipe.env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  child.stdin.on('error', () => {})
  child.stdout.on('data', chunk => recipe.receive(chunk, 'stdout'))
  child.stderr.on('data', chunk => recipe.receive(chunk, 'stderr'))
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  const ended = howItEnded(child).then(how => `${recipe.name} (pid ${child.pid}) ended with ${how}`)
  const stop = async (patience: number, hurry?: AbortSignal) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const enough = new AbortController()
    const late = wait(patience, true, { signal: AbortSignal.any([enough.signal, ...(hurry ? [hurry] : [])]) }).catch(() => true)
    if ((await Promise.race([ended, late])) === true) child.kill('SIGKILL')
    enough.abort()
    await ended
  }
  return { name: recipe.name, pid: child.pid!, ended, stop }
}

/**
 * Returns the exit code or signal of a child, once its last output is read. The output is awaited for a moment only: a
 * process that the child started (a busy helper of a killed PostgreSQL) may keep the other end of the pipe open
 * indefinitely.
 */
export function howItEnded(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', (code, signal) => {
      const finish = () => resolve(signal ?? `code ${code}`)
      const patience = setTimeout(finish, 300)
      child.once('close', () => {
        clearTimeout(patience)
        finish()
      })
    })
  })
}

export function environment(changes: Record<string, string | undefined>): Record<string, string> {
  const all = { ...process.env, ...changes }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

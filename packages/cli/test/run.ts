import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { buildPackages } from '../../../tools/packages.ts'

export const program = join(import.meta.dirname, '../dist/main.js')

type Ended = { code: number | null; out: string; err: string }

/** Opens a command line as a developer has it, with a settings folder of its own and these environment variables. */
export async function openTerminal(env: Record<string, string> = {}) {
  await buildPackages()
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-cli-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const around = { PATH: process.env.PATH!, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env }
  const running = new Set<ReturnType<typeof spawn>>()
  after(() => {
    for (const child of running) child.kill('SIGKILL')
  })
  /** Starts a command, which runs until it ends or `stop` is called. */
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
  /** Starts a command at a pseudo-terminal of 80 columns (`script`). Returns its output and sends keys to it. */
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
      /** Returns the output after the line with the pid. */
      shown: () => text.replace(/^pid \d+\.\r?\n/, ''),
      pid: () => Number(/^pid (\d+)\./.exec(text)?.[1]),
      press: (keys: string) => void child.stdin.write(keys),
      ended,
    }
  }
  return { folder, begin, sit, run: (...args: string[]) => begin(...args).ended, env: around }
}

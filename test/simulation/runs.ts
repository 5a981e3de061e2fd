import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Options, Outcome } from './simulate.ts'

/** A finished run: its options and its result. */
export type Run = { options: Options; ms: number } & Omit<Outcome, 'said'>

/** Returns the options as command-line arguments. */
export const argumentsOf = ({ seed, seconds, clients, troubles, everywhere, concentrated, vault, crew }: Options): string[] => [
  '--seed',
  String(seed),
  '--seconds',
  String(seconds),
  '--clients',
  String(clients),
  '--troubles',
  troubles.join(',') || 'none',
  '--vault',
  vault,
  '--crew',
  crew,
  `--${concentrated ? '' : 'no-'}concentrated`,
  `--${everywhere ? '' : 'no-'}everywhere`,
]

/**
 * The time limit of a run. Runs take a minute at most on a quiet machine, and several on a busy one; a run that does
 * not end by its own clock says so itself (`world.ts`).
 */
const LONGEST_MS = 900_000

/**
 * Runs one simulation in a process of its own. `args`: the arguments of `one.ts`. `loud`: whether the simulation's
 * steps are printed, line by line.
 */
export function runOne(
  args: readonly string[],
  { mutant, signal, loud = false }: { mutant?: string; signal?: AbortSignal; loud?: boolean } = {},
): Promise<Run> {
  // Requests of a simulation do not count as tests of the API operations that they call.
  const { TEST_CALLS: _, ...inherited } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, 'one.ts'), ...args, ...(loud ? ['--loud'] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    ...(signal && { signal }),
    // One thread for the disk, so that files are written in the order of the requests.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/node'),
      ...inherited,
      UV_THREADPOOL_SIZE: '1',
      ...(mutant !== undefined && { MUTANT: mutant }),
    },
  })
  let [output, complained] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => (output += text))
  child.stderr.setEncoding('utf8').on('data', text => {
    complained += text
    if (loud) process.stdout.write(text)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      const line = output.trimEnd().split('\n').at(-1) ?? ''
      if (line.startsWith('{')) resolve(JSON.parse(line))
      else reject(new Error(`the simulation ${args.join(' ')} ended with ${code}, and told nothing: ${output}${complained}`))
    })
  })
}

/** Shortens a failing run as long as it fails: less time, fewer clients, fewer troubles. Calls `say` at each step. */
export async function shrink(run: Run, say: (text: string) => void, runs: (args: string[]) => Promise<Run> = runOne): Promise<Run> {
  let shortest = run
  for (;;) {
    const { options } = shortest
    const { seconds, clients, troubles, vault, crew } = options
    const shorter: Options[] = [
      ...(crew === 'two' ? [] : [{ ...options, crew: 'two' as const }]),
      ...(vault === 'apart' ? [{ ...options, vault: 'within' as const }] : []),
      ...(seconds > 1 ? [{ ...options, seconds: Math.ceil(seconds / 2) }] : []),
      ...(clients > 1 ? [{ ...options, clients: Math.ceil(clients / 2) }] : []),
      ...troubles.map(trouble => ({ ...options, troubles: troubles.filter(one => one !== trouble) })),
      ...(seconds > 2 ? [{ ...options, seconds: seconds - 1 }] : []),
    ]
    let next: Run | null = null
    for (const one of shorter) {
      const tried = await runs(argumentsOf(one))
      if (tried.found.length === 0) continue
      next = tried
      break
    }
    if (!next) return shortest
    shortest = next
    say(`still: npm run simulate -- ${argumentsOf(next.options).join(' ')}`)
  }
}

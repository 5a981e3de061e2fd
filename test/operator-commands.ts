import { spawn } from 'node:child_process'
import { join } from 'node:path'

type Ended = { code: number | null; output: string }

/** Runs `npm run vault:rotate` with these settings; gives its output and exit code. */
export const vaultRotate = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('vault-rotate', env, args)

/** Runs `npm run bins:import` likewise. */
export const binsImport = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('bins-import', env, args)

/** Runs `npm run analytics:prove` likewise. */
export const analyticsProve = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('analytics-prove', env, args)
/** Runs `npm run user:link` likewise. */
export const userLink = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('user-link', env, args)
/** Runs `npm run user:reset-2fa` likewise. */
export const userReset2fa = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('user-reset-2fa', env, args)

/** Runs `npm run merchant:move` likewise. */
export const merchantMove = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('merchant-move', env, args)

/** Runs the commands of the ledger likewise. */
export const ledgerProve = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('ledger-prove', env, args)
export const ledgerReconcile = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('ledger-reconcile', env, args)

/** Runs `npm run vault` to make identities in a folder. */
export const vaultIdentities = (folder: string): Promise<Ended> => command('vault', {}, ['--identities', folder])

function command(name: string, env: Record<string, string>, args: string[]): Promise<Ended> {
  const root = join(import.meta.dirname, '..')
  const { DATABASE_URL: _, KEYS: __, KEY_FILE: ___, KEY_COMMAND: ____, ...rest } = process.env
  const child = spawn(process.execPath, [join(root, `launch/${name}.ts`), ...args], { env: { ...rest, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  return new Promise(resolve => child.on('close', code => resolve({ code, output })))
}

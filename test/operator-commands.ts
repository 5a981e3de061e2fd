import { spawn } from 'node:child_process'
import { join } from 'node:path'

type Ended = { code: number | null; said: string }

/** Runs `npm run vault:rotate` with these settings; gives what it says and how it ends. */
export const vaultRotate = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('vault-rotate', env, args)

/** And `npm run bins:import`. */
export const binsImport = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('bins-import', env, args)

/** And `npm run analytics:prove`. */
export const analyticsProve = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('analytics-prove', env, args)
/** And `npm run user:link`. */
export const userLink = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('user-link', env, args)

/** And `npm run merchant:move`. */
export const merchantMove = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('merchant-move', env, args)

/** And the commands of the ledger. */
export const ledgerProve = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('ledger-prove', env, args)
export const ledgerReconcile = (env: Record<string, string>, ...args: string[]): Promise<Ended> => command('ledger-reconcile', env, args)

/** And the making of identities by `npm run vault`. */
export const vaultIdentities = (folder: string): Promise<Ended> => command('vault', {}, ['--identities', folder])

function command(name: string, env: Record<string, string>, args: string[]): Promise<Ended> {
  const root = join(import.meta.dirname, '..')
  const { DATABASE_URL: _, KEYS: __, KEY_FILE: ___, KEY_COMMAND: ____, ...rest } = process.env
  const child = spawn(process.execPath, [join(root, `launch/${name}.ts`), ...args], { env: { ...rest, ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
  return new Promise(resolve => child.on('close', code => resolve({ code, said })))
}

import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Runs `npm run vault:rotate` with these settings; gives what it says and how it ends. */
export function vaultRotate(env: Record<string, string>, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const root = join(import.meta.dirname, '..')
  const { DATABASE_URL: _, KEYS: __, KEY_FILE: ___, KEY_COMMAND: ____, ...rest } = process.env
  const child = spawn(process.execPath, [join(root, 'launch/vault-rotate.ts'), ...args], { env: { ...rest, ...env } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
  return new Promise(resolve => child.on('close', code => resolve({ code, said })))
}

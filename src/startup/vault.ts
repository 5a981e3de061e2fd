import type { Config } from '../config.ts'
import type { Context, Log } from '../context.ts'
import { loadKeys, watchKeys } from '../vault/keys.ts'
import { openSplitVault, type SplitVault } from '../vault/split.ts'
import { type OpenVault, openVault } from '../vault/vault.ts'

/** Opens the vault with the deployment's keys, which are read again when they change. */
export function openKeys(config: Config, log: Log): OpenVault {
  const keys = loadKeys(config.keys)
  const unread = (why: string) => log.warn({ why }, 'the key file could not be reloaded; the current keys remain in use')
  return openVault(keys, watchKeys(config.keys, keys, unread))
}

/** Null: none is configured. `send`: calls only that process. Refuses (`Misconfigured`) one that does not know us. */
export async function openNumbers(config: Config, context: Context, vault: OpenVault, send: Context['send']): Promise<SplitVault | null> {
  const split = config.vault && (await openSplitVault({ ...context, send }, vault, config.vault))
  await split?.check()
  if (split) context.numbers = split
  return split
}

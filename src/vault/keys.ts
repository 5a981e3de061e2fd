import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * The deployment's keys. `sealing` keys encrypt: new records use `active`, old ones name theirs, so a key can be retired without downtime. `lookup` never changes: it
 * keys the digests by which API keys, fingerprints and bodies are found again.
 */
export type Keys = { active: string; sealing: Record<string, string>; lookup: string }

/** The keys are missing or malformed; the message names their source. */
export class KeysError extends Error {}

const BYTES = 32

function checked(text: string, from: string): Keys {
  const wrong = (why: string): never => {
    throw new KeysError(`${from} does not hold the deployment's keys: ${why}`)
  }
  let keys: Keys
  try {
    keys = JSON.parse(text)
  } catch {
    return wrong('it is not JSON')
  }
  const isKey = (key: unknown) => typeof key === 'string' && Buffer.from(key, 'base64').length === BYTES
  if (typeof keys?.active !== 'string' || typeof keys.sealing !== 'object') wrong('members active, sealing and lookup are needed')
  if (!isKey(keys.sealing[keys.active])) wrong('sealing must hold the active key, as 32 bytes in base64')
  if (!Object.values(keys.sealing).every(isKey) || !isKey(keys.lookup)) wrong('every key is 32 bytes in base64')
  if (!Object.keys(keys.sealing).every(id => /^[A-Za-z0-9_-]{1,32}$/.test(id))) wrong('key ids are 1 to 32 letters, digits, _ or -')
  return keys
}

/** Fresh keys, as text for a key file. */
export const newKeys = (): string =>
  `${JSON.stringify({ active: 'k1', sealing: { k1: randomBytes(BYTES).toString('base64') }, lookup: randomBytes(BYTES).toString('base64') }, null, 2)}\n`

/**
 * Where the keys come from: the environment (KEYS), the output of a command (KEY_COMMAND, for a KMS or secret store) or a file (KEY_FILE). In test mode a
 * missing file is made, with mode 0600. Throws, naming the source, if there are none or they are malformed.
 */
export function loadKeys(source: { mode: 'test' | 'live'; keys: string | null; command: string | null; file: string | null }): Keys {
  if (source.keys) return checked(source.keys, 'KEYS')
  if (source.command)
    return checked(execFileSync('/bin/sh', ['-c', source.command], { encoding: 'utf8', timeout: 30_000 }), 'the output of KEY_COMMAND')
  if (source.file) {
    if (!existsSync(source.file)) {
      if (source.mode === 'live') throw new KeysError(`KEY_FILE ${source.file} does not exist; live mode makes no keys of its own`)
      writeFileSync(source.file, newKeys(), { mode: 0o600, flag: 'wx' })
    }
    return checked(readFileSync(source.file, 'utf8'), `KEY_FILE ${source.file}`)
  }
  throw new KeysError('no keys: set KEYS, KEY_COMMAND or KEY_FILE')
}

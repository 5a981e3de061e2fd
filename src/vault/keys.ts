import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Misconfigured, whyNoFile } from '../base/misconfigured.ts'

/**
 * The deployment's keys. `sealing` keys encrypt: new records use `active`, old ones name theirs, so a key can be retired without downtime. `lookup` never changes: it
 * keys the digests by which API keys, fingerprints and bodies are found again.
 */
export type Keys = { active: string; sealing: Record<string, string>; lookup: string }

/** For whoever has none yet. */
export const howToMakeKeys =
  'The keys are JSON: {"active": "k1", "sealing": {"k1": KEY}, "lookup": KEY}, each KEY what `openssl rand -base64 32` prints. Keep a copy: without them nothing sealed can be read again.'

const BYTES = 32
const KEY_COMMAND_MS = 30_000

function checked(text: string, from: string): Keys {
  const wrong = (why: string): never => {
    throw new Misconfigured(`${from} does not hold the deployment's keys: ${why}. ${howToMakeKeys}`)
  }
  let keys: Keys | null
  try {
    keys = JSON.parse(text)
  } catch {
    return wrong('it is not JSON')
  }
  const isKey = (key: unknown) => typeof key === 'string' && Buffer.from(key, 'base64').length === BYTES
  if (typeof keys?.active !== 'string' || typeof keys.sealing !== 'object' || keys.sealing === null)
    return wrong('members active, sealing and lookup are needed')
  if (!isKey(keys.sealing[keys.active])) wrong('sealing must hold the active key, as 32 bytes in base64')
  if (!Object.values(keys.sealing).every(isKey) || !isKey(keys.lookup)) wrong('every key is 32 bytes in base64')
  if (!Object.keys(keys.sealing).every(id => /^[A-Za-z0-9_-]{1,32}$/.test(id))) wrong('key ids are 1 to 32 letters, digits, _ or -')
  return keys
}

/** Fresh keys, as text for a key file. */
export const newKeys = (): string =>
  `${JSON.stringify({ active: 'k1', sealing: { k1: randomBytes(BYTES).toString('base64') }, lookup: randomBytes(BYTES).toString('base64') }, null, 2)}\n`

export type KeySource = { mode: 'test' | 'live'; keys: string | null; command: string | null; file: string | null }

/** The setting that holds, in a sentence. */
export const nameOf = (source: KeySource): string =>
  source.keys ? 'KEYS' : source.command ? 'the output of KEY_COMMAND' : `KEY_FILE ${source.file}`

/**
 * Where the keys come from: the environment (KEYS), the output of a command (KEY_COMMAND, for a KMS or secret store) or a file (KEY_FILE). In test mode a
 * missing file is made, with mode 0600. Throws, naming the source, if there are none or they are malformed.
 */
export function loadKeys(source: KeySource): Keys {
  const { keys, command, file, mode } = source
  if (!keys && !command && !file) throw new Misconfigured('no keys: set KEYS, KEY_COMMAND or KEY_FILE')
  return checked(keys || (command ? outputOf(command) : readOrMake(file!, mode)), nameOf(source))
}

/** What it says of itself goes to standard error; the command is not repeated, because it may hold a password. */
function outputOf(command: string): string {
  const { status, signal, stdout, error } = spawnSync('/bin/sh', ['-c', command], {
    encoding: 'utf8',
    timeout: KEY_COMMAND_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status === 0) return stdout
  const how = signal ? `was ended (${signal}) or took longer than ${KEY_COMMAND_MS / 1000} s` : `ended with code ${status}`
  throw new Misconfigured(
    `KEY_COMMAND gave no keys: it ${error && !signal ? `could not be run: ${error.message}` : how}. Run it by hand as the user of the service.`,
  )
}

function readOrMake(file: string, mode: 'test' | 'live'): string {
  try {
    if (!existsSync(file) && mode === 'test') writeFileSync(file, newKeys(), { mode: 0o600, flag: 'wx' })
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (mode === 'live' && !existsSync(file))
      throw new Misconfigured(`KEY_FILE ${file} does not exist, and live mode makes no keys of its own. ${howToMakeKeys}`)
    throw new Misconfigured(
      `KEY_FILE ${file} cannot be ${existsSync(file) ? 'read' : 'made'}: ${whyNoFile(error)}. Name another file, or allow it to this user.`,
    )
  }
}

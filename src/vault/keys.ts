import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { Misconfigured, refuseReadable, whyNoFile } from '../base/misconfigured.ts'

/**
 * New records use the `active` sealing key, old ones name theirs, so keys are retired without downtime. `lookup` never
 * changes: by its digests API keys, fingerprints and bodies are found again.
 */
export type Keys = { active: string; sealing: Record<string, string>; lookup: string }

export const howToMakeKeys =
  'The keys are JSON: {"active": "k1", "sealing": {"k1": KEY}, "lookup": KEY}, each KEY being the output of `openssl rand -base64 32`. Keep a copy: without the keys, encrypted data cannot be read.'

const BYTES = 32
const KEY_COMMAND_MS = 30_000

/** 32 random bytes are 30 different ones on average, and practically never fewer than 24. */
const LEAST_DIFFERENT = 16

const isTrivial = (key: string): boolean => new Set(Buffer.from(key, 'base64')).size < LEAST_DIFFERENT

/** Refuses, in live mode, keys that can be guessed, and a key that serves two purposes. */
function refuseWeak({ sealing, lookup }: Keys, wrong: (why: string) => never): void {
  for (const [id, key] of [...Object.entries(sealing), ['lookup', lookup] as const])
    if (isTrivial(key)) wrong(`the key ${id} is not random, which live mode refuses`)
  const keys = [...Object.values(sealing), lookup]
  if (new Set(keys).size < keys.length) wrong('two of the keys are the same, which live mode refuses')
}

function checked(text: string, from: string, { mode, lenient }: KeySource): Keys {
  const wrong = (why: string): never => {
    throw new Misconfigured(`${from} does not contain valid keys: ${why}. ${howToMakeKeys}`)
  }
  let keys: Keys | null
  try {
    keys = JSON.parse(text)
  } catch {
    return wrong('it is not JSON')
  }
  const isKey = (key: unknown) => typeof key === 'string' && Buffer.from(key, 'base64').length === BYTES
  if (typeof keys?.active !== 'string' || typeof keys.sealing !== 'object' || keys.sealing === null)
    return wrong('active, sealing and lookup are required')
  if (!isKey(keys.sealing[keys.active])) wrong('sealing must contain the active key, as 32 bytes in base64')
  if (!Object.values(keys.sealing).every(isKey) || !isKey(keys.lookup)) wrong('every key must be 32 bytes in base64')
  if (!Object.keys(keys.sealing).every(id => /^[A-Za-z0-9_-]{1,32}$/.test(id))) wrong('key ids must be 1 to 32 letters, digits, _ or -')
  if (mode === 'live' && !lenient) refuseWeak(keys, wrong)
  return keys
}

const newKey = (): string => randomBytes(BYTES).toString('base64')
const textOf = (keys: Keys): string => `${JSON.stringify(keys, null, 2)}\n`

export const newKeys = (): string => textOf({ active: 'k1', sealing: { k1: newKey() }, lookup: newKey() })

/** The new one is active from now on. */
export function withNewKey(keys: Keys): Keys {
  const numbers = Object.keys(keys.sealing).map(id => Number(/^k(\d{1,6})$/.exec(id)?.[1] ?? 0))
  const active = `k${Math.max(...numbers) + 1}`
  return { ...keys, active, sealing: { ...keys.sealing, [active]: newKey() } }
}

export const withoutOldKeys = (keys: Keys): Keys => ({ ...keys, sealing: { [keys.active]: keys.sealing[keys.active]! } })

/** Atomically: a concurrent reader gets either the old keys or the new ones. */
export function writeKeys(file: string, keys: Keys): void {
  try {
    writeFileSync(`${file}.new`, textOf(keys), { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  } catch (error) {
    throw new Misconfigured(
      `KEY_FILE ${file} cannot be changed: ${whyNoFile(error)}. Give this user access to the file and its folder; where a mounted secret is the file, add the new key to the secret and make it the active one, then run this command again.`,
    )
  }
}

/** `lenient`: for a command of an operator, which makes no keys and does not know whether the deployment is live. */
export type KeySource = { mode: 'test' | 'live'; keys: string | null; command: string | null; file: string | null; lenient?: boolean }

export const keySettingName = (source: KeySource): string =>
  source.keys ? 'KEYS' : source.command ? 'the output of KEY_COMMAND' : `KEY_FILE ${source.file}`

/**
 * From the environment (KEYS), a command's output (KEY_COMMAND, for a KMS) or a file (KEY_FILE), which test mode
 * creates with mode 0600. Throws, naming the source, if keys are missing or malformed.
 */
export function loadKeys(source: KeySource): Keys {
  const { keys, command, file } = source
  if (!keys && !command && !file) throw new Misconfigured('no keys: set KEYS, KEY_COMMAND or KEY_FILE')
  return checked(keys || (command ? outputOf(command) : readOrMake(file!, source)), keySettingName(source), source)
}

/** Its messages go to standard error; errors do not repeat the command, because it may contain a password. */
function outputOf(command: string): string {
  const { status, signal, stdout, error } = spawnSync('/bin/sh', ['-c', command], {
    encoding: 'utf8',
    timeout: KEY_COMMAND_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status === 0) return stdout
  const how = signal ? `was terminated (${signal}) or took longer than ${KEY_COMMAND_MS / 1000} s` : `exited with code ${status}`
  throw new Misconfigured(
    `KEY_COMMAND returned no keys: it ${error && !signal ? `could not be run: ${error.message}` : how}. Run it by hand as the user of the service.`,
  )
}

function readOrMake(file: string, { mode, lenient }: KeySource): string {
  const isStrict = mode === 'live' && !lenient
  try {
    if (!existsSync(file) && mode === 'test') writeFileSync(file, newKeys(), { mode: 0o600, flag: 'wx' })
    if (isStrict) refuseReadable('KEY_FILE', file)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    if (mode === 'live' && !existsSync(file))
      throw new Misconfigured(`KEY_FILE ${file} does not exist, and live mode does not create keys. ${howToMakeKeys}`)
    throw new Misconfigured(
      `KEY_FILE ${file} cannot be ${existsSync(file) ? 'read' : 'made'}: ${whyNoFile(error)}. Set another file, or give this user access.`,
    )
  }
}

/**
 * The function returns new keys of the file once. The lookup key and the key of a key id must stay; after an error,
 * which `warn` gets, the keys stay. Other sources change with a restart.
 */
export function watchKeys(source: KeySource, first: Keys, warn: (why: string) => void): () => Keys | null {
  const { keys, command, file } = source
  if (keys || command || !file) return () => null
  const stateOf = () => {
    const { mtimeMs, ino, size } = statSync(file)
    return `${mtimeMs} ${ino} ${size}`
  }
  let known = first
  let seen = ''
  let warned = ''
  return () => {
    try {
      const state = stateOf()
      if (state === seen) return null
      seen = state
      const now = checked(readFileSync(file, 'utf8'), `KEY_FILE ${file}`, source)
      const same = now.lookup === known.lookup && Object.entries(now.sealing).every(([id, key]) => (known.sealing[id] ?? key) === key)
      if (!same) throw new Misconfigured(`KEY_FILE ${file} contains the keys of another deployment`)
      if (JSON.stringify(now) === JSON.stringify(known)) return null
      known = { ...now, sealing: { ...known.sealing, ...now.sealing } }
      warned = ''
      return now
    } catch (error) {
      const why = (error as Error).message
      if (why !== warned) warn(why)
      warned = why
      return null
    }
  }
}

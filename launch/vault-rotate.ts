// `npm run vault:rotate`: makes a new key, and encrypts all records anew with it, while the service runs. Running the
// command again continues an interrupted rotation. `npm run vault:rotate -- --remove` removes keys from the key file
// that encrypt no record any more. Settings are those of the service. Keys from KEYS or KEY_COMMAND must be changed by
// the operator: the command then encrypts all records anew with the active key.
import './help.mjs'
import '../src/service.ts'
import { statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { openReader } from '../src/database/connection.ts'
import { usualDeadlines } from '../src/database/connection-settings.ts'
import { forgetKeys, noteKeys } from '../src/vault/deployment-checks.ts'
import { type KeySource, type Keys, keySettingName, loadKeys, withNewKey, withoutOldKeys, writeKeys } from '../src/vault/keys.ts'
import { countOld, KEYS_EVERY_MS, sealAnew } from '../src/vault/rotate.ts'
import { openVault } from '../src/vault/vault.ts'
import { checkOwnKeys, openOwnDatabase, ownKeys } from './own.ts'
import { openProgress } from './progress.ts'

const PATIENCE_MS = 600_000
const say = (line: string) => process.stdout.write(`${line}\n`)

type Query = ReturnType<typeof openReader>['query']

/** Returns the key file if this command can write it; null if the keys come from elsewhere. */
const fileOf = ({ keys, command, file }: KeySource): string | null => (keys || command ? null : file)

async function rotate(query: Query, before: Keys): Promise<void> {
  const old = await countOld({ query }, before)
  const file = fileOf(ownKeys)
  const goesOn = old > 0
  if (!goesOn && !file)
    throw new Misconfigured(
      `all records are encrypted with ${before.active}. Add a new key to ${keySettingName(ownKeys)}, make it the active one, restart the service, and run this command again`,
    )
  const keys = goesOn ? before : withNewKey(before)
  if (!goesOn) {
    writeKeys(file!, keys)
    await noteKeys({ query }, keys)
    say(`${keys.active} was added to ${file} and is now the active key. Keep a copy. Every process must read this file.`)
    // After this pause every process has the new key.
    await wait(2 * KEYS_EVERY_MS)
  }
  const count = goesOn ? old : await countOld({ query }, keys)
  const vault = openVault(keys)
  const { done, unreadable } = await sealAnew({ query, vault, wait: ms => wait(ms) }, keys, openProgress('records re-encrypted', count))
  const others = Object.keys(keys.sealing).filter(id => id !== keys.active)
  if (unreadable.length > 0) return sayLeft(done, unreadable, others)
  say(`Re-encrypted ${done} records; all records are encrypted with ${keys.active}.`)
  if (others.length > 0)
    say(file ? `Run npm run vault:rotate -- --remove to remove ${others.join(', ')} from ${file}.` : `${others.join(', ')} can be removed.`)
}

/** How many of the records that cannot be decrypted are named. */
const MOST_NAMED = 50

/**
 * Names the records that no key opens: they are left as they are, and no key may be removed before they are dealt
 * with.
 */
function sayLeft(done: number, unreadable: readonly string[], others: readonly string[]): void {
  say(`Re-encrypted ${done} records. ${unreadable.length} records cannot be decrypted with these keys, and were left as they are:`)
  for (const name of unreadable.slice(0, MOST_NAMED)) say(`  ${name}`)
  if (unreadable.length > MOST_NAMED) say(`  and ${unreadable.length - MOST_NAMED} more`)
  say(
    `Restore them from a backup, or find the key that they were encrypted with and add it to the keys; then run this command again.${others.length > 0 ? ` Until then, do not remove ${others.join(', ')}.` : ''}`,
  )
  process.exitCode = 1
}

async function remove(query: Query): Promise<void> {
  const file = fileOf(ownKeys) ?? null
  if (!file) throw new Misconfigured(`the keys come from ${keySettingName(ownKeys)}, which this command cannot change`)
  // Processes use a file's former content for this long after a change, and may still encrypt with a key that is about
  // to be removed.
  const age = Date.now() - statSync(file).mtimeMs
  if (age < 2 * KEYS_EVERY_MS) await wait(2 * KEYS_EVERY_MS - age)
  const keys = loadKeys(ownKeys)
  const old = await countOld({ query }, keys)
  if (old > 0) throw new Misconfigured(`${old} records are not encrypted with ${keys.active} yet: run npm run vault:rotate first`)
  writeKeys(file, withoutOldKeys(keys))
  await forgetKeys({ query }, withoutOldKeys(keys))
  say(`${file} now contains only ${keys.active}. Running processes keep the other keys until they exit.`)
}

async function run(): Promise<void> {
  const [argument] = process.argv.slice(2)
  if (argument !== undefined && argument !== '--remove')
    throw new Misconfigured(`${argument} is not a known argument: use --remove or none`)
  const keys = loadKeys(ownKeys)
  const database = await openOwnDatabase()
  const reader = openReader(database.url, 1, () => {}, { ...usualDeadlines, statement_ms: PATIENCE_MS, silence_ms: PATIENCE_MS + 1000 })
  try {
    await checkOwnKeys(reader, keys)
    await (argument ? remove(reader.query) : rotate(reader.query, keys))
  } finally {
    await reader.close()
    await database.close()
  }
}

try {
  await run()
} catch (error) {
  process.stderr.write(`the vault cannot be re-encrypted: ${(error as Error).message}\n`)
  process.exitCode = 2
}

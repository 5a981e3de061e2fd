import { deepEqual, equal, match, notEqual, ok, throws } from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Keys, loadKeys, newKeys, watchKeys, withNewKey, withoutOldKeys, writeKeys } from './keys.ts'
import { openVault } from './vault.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-vault-'))
after(() => rmSync(folder, { recursive: true }))

const keys = JSON.parse(newKeys()) as Keys
const vault = openVault(keys)
const number = '4242424242424242'

test('encrypted data can be decrypted only under the merchant and record that it was encrypted for', () => {
  const sealed = vault.seal('m1', 'card pay_1', number)
  equal(vault.open('m1', 'card pay_1', sealed), number)
  throws(() => vault.open('m2', 'card pay_1', sealed))
  throws(() => vault.open('m1', 'card pay_2', sealed))
})

test('encrypted bytes do not contain the card number, and two encryptions of one number differ', () => {
  const [a, b] = [vault.seal('m1', 'card pay_1', number), vault.seal('m1', 'card pay_1', number)]
  ok(!a.toString('latin1').includes(number))
  ok(!a.equals(b))
})

test('decryption detects any changed byte', () => {
  const sealed = vault.seal('m1', 'r', number)
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i]! ^= 1
    throws(() => vault.open('m1', 'r', changed), `byte ${i}`)
  }
})

test('after a rotation the new key encrypts, and data of the old key can still be decrypted', () => {
  const old = vault.seal('m1', 'r', number)
  const next = withNewKey(keys)
  const rotated = openVault(next)
  equal(rotated.open('m1', 'r', old), number)
  const fresh = rotated.seal('m1', 'r', number)
  throws(() => vault.open('m1', 'r', fresh), /no key k2/)
  equal(rotated.fingerprint('m1', number), vault.fingerprint('m1', number))
})

test('data in an encryption format that this release does not know is refused', () => {
  const sealed = vault.seal('m1', 'r', number)
  for (const form of [0, 1, 3, 255])
    throws(() => vault.open('m1', 'r', Buffer.concat([Buffer.from([form]), sealed.subarray(1)])), /unknown form/)
})

test('each merchant has random data keys of its own, which are useless under another merchant', () => {
  const headOf = (sealed: Buffer) => sealed.subarray(0, 2 + 2 + 60).toString('hex')
  const [one, two] = [vault.seal('m1', 'a', 'first'), vault.seal('m1', 'b', 'second')]
  equal(headOf(one), headOf(two), 'kept in memory, and used again')
  notEqual(headOf(vault.seal('m2', 'a', 'first')), headOf(one))
  const another = openVault(keys).seal('m1', 'a', 'first')
  notEqual(headOf(another), headOf(one))
  throws(() => vault.open('m1', 'a', Buffer.concat([another.subarray(0, 64), one.subarray(64)])))
  equal(vault.open('m1', 'a', another), 'first')
})

test('a key added to the key file is used without a restart; a broken file or another deployment’s keys are not', () => {
  const file = join(folder, 'watched.json')
  writeKeys(file, keys)
  const warnings: string[] = []
  const source = { mode: 'live', keys: null, command: null, file } as const
  const running = openVault(
    keys,
    watchKeys(source, keys, why => warnings.push(why)),
  )
  const old = running.seal('m1', 'r', number)
  const next = withNewKey(keys)
  writeKeys(file, next)
  const byAnother = openVault(next).seal('m1', 'r', number)
  equal(running.open('m1', 'r', byAnother), number, 'at once, because a record names it')
  deepEqual([running.keys().active, running.seal('m1', 'r', number).toString('latin1', 2, 4)], ['k2', 'k2'])
  writeKeys(file, withoutOldKeys(next))
  running.refresh()
  equal(running.open('m1', 'r', old), number, 'what is in memory opens until the process ends')
  throws(() => openVault(withoutOldKeys(next)).open('m1', 'r', old), /no key k1/)
  for (const [text, why] of [
    ['{', /not JSON/],
    [newKeys(), /another deployment/],
  ] as const) {
    writeFileSync(file, text)
    running.refresh()
    running.refresh()
    match(warnings.pop()!, why)
    deepEqual([warnings, running.keys().active], [[], 'k2'])
  }
})

test('a fingerprint is 20 letters and digits, the same for a card within a merchant, and different for another merchant or key', () => {
  const fingerprint = vault.fingerprint('m1', number)
  ok(/^[A-Za-z0-9]{20}$/.test(fingerprint))
  equal(vault.fingerprint('m1', number), fingerprint)
  notEqual(vault.fingerprint('m2', number), fingerprint)
  notEqual(vault.fingerprint('m1', '4000000000000002'), fingerprint)
  notEqual(openVault(JSON.parse(newKeys()) as Keys).fingerprint('m1', number), fingerprint)
})

test('test mode creates a key file that only its owner can read, and reuses it', () => {
  const file = join(folder, 'keys.json')
  const made = loadKeys({ mode: 'test', keys: null, command: null, file })
  equal(statSync(file).mode & 0o777, 0o600)
  deepEqual(loadKeys({ mode: 'test', keys: null, command: null, file }), made)
})

test('live mode does not start without keys, and reads them from the environment, a file or a command', () => {
  throws(() => loadKeys({ mode: 'live', keys: null, command: null, file: null }), /KEYS, KEY_COMMAND or KEY_FILE/)
  throws(() => loadKeys({ mode: 'live', keys: null, command: null, file: join(folder, 'none.json') }), /KEY_FILE/)
  const file = join(folder, 'live.json')
  writeFileSync(file, newKeys(), { mode: 0o600 })
  equal(loadKeys({ mode: 'live', keys: null, command: null, file }).active, 'k1')
  equal(loadKeys({ mode: 'live', keys: null, command: `cat ${file}`, file: null }).active, 'k1')
  equal(loadKeys({ mode: 'live', keys: newKeys(), command: null, file: null }).active, 'k1')
})

test('malformed keys are refused, and the error names their source', () => {
  for (const text of ['', '{}', '{"active":"k1","sealing":{"k1":"short"},"lookup":"x"}', '[]', 'null']) {
    throws(() => loadKeys({ mode: 'live', keys: text || 'x', command: null, file: null }), /KEYS/)
  }
})

test('live mode refuses keys that are not random, one key for two purposes, and a key file that every user may read', () => {
  const from = (source: Keys, more: object = {}) =>
    loadKeys({ mode: 'live', keys: JSON.stringify(source), command: null, file: null, ...more })
  const bytes = (fill: (i: number) => number) => Buffer.from(Array.from({ length: 32 }, (_, i) => fill(i))).toString('base64')
  for (const weak of [bytes(() => 0), bytes(() => 255), bytes(i => i % 2), bytes(i => 'secret'.charCodeAt(i % 6))]) {
    throws(() => from({ ...keys, sealing: { k1: weak } }), /KEYS does not contain valid keys: the key k1 is not random/)
    throws(() => from({ ...keys, lookup: weak }), /the key lookup is not random/)
    equal(from({ ...keys, lookup: weak }, { mode: 'test' }).lookup, weak)
  }
  throws(() => from({ ...keys, lookup: keys.sealing.k1! }), /two of the keys are the same/)
  const file = join(folder, 'readable.json')
  const ofFile = { mode: 'live', keys: null, command: null, file } as const
  writeKeys(file, keys)
  for (const mode of [0o644, 0o604, 0o602]) {
    chmodSync(file, mode)
    throws(() => loadKeys(ofFile), /KEY_FILE .*readable\.json may be read by every user of this machine.*chmod 600/)
    equal(loadKeys({ ...ofFile, mode: 'test' }).active, 'k1')
  }
  for (const mode of [0o600, 0o400, 0o440]) {
    chmodSync(file, mode)
    equal(loadKeys(ofFile).active, 'k1')
  }
})

test('a key file that cannot be changed is named with the reason', () => {
  throws(() => writeKeys('/proc/keys.json', keys), /KEY_FILE \/proc\/keys\.json cannot be changed: .*Give this user access/)
})

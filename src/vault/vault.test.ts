import { deepEqual, equal, notEqual, ok, throws } from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Keys, loadKeys, newKeys } from './keys.ts'
import { openVault } from './vault.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-vault-'))
after(() => rmSync(folder, { recursive: true }))

const keys = JSON.parse(newKeys()) as Keys
const vault = openVault(keys)
const number = '4242424242424242'

test('what is sealed opens again, and only under the merchant and record it was sealed for', () => {
  const sealed = vault.seal('m1', 'card pay_1', number)
  equal(vault.open('m1', 'card pay_1', sealed), number)
  throws(() => vault.open('m2', 'card pay_1', sealed))
  throws(() => vault.open('m1', 'card pay_2', sealed))
})

test('sealed bytes do not hold the number, and the same number seals differently each time', () => {
  const [a, b] = [vault.seal('m1', 'card pay_1', number), vault.seal('m1', 'card pay_1', number)]
  ok(!a.toString('latin1').includes(number))
  ok(!a.equals(b))
})

test('any changed byte is noticed', () => {
  const sealed = vault.seal('m1', 'r', number)
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i]! ^= 1
    throws(() => vault.open('m1', 'r', changed), `byte ${i}`)
  }
})

test('a new key seals from now on, and what the old one sealed still opens', () => {
  const old = vault.seal('m1', 'r', number)
  const next: Keys = { active: 'k2', sealing: { ...keys.sealing, k2: (JSON.parse(newKeys()) as Keys).sealing.k1! }, lookup: keys.lookup }
  const rotated = openVault(next)
  equal(rotated.open('m1', 'r', old), number)
  const fresh = rotated.seal('m1', 'r', number)
  throws(() => vault.open('m1', 'r', fresh), /no key k2/)
  equal(rotated.fingerprint('m1', number), vault.fingerprint('m1', number))
})

test('a fingerprint is 20 letters and digits, the same for a card within a merchant, another for another merchant or key', () => {
  const fingerprint = vault.fingerprint('m1', number)
  ok(/^[A-Za-z0-9]{20}$/.test(fingerprint))
  equal(vault.fingerprint('m1', number), fingerprint)
  notEqual(vault.fingerprint('m2', number), fingerprint)
  notEqual(vault.fingerprint('m1', '4000000000000002'), fingerprint)
  notEqual(openVault(JSON.parse(newKeys()) as Keys).fingerprint('m1', number), fingerprint)
})

test('test mode makes a key file that only its owner can read, and finds it again', () => {
  const file = join(folder, 'keys.json')
  const made = loadKeys({ mode: 'test', keys: null, command: null, file })
  equal(statSync(file).mode & 0o777, 0o600)
  deepEqual(loadKeys({ mode: 'test', keys: null, command: null, file }), made)
})

test('live mode refuses to start without keys, and takes them from the environment, a file or a command', () => {
  throws(() => loadKeys({ mode: 'live', keys: null, command: null, file: null }), /KEYS, KEY_COMMAND or KEY_FILE/)
  throws(() => loadKeys({ mode: 'live', keys: null, command: null, file: join(folder, 'none.json') }), /KEY_FILE/)
  const file = join(folder, 'live.json')
  writeFileSync(file, newKeys())
  equal(loadKeys({ mode: 'live', keys: null, command: null, file }).active, 'k1')
  equal(loadKeys({ mode: 'live', keys: null, command: `cat ${file}`, file: null }).active, 'k1')
  equal(loadKeys({ mode: 'live', keys: newKeys(), command: null, file: null }).active, 'k1')
})

test('malformed keys are refused with the name of their source', () => {
  for (const text of ['', '{}', '{"active":"k1","sealing":{"k1":"short"},"lookup":"x"}', '[]', 'null']) {
    throws(() => loadKeys({ mode: 'live', keys: text || 'x', command: null, file: null }), /KEYS/)
  }
})

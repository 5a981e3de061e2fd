// The cost of the vault: microseconds of processor time for one encryption, one decryption, one fingerprint and one
// look-up of a card's BIN data, beside the bare cipher.
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, randomFillSync } from 'node:crypto'
import { openBins } from '../src/instruments/bins.ts'
import { type Keys, newKeys } from '../src/vault/keys.ts'
import { openVault } from '../src/vault/vault.ts'
import { fine, median, table } from './figures.ts'

const ROUNDS = 5
const TIMES = 50_000

const NUMBER = '4242424242424242'
const RECORD = 'card pay_01JZ9Q4T8V2X6C0N3B5M7K1H2G'

/** Returns AES-256-GCM alone: the least that encrypting a number can cost. */
function bareCipher() {
  const key = createSecretKey(randomBytes(32))
  const nonce = Buffer.alloc(12)
  const encrypt = () => {
    const cipher = createCipheriv('aes-256-gcm', key, randomFillSync(nonce))
    const text = cipher.update(NUMBER, 'utf8')
    cipher.final()
    return { text, tag: cipher.getAuthTag(), used: nonce }
  }
  const decrypt = ({ text, tag, used }: ReturnType<typeof encrypt>) => {
    const decipher = createDecipheriv('aes-256-gcm', key, used, { authTagLength: 16 }).setAuthTag(tag)
    return decipher.update(text, undefined, 'utf8') + decipher.final('utf8')
  }
  return { encrypt, decrypt }
}

export async function measureVault(): Promise<string> {
  const vault = openVault(JSON.parse(newKeys()) as Keys)
  const bare = bareCipher()
  const sealed = vault.seal('bench', RECORD, NUMBER)
  const first = bare.encrypt()
  const bareSealed = { ...first, used: Buffer.from(first.used) }
  // No BIN data are imported: the look-up is measured from memory.
  const empty = { filled: false, networks: null, card_type: null, issuer: null, country: null }
  const bins = openBins({ query: async () => [empty] as never, log: { info() {}, warn() {}, error() {} } })
  await bins.of(NUMBER)
  const works: Record<string, () => unknown> = {
    'bare AES-256-GCM, encrypt': bare.encrypt,
    seal: () => vault.seal('bench', RECORD, NUMBER),
    'bare AES-256-GCM, decrypt': () => bare.decrypt(bareSealed),
    open: () => vault.open('bench', RECORD, sealed),
    fingerprint: () => vault.fingerprint('bench', NUMBER),
    'what is known of a card': () => bins.of(NUMBER),
  }
  const figures = new Map<string, number[]>(Object.keys(works).map(name => [name, []]))
  for (const work of Object.values(works)) measure(work)
  for (let round = 0; round < ROUNDS; round++) for (const [name, work] of Object.entries(works)) figures.get(name)!.push(measure(work))
  const rows = [...figures].map(([name, all]) => [name, fine(median(all))])
  return `The vault (microseconds of processor time; a payment seals once, one with a saved card opens once more)\n${table([['', 'µs'], ...rows])}`
}

function measure(work: () => unknown): number {
  const began = process.cpuUsage()
  for (let i = 0; i < TIMES; i++) work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / TIMES
}

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { openRandomBytes } from '../base/random.ts'
import type { Vault } from '../context.ts'
import { decrypt, derivedFrom, encrypt } from './cipher.ts'
import type { Keys } from './keys.ts'
import { ENVELOPE, envelopeHead, KEY, NONCE, prefixOf } from './sealed.ts'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const REMEMBERED = 10_000
/** Nonces are random: a key that sealed more than 2^32 times might repeat one (NIST SP 800-38D, 8.3). */
const MOST_SEALED = 2 ** 31

/** `headText`: the head as text, to which the sealed data is bound. */
type Sealing = { head: Buffer; headText: string; key: KeyObject; left: number }

export type OpenVault = Vault & {
  keys(): Keys
  /** Earlier keys still open the records that they sealed, until the process ends. */
  refresh(): void
}

/**
 * The keys in memory. Each merchant's records are sealed with random data keys of its own, which stand in the head of
 * the bytes under the deployment's active key (an envelope). Sealing and opening cost one pass of the cipher.
 */
class KeyRing {
  keys: Keys
  readonly #again: () => Keys | null
  readonly #dice = openRandomBytes()
  // Key objects are created once: handing Node the bytes each time costs 12 µs more for a digest and 16 for a sealing.
  readonly #masters = new Map<string, KeyObject>()
  readonly #sealings = new Map<string, Sealing>()
  readonly #opened = new Map<string, KeyObject>()

  constructor(keys: Keys, again: () => Keys | null) {
    this.keys = keys
    this.#again = again
    this.#learn()
  }

  #learn(): void {
    for (const [id, text] of Object.entries(this.keys.sealing))
      this.#masters.set(id, derivedFrom(Buffer.from(text, 'base64'), 'switchyard data keys', ''))
  }

  refresh(): void {
    const others = this.#again()
    if (!others) return
    this.keys = others
    this.#sealings.clear()
    this.#learn()
  }

  #master(id: string): KeyObject {
    if (!this.#masters.has(id)) this.refresh()
    const found = this.#masters.get(id)
    if (!found) throw new Error(`the vault has no key ${id}`)
    return found
  }

  sealingOf(merchant_id: string): Sealing {
    const known = this.#sealings.get(merchant_id)
    if (known && known.left-- > 0) return known
    const made = this.#newDataKey(merchant_id)
    remember(this.#sealings, merchant_id, made)
    return made
  }

  #newDataKey(merchant_id: string): Sealing {
    const id = this.keys.active
    const bytes = this.#dice(KEY)
    const prefix = prefixOf(ENVELOPE, id)
    const head = encrypt(this.#master(id), prefix, this.#dice(NONCE), bytes, Buffer.concat([prefix, Buffer.from(merchant_id)]))
    const sealing = { head, headText: head.toString('latin1'), key: createSecretKey(bytes), left: MOST_SEALED }
    remember(this.#opened, `${merchant_id}\n${sealing.headText}`, sealing.key)
    return sealing
  }

  dataKeyOf(merchant_id: string, { id, wrapped }: ReturnType<typeof envelopeHead>, headText: string): KeyObject {
    const name = `${merchant_id}\n${headText}`
    let key = this.#opened.get(name)
    if (!key) {
      key = createSecretKey(decrypt(this.#master(id), wrapped, Buffer.concat([prefixOf(ENVELOPE, id), Buffer.from(merchant_id)])))
      remember(this.#opened, name, key)
    }
    return key
  }
}

/** The data that sealed bytes are bound to: bytes moved to another row, or under another head, do not open. */
const bound = (merchant_id: string, record: string, headText: string) => Buffer.from(`${merchant_id}\n${record}\n${headText}`, 'utf8')

/** `again`: new keys, if any by now; called at `refresh` and for an unknown key id. */
export function openVault(first: Keys, again: () => Keys | null = () => null): OpenVault {
  const ring = new KeyRing(first, again)
  const dice = openRandomBytes()
  return {
    keys: () => ring.keys,
    refresh: () => ring.refresh(),
    seal(merchant_id, record, clear) {
      const { head, headText, key } = ring.sealingOf(merchant_id)
      return encrypt(key, head, dice(NONCE), clear, bound(merchant_id, record, headText))
    },
    open(merchant_id, record, sealed) {
      const head = envelopeHead(sealed)
      const headText = sealed.toString('latin1', 0, head.end)
      const key = ring.dataKeyOf(merchant_id, head, headText)
      return decrypt(key, sealed.subarray(head.end), bound(merchant_id, record, headText)).toString('utf8')
    },
    ...digesting(createSecretKey(first.lookup, 'base64')),
  }
}

/** Values are found again by these digests, and never opened. */
const digesting = (lookup: KeyObject): Pick<Vault, 'fingerprint' | 'digest'> => ({
  fingerprint(merchant_id, number) {
    const digest = createHmac('sha256', lookup).update(`card\n${merchant_id}\n${number}`).digest()
    let text = ''
    for (let i = 0; i < 20; i++) text += ALPHANUMERIC[digest[i]! % 62]
    return text
  },
  digest(purpose, text) {
    return createHmac('sha256', lookup).update(`${purpose}\n${text}`).digest('hex')
  },
})

function remember<T>(map: Map<string, T>, name: string, value: T): void {
  if (map.size >= REMEMBERED) map.clear()
  map.set(name, value)
}

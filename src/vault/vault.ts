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
 * Each merchant's records are sealed with random data keys of its own, which stand in the head of the bytes under the
 * deployment's active key (an envelope). A record is bound to merchant, name and head: moved bytes do not open. Data
 * keys are kept in memory, so sealing and opening cost one pass of the cipher. `again`: new keys, if any by now;
 * called at `refresh` and for an unknown key id.
 */
export function openVault(first: Keys, again: () => Keys | null = () => null): OpenVault {
  let keys = first
  // Key objects are created once: handing Node the bytes each time costs 12 µs more for a digest and 16 for a sealing.
  const masters = new Map<string, KeyObject>()
  const sealings = new Map<string, Sealing>()
  const opened = new Map<string, KeyObject>()
  const lookup = createSecretKey(keys.lookup, 'base64')
  const dice = openRandomBytes()
  learn()

  function learn(): void {
    for (const [id, text] of Object.entries(keys.sealing))
      masters.set(id, derivedFrom(Buffer.from(text, 'base64'), 'switchyard data keys', ''))
  }

  function refresh(): void {
    const others = again()
    if (!others) return
    keys = others
    sealings.clear()
    learn()
  }

  function master(id: string) {
    if (!masters.has(id)) refresh()
    const found = masters.get(id)
    if (!found) throw new Error(`the vault has no key ${id}`)
    return found
  }

  function sealingOf(merchant_id: string): Sealing {
    const known = sealings.get(merchant_id)
    if (known && known.left-- > 0) return known
    const made = newDataKey(merchant_id)
    remember(sealings, merchant_id, made)
    return made
  }

  function newDataKey(merchant_id: string): Sealing {
    const id = keys.active
    const bytes = dice(KEY)
    const prefix = prefixOf(ENVELOPE, id)
    const head = encrypt(master(id), prefix, dice(NONCE), bytes, Buffer.concat([prefix, Buffer.from(merchant_id)]))
    const sealing = { head, headText: head.toString('latin1'), key: createSecretKey(bytes), left: MOST_SEALED }
    remember(opened, `${merchant_id}\n${sealing.headText}`, sealing.key)
    return sealing
  }

  function dataKeyOf(
    merchant_id: string,
    { id, wrapped, end }: ReturnType<typeof envelopeHead>,
    sealed: Buffer,
  ): { headText: string; key: KeyObject } {
    const headText = sealed.toString('latin1', 0, end)
    const name = `${merchant_id}\n${headText}`
    let key = opened.get(name)
    if (!key) {
      key = createSecretKey(decrypt(master(id), wrapped, Buffer.concat([prefixOf(ENVELOPE, id), Buffer.from(merchant_id)])))
      remember(opened, name, key)
    }
    return { headText, key }
  }

  const bound = (merchant_id: string, record: string, headText: string) => Buffer.from(`${merchant_id}\n${record}\n${headText}`, 'utf8')

  return {
    keys: () => keys,
    refresh,
    seal(merchant_id, record, clear) {
      const { head, headText, key } = sealingOf(merchant_id)
      return encrypt(key, head, dice(NONCE), clear, bound(merchant_id, record, headText))
    },
    open(merchant_id, record, sealed) {
      const head = envelopeHead(sealed)
      const { headText, key } = dataKeyOf(merchant_id, head, sealed)
      return decrypt(key, sealed.subarray(head.end), bound(merchant_id, record, headText)).toString('utf8')
    },
    ...digesting(lookup),
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

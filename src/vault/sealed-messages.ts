import type { JWK } from 'jose'

/** Own private keys, the other side's public ones: one pair to sign, another to seal. */
export type Identity = { own: { sign: JWK; open: JWK }; other: { verify: JWK; seal: JWK } }

const SIGNS = 'ES256'
const AGREES = 'ECDH-ES+A256KW'
const SEALS = 'A256GCM'

/** An older message can be a replayed copy. */
const FRESH_MS = 60_000

/** `id`: of the request, which its answer repeats; `at`: when it was written (milliseconds). */
type SealedMessage<T> = T & { id: string; at: number }

export type SealedMessages = { write(content: object): Promise<string>; read<T>(text: string): Promise<SealedMessage<T>> }

/** Signed (JWS) and sealed (JWE): an intermediary can neither read nor change them. `jose` is loaded only if needed. */
export async function openSealedMessages({ own, other }: Identity, now: () => number): Promise<SealedMessages> {
  const { CompactEncrypt, CompactSign, compactDecrypt, compactVerify, importJWK } = await import('jose')
  const [sign, verify] = await Promise.all([importJWK(own.sign, SIGNS), importJWK(other.verify, SIGNS)])
  const [open, seal] = await Promise.all([importJWK(own.open, AGREES), importJWK(other.seal, AGREES)])
  return {
    async write(content) {
      const payload = Buffer.from(JSON.stringify({ ...content, at: now() }))
      const signed = await new CompactSign(payload).setProtectedHeader({ alg: SIGNS }).sign(sign)
      return new CompactEncrypt(Buffer.from(signed)).setProtectedHeader({ alg: AGREES, enc: SEALS }).encrypt(seal)
    },
    /** Throws if the message is not from the other side, not for this side, changed, or too old. */
    async read<T>(text: string) {
      const allowed = { keyManagementAlgorithms: [AGREES], contentEncryptionAlgorithms: [SEALS] }
      const { plaintext } = await compactDecrypt(text, open, allowed)
      const { payload } = await compactVerify(plaintext, verify, { algorithms: [SIGNS] })
      const message = JSON.parse(Buffer.from(payload).toString('utf8')) as SealedMessage<T>
      if (!(Math.abs(now() - message.at) <= FRESH_MS)) throw new Error('the message is too old, or the clocks differ')
      return message
    },
  }
}

export async function newIdentities(): Promise<{ service: Identity; vault: Identity }> {
  const { exportJWK, generateKeyPair } = await import('jose')
  const pair = async (algorithm: string) => {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true, crv: 'P-256' })
    return { secret: await exportJWK(privateKey), known: await exportJWK(publicKey) }
  }
  const [ours, theirs] = await Promise.all([pair(SIGNS), pair(SIGNS)])
  const [forUs, forThem] = await Promise.all([pair(AGREES), pair(AGREES)])
  return {
    service: { own: { sign: ours.secret, open: forUs.secret }, other: { verify: theirs.known, seal: forThem.known } },
    vault: { own: { sign: theirs.secret, open: forThem.secret }, other: { verify: ours.known, seal: forUs.known } },
  }
}

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Body } from './call.ts'

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()
const UP_UV = 0x05
const ATTESTED = 0x40

/** Encodes bytes in CBOR. */
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]), bytes])
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/**
 * Opens an authenticator with one key (ES256) that answers as a browser does. `origin`: the origin of the page that
 * requests the key.
 */
export function openAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const cose = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x!, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y!, 'base64url'),
  ])
  const id = randomBytes(16)
  const state = { counter: 0 }
  const dataOf = (rpId: string, flags: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(state.counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }
  const clientDataOf = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const answer = (response: Body) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    state,
    /** Answers `navigator.credentials.create`. */
    create({ rp, challenge }: Body) {
      const authData = Buffer.concat([dataOf(rp.id, UP_UV | ATTESTED), Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0]), cborText('authData'), cborBytes(authData)],
      ])
      return answer({
        clientDataJSON: clientDataOf('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    /** Answers `navigator.credentials.get`. */
    get({ rpId, challenge }: Body, flags = UP_UV) {
      state.counter++
      const authenticatorData = dataOf(rpId, flags)
      const clientData = clientDataOf('webauthn.get', challenge)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey)
      return answer({
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
  }
}

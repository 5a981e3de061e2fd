import { createSign, generateKeyPairSync } from 'node:crypto'

/**
 * Makes a self-signed certificate and its key, both as PEM. The certificate is for this machine (127.0.0.1) and valid
 * until `until`.
 */
export function selfMade(name: string, until = '21200101000000Z'): { certificate: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, oid(ECDSA_WITH_SHA256))
  const called = der(0x30, der(0x31, der(0x30, oid(COMMON_NAME), der(0x0c, Buffer.from(name)))))
  const extension = (id: number[], value: Buffer) => der(0x30, oid(id), der(0x04, value))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    called,
    der(0x30, der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from(until))),
    called,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      der(
        0x30,
        extension(BASIC_CONSTRAINTS, der(0x30, der(0x01, Buffer.from([0xff])))),
        extension(SUBJECT_ALT_NAME, der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])))),
      ),
    ),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const whole = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').match(/.{1,64}/g)!
  return {
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

const ECDSA_WITH_SHA256 = [1, 2, 840, 10045, 4, 3, 2]
const COMMON_NAME = [2, 5, 4, 3]
const BASIC_CONSTRAINTS = [2, 5, 29, 19]
const SUBJECT_ALT_NAME = [2, 5, 29, 17]

/** Encodes an ASN.1 value in DER: its tag, its length, its content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const inside = Buffer.concat(parts)
  const { length } = inside
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), inside])
}

function oid([first = 0, second = 0, ...rest]: number[]): Buffer {
  const base128 = (n: number): number[] => (n < 128 ? [n] : [...base128(n >> 7).map(byte => byte | 128), n & 127])
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

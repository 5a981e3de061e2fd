/**
 * The form of sealed bytes.
 *
 * - 2, an envelope: form, length of the key id, key id, the data key under that key (nonce, tag, 32 bytes), then
 *   nonce, tag and cipher text under the data key. All bytes before the last nonce are the head.
 * - 3, a reference: form, length, `vault`, a handle. The separate vault process keeps the record that the handle
 *   refers to (`split.ts`); nothing is sealed here.
 */
export const ENVELOPE = 2
export const REFERENCE = 3
export const NONCE = 12
export const TAG = 16
export const KEY = 32
const WRAPPED = NONCE + TAG + KEY

/** Form, length of the key id, and key id. */
export const prefixOf = (form: number, id: string): Buffer => Buffer.concat([Buffer.from([form, id.length]), Buffer.from(id)])

/** `end`: where the head ends. Throws for a form that this release does not know. */
export function envelopeHead(sealed: Buffer): { id: string; wrapped: Buffer; end: number } {
  if (sealed[0] !== ENVELOPE) throw new Error('sealed bytes of an unknown form')
  const after = 2 + sealed[1]!
  const end = after + WRAPPED
  return { id: sealed.toString('latin1', 2, after), wrapped: sealed.subarray(after, end), end }
}

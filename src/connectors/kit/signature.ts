import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../../base/secret.ts'
import type { Time } from '../../context.ts'
import type { Account } from '../connector.ts'

/** All comparisons take constant time. */

/** Also into the future. */
const TOLERANCE_MS = 5 * 60_000

/** `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `t.body`, the raw bytes. Several `v1` while a secret is changed. */
export const signedIn =
  (header: string) =>
  (raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret: secret }: Account, now: Time): boolean => {
    const parts = headers[header]?.slice(0, 1024).split(',') ?? []
    const time = parts.find(part => /^t=\d{1,12}$/.test(part))?.slice(2)
    if (time === undefined || secret === null) return false
    const expected = createHmac('sha256', secret.reveal()).update(`${time}.`).update(raw).digest()
    let good = false
    for (const part of parts) {
      if (/^v1=[0-9a-f]{64}$/i.test(part) && timingSafeEqual(Buffer.from(part.slice(3), 'hex'), expected)) good = true
    }
    return good && Math.abs(Date.parse(now) - Number(time) * 1000) <= TOLERANCE_MS
  }

export function isHmac(key: string | Buffer, signed: string | Buffer, given: Buffer, by: 'sha256' | 'sha1' = 'sha256'): boolean {
  const expected = createHmac(by, key).update(signed).digest()
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export const isHexHmac = (key: string, signed: string | Buffer, given: string | undefined): boolean =>
  given !== undefined && /^[0-9a-f]{64}$/i.test(given) && isHmac(key, signed, Buffer.from(given, 'hex'))

export function isSecret(secret: Secret | null, given: string | undefined): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return secret !== null && given !== undefined && timingSafeEqual(digest(given), digest(secret.reveal()))
}

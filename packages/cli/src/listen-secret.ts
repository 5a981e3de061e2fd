import { createHash, randomBytes } from 'node:crypto'
import { keepSecret, readKept } from './settings.ts'

/**
 * The secret by which a listener of this deployment and key signs: the same each time, so that the receiver's settings
 * stay.
 */
export function listenSecret(url: string, key: string | undefined): string {
  const name = `listen/${createHash('sha256').update(`${url}\n${key}`).digest('hex').slice(0, 24)}.secret`
  const kept = readKept(name)
  if (kept !== null) return kept.trim()
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  keepSecret(name, `${secret}\n`)
  return secret
}

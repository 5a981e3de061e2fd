import { createHash, randomBytes } from 'node:crypto'
import { keepSecret, Mistake, readKept } from './settings.ts'

/**
 * The secret by which a listener of this deployment and key signs: the same each time, so that the receiver's settings
 * stay. `asked`: one that is given instead; refuses what is none.
 */
export function listenSecret(url: string, key: string | undefined, asked?: string): string {
  if (asked !== undefined && !/^whsec_[A-Za-z0-9+/]+=*$/.test(asked)) throw new Mistake('--secret must begin with whsec_')
  if (asked !== undefined) return asked
  const name = `listen/${createHash('sha256').update(`${url}\n${key}`).digest('hex').slice(0, 24)}.secret`
  const kept = readKept(name)
  if (kept !== null) return kept.trim()
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  keepSecret(name, `${secret}\n`)
  return secret
}

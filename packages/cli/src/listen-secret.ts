import { createHash, randomBytes } from 'node:crypto'
import { keepSecret, Mistake, readKept } from './settings.ts'

/**
 * Returns the secret that a listener signs with. It is stored for each deployment and key, so that the receiver's
 * settings stay valid. `asked` is used instead, if given. Throws a Mistake if it is not a signing secret.
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

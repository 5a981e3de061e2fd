import type { FastifyInstance } from 'fastify'
import { later } from '../base/time.ts'
import type { Service } from './endpoint.ts'

/**
 * The validity of the file in milliseconds. RFC 9116 recommends less than a year; readers fetch the file again before
 * it expires.
 */
const VALID_MS = 180 * 86_400_000

/**
 * Serves `/.well-known/security.txt` (RFC 9116), which tells researchers where to report weaknesses of this
 * deployment. `contact`: an address that begins with `mailto:` or `https:`.
 */
export function serveSecurityContact(app: FastifyInstance, { context, services }: Service, contact: string): void {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const address = `${services.publicUrl}/.well-known/security.txt`
    const lines = [`Contact: ${contact}`, `Expires: ${later(context.now(), VALID_MS)}`, 'Preferred-Languages: en', `Canonical: ${address}`]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}

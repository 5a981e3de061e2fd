// Whose account a call is about. The key is the name: there is nothing to protect here.

import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusals.ts'

export function accountOf(request: Pick<FastifyRequest, 'headers'>): string {
  const name = /^Bearer sandbox_([A-Za-z0-9_-]{1,64})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (name === undefined) throw new Refusal('unauthorized', 'the key must be `authorization: Bearer sandbox_<account>`')
  return name
}

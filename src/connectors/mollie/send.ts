import type { Request } from '../../context.ts'
import type { Account } from '../connector.ts'
import { credentialsOf } from '../kit/credentials.ts'
import { type ParsedReply, parseReply, readerOf } from '../kit/parse-reply.ts'
import { readRefused } from './replies.ts'

/** Sends a request, and parses the response. A request that creates an object may have status 201. */
export function* sendToMollie<Answer>(
  account: Account,
  request: Request,
  read: (body: unknown) => Answer | null,
  secrets: Parameters<typeof parseReply>[1] = [],
): Generator<Request, ParsedReply<Answer>, Parameters<typeof parseReply>[0]> {
  const good = request.method === 'POST' ? [200, 201] : [200]
  return parseReply(yield request, [...credentialsOf(account), ...secrets], readerOf(read, readRefused, good))
}

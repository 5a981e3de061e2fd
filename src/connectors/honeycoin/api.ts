import type { Secret } from '../../base/secret.ts'
import type { Reply, Request } from '../../context.ts'
import type { Account, Conversation } from '../connector.ts'
import { type Grant, withToken } from '../conversation.ts'
import { credentialOf, credentialsOf } from '../kit/credentials.ts'
import { type ParsedReply, parseReply, readerOf } from '../kit/parse-reply.ts'
import { bearerOf } from '../kit/request.ts'
import type { Unit } from '../kit/unit.ts'
import { type HoneycoinTransaction, readGrant, readRefused, readTransaction } from './replies.ts'

/** Sends a request with the account's access token. Without a token nothing is sent. */
export function* call(
  account: Account,
  unit: Unit,
  request: Omit<Request, 'headers'>,
  secrets: readonly Secret[] = [],
): Conversation<ParsedReply<HoneycoinTransaction>> {
  const reply: Reply | Exclude<Grant, { is: 'granted' }> = yield* withToken(
    () => fetchToken(account),
    token => ({ ...request, headers: { authorization: bearerOf(token), 'content-type': 'application/json' } }),
  )
  if (reply.is === 'refused') return { is: 'refused', as: 'configuration', code: 'unauthorized', message: reply.message }
  if (reply.is === 'unavailable') return { is: 'not_sent', why: reply.why }
  return parseReply(
    reply,
    [...credentialsOf(account), ...secrets],
    readerOf(body => readTransaction(body, unit), readRefused),
  )
}

function* fetchToken(account: Account): Generator<Request, Grant, Reply> {
  const reply = yield {
    method: 'POST',
    url: `${account.base_url}/auth/generate-bearer-token`,
    headers: { 'api-key': credentialOf(account).reveal(), 'content-type': 'application/json' },
    body: JSON.stringify({ publicKey: credentialOf(account, 'key1').reveal() }),
  }
  return readGrant(reply)
}

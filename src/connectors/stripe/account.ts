import type { Account, Conversation, CredentialsVerdict } from '../connector.ts'
import { failedVerdict } from '../kit/parse-reply.ts'
import { openTalk } from './api.ts'
import { readIntent, readList } from './replies.ts'

/** Verifies the API key with the least request that it must allow: to list intents. */
export function* verifyAccount(account: Account): Conversation<CredentialsVerdict> {
  const reply = yield* openTalk(account).get('/v1/payment_intents?limit=1', body => readList(body, readIntent))
  return reply.is === 'answer' ? { is: 'good' } : failedVerdict(reply)
}

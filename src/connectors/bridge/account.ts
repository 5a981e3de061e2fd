import type { Account, Conversation, CredentialsVerdict } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedWish, parseReply, readerOf } from '../kit/parse-reply.ts'
import { bearerOf, getRequest } from '../kit/request.ts'
import { readRefused } from './api.ts'
import { isAdapter } from './protocol.ts'

const adapterReply = readerOf(body => (isAdapter(body) ? true : null), readRefused)

/**
 * Verifies the secret with the adapter's description of itself, which the adapter gives only to a caller that has the
 * secret.
 */
export function* verifyAccount(account: Account): Conversation<CredentialsVerdict> {
  const key = credentialOf(account)
  const reply = parseReply(yield getRequest(`${account.base_url}/v1`, bearerOf(key)), [key], adapterReply)
  return reply.is === 'answer' ? { is: 'good' } : failedWish(reply)
}

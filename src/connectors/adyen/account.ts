import type { Account, Conversation, CredentialsVerdict } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedVerdict, parseReply } from '../kit/parse-reply.ts'
import { methodsReply, requestTo } from './api.ts'
import { methodsBody } from './requests.ts'

/**
 * Verifies the API key and the merchant account's name by listing its payment methods, which moves no money: the least
 * request that a key must allow.
 */
export function* verifyAccount(account: Account, request_id: string): Conversation<CredentialsVerdict> {
  const request = requestTo(account, '/paymentMethods', request_id, methodsBody(account))
  if ('is' in request) return { is: 'refused', code: '', message: request.is === 'declined' ? request.message : '' }
  const reply = parseReply(yield request, [credentialOf(account)], methodsReply)
  return reply.is === 'answer' ? { is: 'good' } : failedVerdict(reply)
}

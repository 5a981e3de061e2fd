import type { Account, Conversation, CredentialsVerdict } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedVerdict, parseReply } from '../kit/parse-reply.ts'
import { get, operationName, operationReply } from './api.ts'

/**
 * Verifies the account's credentials: they are valid if they may look up an operation, even one that does not exist.
 */
export function* verifyAccount(account: Account, request_id: string): Conversation<CredentialsVerdict> {
  const request = get(account, `/operations/${operationName({ reference: null, request_id })}`)
  const reply = parseReply(yield request, [credentialOf(account)], operationReply)
  if (reply.is === 'answer' || (reply.is === 'refused' && reply.as === 'not_found')) return { is: 'good' }
  return failedVerdict(reply)
}

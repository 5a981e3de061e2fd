import type { Account, Conversation, SyncRequest } from '../connector.ts'
import { lookUp } from './api.ts'

export function sync({ verb, request_id }: SyncRequest, account: Account): Conversation {
  return lookUp(verb, request_id, account)
}

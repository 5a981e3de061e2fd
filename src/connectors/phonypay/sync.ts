import type { Account, Conversation, SyncRequest } from '../connector.ts'
import { isDisputeVerb } from '../verbs.ts'
import { lookUp } from './api.ts'
import { syncAuthentication } from './authentication.ts'
import { syncDispute } from './disputes.ts'

export function sync(ask: SyncRequest, account: Account): Conversation {
  if (isDisputeVerb(ask.verb)) return syncDispute(ask.verb, ask, account)
  return ask.verb === 'authenticate' ? syncAuthentication(ask, account) : lookUp(ask.verb, ask, account)
}

import * as bridge from '../bridge/payout.ts'
import type { Account, Conversation, PayoutRequest } from '../connector.ts'
import { declinedWith } from '../kit/parse-reply.ts'
import { adapterOf, LACKS_ADAPTER } from './api.ts'

export function* payout(ask: PayoutRequest, account: Account): Conversation {
  const adapter = adapterOf(account)
  return adapter ? yield* bridge.payout(ask, adapter) : declinedWith('configuration', '', LACKS_ADAPTER)
}

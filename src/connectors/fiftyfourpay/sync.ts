import * as bridge from '../bridge/sync.ts'
import type { Account, Conversation, SyncRequest } from '../connector.ts'
import { credentialsOf } from '../kit/credentials.ts'
import { failedQuestion, parseReply, unknown } from '../kit/parse-reply.ts'
import { LACKS_UNIT, unitOf } from '../kit/unit.ts'
import { settingOf } from '../settings.ts'
import { adapterOf, collectionReply, headersOf, LACKS_ADAPTER } from './api.ts'
import { outcomeOf } from './outcomes.ts'

export function* sync(ask: SyncRequest, account: Account): Conversation {
  const { verb, request_id } = ask
  if (verb === 'payout') {
    const adapter = adapterOf(account)
    return adapter ? yield* bridge.sync(ask, adapter) : unknown(LACKS_ADAPTER)
  }
  const unit = unitOf(account)
  if (unit === null) return unknown(LACKS_UNIT)
  const url = `${account.base_url}${settingOf(account, 'status_path') ?? '/collection/v1/status'}/${encodeURIComponent(request_id)}`
  const request = { method: 'GET', url, headers: headersOf(account, request_id) } as const
  const reply = parseReply(yield request, credentialsOf(account), collectionReply(unit))
  if (reply.is !== 'answer') return failedQuestion(reply)
  return verb === 'authorize' ? outcomeOf(reply.answer, request_id) : unknown('only payments can be synced')
}

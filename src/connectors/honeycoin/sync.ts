import type { Account, Conversation, SyncRequest } from '../connector.ts'
import { failedQuestion, unknown } from '../kit/parse-reply.ts'
import { LACKS_UNIT, unitOf } from '../kit/unit.ts'
import { settingOf } from '../settings.ts'
import { call } from './api.ts'
import { outcomeOf } from './outcomes.ts'

export function* sync({ verb, request_id }: SyncRequest, account: Account): Conversation {
  const unit = unitOf(account)
  if (unit === null) return unknown(LACKS_UNIT)
  const url = `${account.base_url}${settingOf(account, 'lookup_path') ?? '/transactions'}/${encodeURIComponent(request_id)}`
  const reply = yield* call(account, unit, { method: 'GET', url })
  // A 404 proves nothing, because the URL is only guessed.
  if (reply.is !== 'answer') return failedQuestion(reply)
  if (reply.answer.externalReference !== request_id) return unknown('the response is for another transaction')
  return verb === 'authorize' || verb === 'payout' ? outcomeOf(reply.answer, verb) : unknown('only payments and payouts can be synced')
}

import type { Account, AuthorizeRequest, Conversation } from '../connector.ts'
import { without } from '../kit/parse-reply.ts'
import { codesOf } from '../kit/secrets.ts'
import { put } from './api.ts'

export function* authorize(ask: AuthorizeRequest<'card'>, account: Account): Conversation {
  const { number, exp_month, exp_year, cvc, holder } = ask.instrument
  const outcome = yield* put(
    'authorize',
    ask.request_id,
    {
      type: 'authorize',
      ...ask.money,
      capture: ask.capture === 'automatic' ? 'automatic' : 'manual',
      method: {
        type: 'card',
        number: number.reveal(),
        exp_month,
        exp_year,
        ...(cvc && { cvc: cvc.reveal() }),
        ...(holder !== null && { holder }),
      },
      // The protocol has no value for a mandatory challenge.
      three_ds: ask.three_ds === 'skip' ? 'skip' : 'request',
      return_url: ask.return_url,
      merchant_name: ask.merchant_name,
      ...(ask.statement_descriptor !== null && { statement_descriptor: ask.statement_descriptor }),
      allow_partial: ask.partial_approval === 'accept',
      ...(ask.purchase && { purchase: ask.purchase }),
      ...(ask.channel && { channel: ask.channel }),
    },
    account,
    [number],
  )
  return without(outcome, codesOf(ask.instrument))
}

import { Secret } from '../../base/secret.ts'
import type { Account, Conversation, PayoutRequest } from '../connector.ts'
import type { Recipient } from '../instrument.ts'
import { without } from '../kit/parse-reply.ts'
import { codesOfRecipient, secretsOfRecipient } from '../kit/secrets.ts'
import { put } from './api.ts'
import type { BridgeRequest } from './protocol.ts'

export function* payout({ request_id, money, recipient, merchant_name, description }: PayoutRequest, account: Account): Conversation {
  const ask: BridgeRequest = {
    type: 'payout',
    ...money,
    to: paidTo(recipient),
    merchant_name,
    ...(description !== null && { description }),
  }
  return without(yield* put('payout', request_id, ask, account, secretsOfRecipient(recipient)), codesOfRecipient(recipient))
}

function paidTo(recipient: Recipient): Extract<BridgeRequest, { type: 'payout' }>['to'] {
  const { is: type, type: scheme, ...rest } = recipient
  const clear = Object.entries(rest).map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value])
  const fields = Object.fromEntries(clear.filter(([, value]) => value !== null))
  return { type, ...(scheme !== null && { scheme }), ...fields }
}

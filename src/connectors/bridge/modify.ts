import type { Account, CaptureRequest, Conversation, RefundRequest, VoidRequest } from '../connector.ts'
import { put } from './api.ts'

/** Captures, voids and refunds: they name the authorization by our request id of it. */

export function capture({ request_id, authorization, money, rest }: CaptureRequest, account: Account): Conversation {
  const body = { type: 'capture', authorization: authorization.request_id, ...money, final: rest === 'release' } as const
  return put('capture', request_id, body, account)
}

export function voidAuthorization({ request_id, authorization, money }: VoidRequest, account: Account): Conversation {
  return put('void', request_id, { type: 'void', authorization: authorization.request_id, ...money }, account)
}

export function refund({ request_id, authorization, money, reason }: RefundRequest, account: Account): Conversation {
  const body = { type: 'refund', authorization: authorization.request_id, ...money, ...(reason !== null && { reason }) } as const
  return put('refund', request_id, body, account)
}

import { catalogue, type RefusalName } from '../base/refusal.ts'
import type { Endpoint } from './endpoint.ts'

/** Does an Idempotency-Key work here? */
export const takesKey = (endpoint: Endpoint): boolean => endpoint.method === 'POST' && endpoint.takes !== 'nothing' && !endpoint.rawBody

/** Refusals of single operations, beyond those that follow from what an operation takes. */
export const refusals: Readonly<Record<string, readonly RefusalName[]>> = {
  createPayment: [
    'invalid_value',
    'not_found',
    'not_supported',
    'not_implemented',
    'flow_not_supported',
    'no_connector',
    'duplicate',
    'busy',
  ],
  confirmPayment: [
    'invalid_value',
    'not_supported',
    'not_implemented',
    'flow_not_supported',
    'no_connector',
    'unauthorized',
    'forbidden',
    'busy',
  ],
  capturePayment: ['wrong_state', 'not_supported', 'flow_not_supported', 'busy'],
  cancelPayment: ['flow_not_supported', 'busy'],
  createRefund: [
    'not_found',
    'wrong_state',
    'refund_too_large',
    'too_many_refunds',
    'not_supported',
    'flow_not_supported',
    'duplicate',
    'busy',
  ],
  listEvents: ['not_found'],
  createMerchantAccount: ['not_supported', 'duplicate'],
  createConnectorAccount: ['duplicate'],
  startChallenge: ['no_return_url'],
  customerReturned: ['no_return_url'],
  customerReturnedByPost: ['no_return_url'],
  receiveWebhook: ['webhook_unverified', 'webhook_unknown'],
}

/** Every refusal that an operation may answer with, in the catalogue's order. */
export function refusalsOf(endpoint: Endpoint): RefusalName[] {
  const { takes, body, query, path, room, name } = endpoint
  const found = new Set<RefusalName>(['internal', 'unavailable', ...(refusals[name] ?? [])])
  const add = (condition: boolean, ...names: RefusalName[]) => {
    if (condition) for (const one of names) found.add(one)
  }
  add(takes !== 'nothing', 'key_missing_or_unknown')
  add(takes !== 'nothing' && takes !== 'secret or client', 'forbidden')
  add(takes === 'secret or client', 'missing', 'unacceptable', 'client_secret_expired', 'client_secret_mismatch')
  add(query !== undefined, 'missing', 'unreadable', 'precondition')
  add(body !== undefined, 'compressed', 'missing', 'several_missing', 'malformed', 'unreadable', 'too_long', 'unacceptable', 'precondition')
  add(takesKey(endpoint), 'malformed', 'key_reused', 'still_running')
  add(path.includes('{') && room !== 'Webhooks', 'not_found')
  return (Object.keys(catalogue) as RefusalName[]).filter(one => found.has(one))
}

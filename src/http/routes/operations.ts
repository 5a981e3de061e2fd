import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { orNull } from '../../base/shapes.ts'
import { verbNames } from '../../connectors/verbs.ts'
import { findExchanges } from '../../operations/exchanges.ts'
import { findOperationByRequest, type Owner, operationStates } from '../../operations/operation.ts'
import { currency } from '../../payments/fields/order.ts'
import { ownerOf as ownerOfPayment, PAYMENT } from '../../payments/payment.ts'
import { needPayment } from '../../payments/rows.ts'
import { needPayout, ownerOf as ownerOfPayout, PAYOUT } from '../../payouts/payout.ts'
import { actionNames, payoutActionNames, showActions, showPayoutActions } from '../../show/actions.ts'
import { showOperations } from '../../show/operations.ts'
import { requestsThatWrote } from '../../telemetry/request-log.ts'
import { disclose } from '../../vault/disclosures.ts'
import { count, flag, listSchema, minor, schema, sized, text, texts, time } from '../answer-shapes.ts'
import { type ApiRequest, endpoint } from '../endpoint.ts'

const operationAnswer = schema('Operation', 'One request to a processor', {
  request_id: Type.String({ description: 'The id under which the processor knows it' }),
  n: Type.Integer({ description: 'Its number among the operations of the object' }),
  verb: Type.Enum([...verbNames]),
  purpose: Type.Enum(['merchant', 'reversal', 'external'], {
    description: 'reversal: returns money that should not have moved; external: made at the processor by others',
  }),
  attempt: Type.Integer({ description: 'The attempt that it belongs to' }),
  acts_on: orNull(Type.Integer({ description: 'The `n` of the authorization that it captures, voids or refunds' })),
  amount: minor,
  currency,
  connector: text,
  merchant_connector_id: text,
  connector_label: orNull(Type.String({ description: 'null if the connector account was deleted' })),
  state: Type.Enum([...operationStates], {
    description:
      'unknown: the processor has not responded, or not clearly; the money may have moved. waiting: the processor has received it, the result is pending. unresolved: no result within seven days. conflicted: the response contradicts the request. not_received: the processor does not know the request. not_sent: nothing reached the processor',
  }),
  why: orNull(Type.String({ description: 'What the processor said, or why nothing is known' })),
  ...texts('error_code refund_id'),
  sent_at: time,
  heard_at: orNull(Type.String({ format: 'date-time', description: 'The first response of the processor; null without one' })),
  latency_ms: orNull(Type.Integer({ description: 'Until the response, or until the request timed out; null while it is under way' })),
  modified_at: time,
  asked: Type.Integer({ description: 'Number of scheduled status polls so far' }),
  ask_at: orNull(Type.String({ format: 'date-time', description: 'The next status poll; null if none follows' })),
  ...texts('reference'),
  version: orNull(Type.Integer({ description: 'Version of the object at which it was sent' })),
  by: orNull(Type.String({ description: 'Who requested it: an API key, a browser (`client`), or the service itself' })),
  log_id: orNull(Type.String({ description: 'The API request that sent it, while the request log keeps it' })),
  exchanges: Type.Integer({ description: 'How many exchanges with the processor are kept' }),
})

async function shownOf({ context, merchant }: ApiRequest<Merchant>, owner: Owner) {
  const logs = await requestsThatWrote(context, owner)
  return sized(await showOperations(context, merchant, owner, version => logs.get(version) ?? null))
}

const operationsOf = (object: 'payment' | 'payout') =>
  ({
    title: `List the operations of a ${object}`,
    description: `Lists the requests to processors for a ${object}, oldest first: authorizations, captures, voids, refunds and the service’s own reversals, each with its state, the connector account, the latency and the next status poll.`,
    auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
    answers: listSchema('Operations', operationAnswer),
  }) as const

export const operationsOfPayment = endpoint('GET /payments/{payment_id}/operations', 'listPaymentOperations', {
  ...operationsOf('payment'),
  json: async call => shownOf(call, ownerOfPayment(await needPayment(call.context, call.merchant.merchant_id, call.path.payment_id))),
})

export const operationsOfPayout = endpoint('GET /payouts/{payout_id}/operations', 'listPayoutOperations', {
  ...operationsOf('payout'),
  json: async call => shownOf(call, ownerOfPayout(await needPayout(call.context, call.merchant.merchant_id, call.path.payout_id))),
})

const headers = Type.Object({}, { additionalProperties: true, description: 'Values that are not listed as harmless are `[redacted]`' })
const body = Type.Unknown({
  description: 'The members of a JSON body or a form, with confidential values `[redacted]`; text if it was cut; null without a body',
})
const exchangeAnswer = schema('Exchange', 'One request to a processor, and its response', {
  exchange_id: text,
  at: time,
  method: text,
  url: text,
  headers,
  body,
  is: Type.Enum(['reply', 'not_sent', 'silence'], {
    description: 'not_sent: nothing reached the processor. silence: no whole response was received',
  }),
  why: orNull(Type.String({ description: 'Why there is no response' })),
  status: orNull(count),
  answer_headers: orNull(headers),
  answer_body: body,
  timing: Type.Object({ total_ms: count }),
})

/** Returns the stored exchanges of an operation for a person to read; records each access in the audit log. */
async function exchangesOf(
  { context, merchant: { merchant_id } }: ApiRequest<Merchant>,
  { kind, object_id }: Omit<Owner, 'merchant_id'>,
  request_id: string,
) {
  const operation = await findOperationByRequest(context, merchant_id, request_id)
  if (operation?.kind !== kind || operation.object_id !== object_id) refuse('not_found', { what: 'operation' })
  const found = await findExchanges(context, merchant_id, object_id, request_id)
  await disclose(context, merchant_id, 'exchanges', { object_id, request_id })
  return sized(found.map(({ total_ms, ...exchange }) => ({ ...exchange, timing: { total_ms } })))
}

const exchangesOfOperation = (object: 'payment' | 'payout') =>
  ({
    title: `List the exchanges of an operation of a ${object}`,
    description: `Lists what was sent to the processor for an operation of a ${object}, and what it responded, oldest first: status polls too, requests for access tokens not. Credentials, payment data and personal data are removed before an exchange is stored, and it is stored encrypted, for EXCHANGE_DAYS. Stored are the exchanges of operations that were declined, failed or are unknown, and a sample of the others (EXCHANGE_SAMPLE). Exchanges appear within two seconds. Each call is recorded in the audit log.`,
    auth: { credential: 'secret', permission: 'logs:read', scope: 'profile', within: 'operation' },
    answers: listSchema('Exchanges', exchangeAnswer),
  }) as const

export const exchangesOfPayment = endpoint('GET /payments/{payment_id}/operations/{request_id}/exchanges', 'listPaymentExchanges', {
  ...exchangesOfOperation('payment'),
  json: call => exchangesOf(call, { kind: PAYMENT, object_id: call.path.payment_id }, call.path.request_id),
})

export const exchangesOfPayout = endpoint('GET /payouts/{payout_id}/operations/{request_id}/exchanges', 'listPayoutExchanges', {
  ...exchangesOfOperation('payout'),
  json: call => exchangesOf(call, { kind: PAYOUT, object_id: call.path.payout_id }, call.path.request_id),
})

const whyNotAllowed = {
  code: orNull(Type.String({ description: 'Code of the error with which the action would be refused; null if it is allowed' })),
  words: orNull(Type.String({ description: 'Why it is not allowed' })),
}

const paymentAction = schema('PaymentAction', {
  action: Type.Enum(actionNames),
  allowed: flag,
  at_most: orNull({ ...minor, description: 'The largest amount that a capture or refund can have; null for other actions' }),
  currency: orNull(currency),
  ...whyNotAllowed,
})

export const actionsOfPayment = endpoint('GET /payments/{payment_id}/actions', 'listPaymentActions', {
  title: 'List the actions of a payment',
  description:
    'Lists what can be requested for a payment now: capture, cancel, refund and others, each with the largest amount, or with the error code and the reason if it would be refused. Status, amounts, operations in progress and the connector decide; other parameters of the request can still be refused, and the processor can decline.',
  auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
  answers: Type.Array(paymentAction),
  json: async ({ context, merchant, path: { payment_id } }) =>
    showActions({ context, merchant, payment: await needPayment(context, merchant.merchant_id, payment_id) }),
})

export const actionsOfPayout = endpoint('GET /payouts/{payout_id}/actions', 'listPayoutActions', {
  title: 'List the actions of a payout',
  description:
    'Lists what can be requested for a payout now: update, confirm, fulfill and cancel, or the error code and the reason if it would be refused. Status, operations in progress and the connector decide, and whether the person who asks may fulfill what they made; other parameters of the request can still be refused, and the processor can decline.',
  auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
  answers: Type.Array(schema('PayoutAction', { action: Type.Enum(payoutActionNames), allowed: flag, ...whyNotAllowed })),
  json: async ({ context, merchant, person, path: { payout_id } }) =>
    showPayoutActions({ context, merchant, person, payout: await needPayout(context, merchant.merchant_id, payout_id) }),
})

import { findConnectorAccount, type Merchant, nameOf } from '../accounts/merchant.ts'
import type { Currency } from '../base/currencies.ts'
import { between } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import type { Account, Card, Connector, Conversation, Outcome } from '../connectors/connector.ts'
import { converse } from '../connectors/converse.ts'
import type { Reply, Sender, World } from '../world.ts'
import { TOO_LATE_MS } from './alarm.ts'
import { capturesAtOnce, capturesSeveralTimes, type Operation, type Payment } from './payment.ts'
import { type Decide, settle } from './settle.ts'

/** A request takes 20 s at most and the caller is answered within 25: later than this after the first, no further one is sent. */
const TIME_FOR_MORE_MS = 3_000

/** What some verbs need besides the rows: the card of an authorize, the reason of a refund. */
export type Extras = { card?: Card; reason?: string | null; decide?: Decide }

/** What a story needs to know of the deployment besides the world: where customers come back to. */
export type Here = { publicUrl: string }

/**
 * Sends an operation that was written to its processor and settles the answer: the *talk* and the *settle* of commit · talk · commit. What settling opens (money given back) is performed
 * too.
 */
export async function perform(
  world: World,
  here: Here,
  merchant: Merchant,
  payment: Payment,
  operation: Operation,
  extras: Extras = {},
): Promise<Payment> {
  const outcome = await talk(world, here, merchant, payment, operation, extras)
  const settled = await settle(world, payment, operation, outcome, extras.decide)
  if (!settled.opened) return settled.payment
  return perform(world, here, merchant, settled.payment, settled.opened)
}

/** The conversation with the processor, from a written operation to its outcome. Writes nothing. */
async function talk(
  world: World,
  here: Here,
  merchant: Merchant,
  payment: Payment,
  operation: Operation,
  extras: Extras,
): Promise<Outcome> {
  if (operation.purpose === 'merchant' && between(operation.began, world.now()) > TOO_LATE_MS)
    return { is: 'unknown', why: 'not sent in time' }
  const connector = connectors[operation.connector]
  const account = findConnectorAccount(merchant, operation.merchant_connector_id)?.account
  if (!connector || !account) return { is: 'unknown', why: 'the connector account is gone' }
  const conversation = open(connector, account, here, merchant, payment, operation, extras)
  if (!conversation) return { is: 'unknown', why: `${operation.connector} cannot ${operation.verb}` }
  // A conversation of several requests must end in time for the answer: what is not begun in time is not begun.
  const began = world.now()
  const sender: Sender = { merchant_id: merchant.merchant_id, merchant_connector_id: operation.merchant_connector_id, purpose: 'move' }
  return converse(
    request =>
      between(began, world.now()) > TIME_FOR_MORE_MS
        ? Promise.resolve<Reply>({ is: 'silence', why: 'no time was left for it' })
        : world.send(request, sender),
    conversation,
  )
}

/** May the processor close the hold after this capture? Not while another one is on its way to it, which would then be refused. */
const isLast = (payment: Payment, capture: Operation): boolean =>
  !capturesSeveralTimes(payment) || (payment.amount_capturable === 0 && payment.amount_capturing <= capture.amount)

function open(
  connector: Connector,
  account: Account,
  here: Here,
  merchant: Merchant,
  payment: Payment,
  operation: Operation,
  extras: Extras,
): Conversation | null {
  const { request_id, amount, currency } = operation
  const money = { amount, currency: currency as Currency }
  const authorization = { reference: payment.connector_transaction_id, request_id: payment.authorization_request_id ?? '' }
  switch (operation.verb) {
    case 'authorize':
      if (!extras.card) return null
      return connector.authorize(
        {
          request_id,
          money,
          card: extras.card,
          capture: capturesAtOnce(payment) ? 'automatic' : 'manual',
          three_ds: payment.authentication_type === 'three_ds' ? 'request' : 'skip',
          return_url: `${here.publicUrl}/payments/${payment.payment_id}/${payment.merchant_id}/redirect/response/${operation.connector}/${request_id}`,
          merchant_name: nameOf(merchant),
          partial_approval: payment.asked.enable_partial_authorization === true ? 'accept' : 'refuse',
          statement_descriptor: payment.asked.billing_descriptor?.statement_descriptor ?? payment.asked.statement_descriptor_name ?? null,
        },
        account,
      )
    case 'capture':
      return (
        connector.capture?.(
          {
            request_id,
            authorization,
            money,
            rest: isLast(payment, operation) ? 'release' : 'keep',
          },
          account,
        ) ?? null
      )
    case 'void':
      return connector.void?.({ request_id, authorization, money }, account) ?? null
    case 'refund':
      return connector.refund?.({ request_id, authorization, money, reason: extras.reason ?? null }, account) ?? null
  }
}

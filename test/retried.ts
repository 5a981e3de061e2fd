import { equal, ok } from 'node:assert/strict'
import { Secret } from '../src/base/secret.ts'
import type { PaymentInstrument } from '../src/connectors/instrument.ts'
import { openOperation, operationRow } from '../src/operations/open.ts'
import { perform } from '../src/operations/perform.ts'
import { ownerOf, type Payment } from '../src/payments/payment.ts'
import { findPayment } from '../src/payments/rows.ts'
import { http } from './call.ts'
import { openProcessor, type Processor } from './processor.ts'
import { ADMIN_KEY, cards, type Shop } from './shop.ts'

/** Adds a second account to a shop, with books of its own at the sandbox. */
export async function secondAccount(shop: Shop): Promise<{ merchant_connector_id: string; processor: Processor }> {
  const key = `sandbox_${shop.merchant_id}_b`
  const { status, body, text } = await http(
    'POST',
    `${shop.url}/account/${shop.merchant_id}/connectors`,
    {
      connector_type: 'payment_processor',
      connector_name: 'phonypay',
      connector_label: 'b',
      connector_account_details: { auth_type: 'HeaderKey', api_key: key },
    },
    { 'api-key': ADMIN_KEY },
  )
  equal(status, 200, text)
  return { merchant_connector_id: body.merchant_connector_id, processor: openProcessor(shop.processor.url, key) }
}

const approved: PaymentInstrument = {
  is: 'card',
  number: new Secret(cards.approves),
  exp_month: 12,
  exp_year: 2040,
  cvc: new Secret('737'),
  holder: null,
}

/**
 * Retries a failed payment at another account: writes the rows as a retry makes them, and applies the processor's
 * answer. The card is one that is approved, unless the test names another.
 */
export async function retryAt(
  shop: Shop,
  payment_id: string,
  merchant_connector_id: string,
  instrument: PaymentInstrument = approved,
): Promise<Payment> {
  const { context, services, settings } = shop.service
  const merchant = (await settings.merchant(shop.merchant_id))!
  const payment = (await findPayment(context, shop.merchant_id, payment_id))!
  equal(payment.status, 'failed')
  const account = merchant.connectorAccounts.find(one => one.merchant_connector_id === merchant_connector_id)!
  const again = { ...payment, attempt_count: payment.attempt_count + 1 }
  const operation = openOperation(context, again, account, {
    ...ownerOf(payment),
    verb: 'authorize',
    purpose: 'merchant',
    acts_on: null,
    amount: payment.net_amount,
  })
  const after: Payment = {
    ...again,
    status: 'processing',
    alone: operation.n,
    merchant_connector_id,
    connector_transaction_id: null,
    authorization_n: operation.n,
    authorization_request_id: operation.request_id,
    operation_count: operation.n,
    last_error: null,
    modified_at: operation.began,
  }
  const written = await context.commit({
    head: 'payments',
    before: payment,
    after,
    rows: [operationRow(operation)],
    event: { type: 'sent', announces: null },
    by: 'service',
  })
  ok(written.is === 'written')
  return perform({ context, services, merchant }, written.row, operation, { instrument })
}

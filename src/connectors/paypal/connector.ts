import { DAY_MS, HOUR_MS } from '../../base/time.ts'
import type { Account, Connector, Conversation, CredentialsVerdict, Outcome, SyncRequest } from '../connector.ts'
import { syncDisputeBy } from '../kit/disputes.ts'
import { failedQuestion, failedVerdict, unknown } from '../kit/parse-reply.ts'
import { isDisputeVerb } from '../verbs.ts'
import { authorize, completeOrder, gone, lookAt, makeButtonOrder } from './authorize.ts'
import { acceptDispute, contestDispute, readDispute } from './disputes.ts'
import { capture, reauthorize, refund, renewed, voidedAs, voidHold } from './modify.ts'
import { callOffPayout, payout, syncPayout } from './payout.ts'
import { outcomeOf, refundOutcome, takenOutcome } from './replies.ts'
import { readPayment } from './report.ts'
import { counting, type PaypalTakes } from './requests.ts'
import { fetchTransactions, listTransactionDays } from './transactions.ts'
import { callOffSetUp, completeSetUp, syncVaulting, vaultForLater } from './vault.ts'
import { listChanges, readWebhook, verifyWebhook } from './webhook.ts'

/** When captures and refunds are in their order at the latest. PayPal does not document it. */
const ORDERS_LAG_MS = HOUR_MS

const isSetUp = ({ money }: Pick<SyncRequest, 'money'>): boolean => money.amount === 0

function* sync(ask: SyncRequest, account: Account): Conversation {
  const { verb, request_id, reference, authorization } = ask
  if (isDisputeVerb(verb)) return yield* syncDisputeBy(readDispute, verb, ask, account)
  if (verb === 'payout' || verb === 'cancel_payout') return yield* syncPayout(ask, account)
  if (isSetUp(ask)) return yield* syncVaulting(ask, account)
  const id = authorization ? authorization.reference : reference
  // An order is noted before money moves: an authorization without an order has moved nothing.
  if (id === null) return authorization ? unknown('the payment was not found') : { is: 'not_found' }
  const reply = yield* lookAt(id, account)
  if (reply.is !== 'answer') return (verb === 'authorize' && gone(reply)) || failedQuestion(reply)
  const { taken, refunds, holds } = reply.answer
  const notYet: Outcome = { is: 'not_found', lags_ms: ORDERS_LAG_MS }
  const late = (): Outcome => (reference === null ? notYet : { is: 'waiting', reference })
  switch (verb) {
    case 'authorize':
      return outcomeOf(reply.answer)
    case 'capture': {
      const made = taken.find(one => one.id === reference || one.invoice_id === request_id)
      return made ? takenOutcome(made) : late()
    }
    case 'refund': {
      const made = refunds.find(one => one.id === reference || one.custom_id === request_id)
      return made ? refundOutcome(made) : late()
    }
    case 'void':
      return voidedAs(reply.answer, ask) ?? notYet
    case 'extend': {
      const last = holds.length > 1 ? holds.at(-1) : undefined
      return last ? renewed(last) : notYet
    }
    default:
      return unknown(`PayPal has no ${verb}`)
  }
}

/** Retrieves an order that does not exist; no money moves. */
function* verifyAccount(account: Account, request_id: string): Conversation<CredentialsVerdict> {
  const reply = yield* lookAt(request_id, account)
  if (reply.is === 'answer' || (reply.is === 'refused' && reply.as === 'not_found')) return { is: 'good' }
  return failedVerdict(reply)
}

/**
 * The connector for PayPal's Orders v2, Payments v2, Disputes v1 and Payouts v1. An order is created and noted first.
 * All requests that move money act on it, and it shows their results.
 */
export const paypal = {
  name: 'paypal',
  sources: {
    documented:
      'PayPal’s REST API reference and its published OpenAPI documents; its client library works against the same sandbox dialect',
    second_hand:
      'An order that was not paid is gone after some hours, one that was paid stays. That transactions are searched by the time at which they began, and that a search with more than 10,000 of them is refused: other clients of the API',
    guessed:
      'PayPal does not document when captures and refunds appear in their order: an operation that is not found is treated as a decline only after an hour. That what PayPal keeps is charged by the capture of an order, rather than by its creation, is in its documents without an example: it would be refused, and nothing charged. That the setup token of a card that its bank did not verify says FAILED, and that the customer of a setup token has one payment token, is in its documents without an example: otherwise nothing is kept, or the payment stays unknown',
  },
  baseUrl: { test: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' },
  credentials: {
    auth_type: 'BodyKey',
    members: ['api_key', 'key1'],
    called: { api_key: { label: 'Client secret', secret: true }, key1: { label: 'Client ID', secret: false } },
  },
  accepts: {
    methods: ['wallet', 'card', 'stored_card', 'network_transaction_id'],
    capture: ['automatic', 'manual', 'manual_multiple'],
    offers: {
      paypal: {
        family: 'wallet',
        ways: ['paypal_redirect', 'paypal_sdk'],
        currencies: counting.currencies,
        capture: ['automatic', 'manual', 'manual_multiple'],
        recurring: true,
        setUp: true,
        decided: 'by the customer',
      },
    },
    orders: ['paypal'],
    recipients: ['wallet'],
    // PayPal stores idempotency keys of orders for 6 hours, of payments for 45 days, of payouts for 30.
    idempotent_ms: {
      authorize: 6 * HOUR_MS,
      capture: 45 * DAY_MS,
      void: 45 * DAY_MS,
      refund: 45 * DAY_MS,
      extend: 45 * DAY_MS,
      payout: 30 * DAY_MS,
    },
    lookup: 'by reference',
    in_flight_ms: 80_000,
    counting,
    evidence: {
      files: { 'application/pdf': 10_000_000, 'image/jpeg': 10_000_000, 'image/png': 10_000_000, 'image/gif': 10_000_000 },
      texts: true,
    },
    tells: {
      lookup: ['authorized', 'captured', 'refunded', 'voided', 'disputed'],
      webhooks: ['captured', 'refunded', 'voided', 'disputed'],
      // The list has the events of the webhooks that the account has at PayPal.
      changes: ['captured', 'refunded', 'voided', 'disputed'],
      changes_kept_ms: 30 * DAY_MS,
    },
    reports:
      'Transactions that moved the balance, of each day, by the Transaction Search API; the REST app needs *Transaction search*. Each day is read again after 10 and 31 days, for payments that were pending. PayPal gives its settlement report (STL) by SFTP only: it can be uploaded too, and changes nothing twice',
  },
  authorize,
  setUp: vaultForLater,
  order: makeButtonOrder,
  capture,
  void: (ask, account) => (isSetUp(ask) ? callOffSetUp(ask, account) : voidHold(ask, account)),
  refund,
  extend: reauthorize,
  payout,
  cancel_payout: callOffPayout,
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  read_dispute: readDispute,
  sync,
  read_payment: readPayment,
  list_changes: listChanges,
  list_reports: listTransactionDays,
  fetch_report: fetchTransactions,
  returned: {
    parameters: ['token', 'PayerID', 'approved', 'cancelled'],
    ask: (ask, account) => (isSetUp(ask) ? completeSetUp(ask, account) : completeOrder(ask, account)),
  },
  verify: verifyAccount,
  webhook: { largest: 262_144, byReference: ['authorize', 'capture', 'refund', 'payout'], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<PaypalTakes>

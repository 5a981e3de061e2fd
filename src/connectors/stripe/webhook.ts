import type { OperationIdentifier, PaymentUpdate, WebhookUpdate } from '../connector.ts'
import { readJson } from '../kit/read.ts'
import type { PaymentReport } from '../payment-report.ts'
import { REQUEST_ID, requestsIn } from './common.ts'
import { refundedOutcome } from './outcomes.ts'
import { readEvent, readIntent, readRefund, readSetup, readStripeTransfer, type StripeEvent, type StripeRefund } from './replies.ts'
import { chargeNews, intentNews, readChargeTotals, readDisputeId, refundNews } from './report.ts'

/**
 * An event shows its object as it was, so events only cause a query; a failed refund has failed for good. Totals are
 * told besides, so that what others changed is noticed, and what we changed is not asked about.
 */
export const readWebhook = (raw: Buffer): WebhookUpdate[] => {
  const event = readEvent(readJson(raw.toString()))
  return event ? updatesOf(event) : []
}

/** Of a charge's other events, those of its authorization are told by its intent. */
const chargeTypes = ['charge.captured', 'charge.refunded', 'charge.expired', 'charge.updated']

export function updatesOf({ type, object }: StripeEvent): WebhookUpdate[] {
  const dispute = readDisputeId(object)
  if (dispute !== null) return [{ is: 'dispute', dispute: 'ask', reference: dispute }]
  const charge = chargeTypes.includes(type) ? readChargeTotals(object) : null
  if (charge) return paymentNews(charge.metadata[REQUEST_ID], chargeNews(charge, type))
  const refund = readRefund(object)
  if (refund) return refundUpdates(refund)
  const intent = readIntent(object)
  const named = intent ?? readSetup(object) ?? readStripeTransfer(object)
  const request_id = named?.metadata[REQUEST_ID]
  if (!named || request_id === undefined) return []
  const asked = [request_id, ...requestsIn(named.metadata)]
  return [...asked.map(request_id => asking(request_id)), ...(intent ? paymentNews(request_id, intentNews(intent)) : [])]
}

const asking = (request_id: string): WebhookUpdate => ({ is: 'outcome', of: [{ request_id }], outcome: 'ask' })

/** A charge has the metadata of its intent, as it was when the bank was asked. */
const paymentNews = (request_id: string | undefined, report: PaymentReport | null): PaymentUpdate[] =>
  request_id === undefined || report === null ? [] : [{ is: 'payment', of: [{ request_id, verb: 'authorize' }], report }]

/** A refund that others have made does not name a request of ours, only the intent. */
function refundUpdates(refund: StripeRefund): WebhookUpdate[] {
  const request_id = refund.metadata[REQUEST_ID]
  if (request_id !== undefined) {
    const outcome = refundedOutcome(refund)
    return [{ is: 'outcome', of: [{ request_id }], outcome: outcome.is === 'declined' ? outcome : 'ask' }]
  }
  const report = refundNews(refund)
  if (report === null) return []
  const known: OperationIdentifier = { reference: refund.id, verb: 'refund' }
  return [{ is: 'payment', of: [{ reference: report.reference, verb: 'authorize' }, known], report }]
}

import { connectors } from '../connectors/all.ts'
import type { PaymentReport } from '../connectors/payment-report.ts'
import type { Unscreened } from '../connectors/redaction/card-numbers.ts'
import { acceptsUpdates, findOperation, type Operation } from '../operations/operation.ts'
import type { Call } from '../operations/verb.ts'
import type { PaymentParts } from '../payments/kind.ts'
import { ownerOf, type Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { askWhole } from './ask.ts'
import { isNothing } from './difference.ts'
import { compareLater, hasReports, isTakenBack, lookLater } from './looks.ts'
import { applyReport, differenceOf, type FoundDifference, hasNewDispute } from './receive.ts'

/** Asks about the whole payment; a processor that is silent, or an operation under way, is a reason to ask again. */
async function askWholeOrLater(call: Call, of: Operation): Promise<'compared' | 'silent' | 'unsupported'> {
  const authorization = of.purpose === 'external' ? await findOperation(call.context, of, of.acts_on ?? of.n) : of
  if (!authorization) return 'unsupported'
  const asked = await askWhole(call, authorization)
  if (asked === 'waits' || asked === 'silent') await lookLater(call.context, authorization)
  return asked === 'waits' ? 'compared' : asked
}

/**
 * Receives news of a whole payment from a webhook or a list. Where the processor can be asked, a report is only a hint,
 * because webhooks may be old: it is asked if the report has more than is known here. Else the report itself counts.
 */
async function reported(call: Call, authorization: Operation, report: Unscreened<PaymentReport> | 'ask'): Promise<void> {
  const canBeAsked = connectors[authorization.connector]?.read_payment !== undefined
  if (report === 'ask') {
    await askWholeOrLater(call, authorization)
    return
  }
  const found = await differenceOf(call, authorization, report)
  if (!found) return
  if (!canBeAsked) {
    await countsItself(call, authorization, report, found)
    return
  }
  if (isNothing(found.difference) && !(await hasNewDispute(call, authorization, found.report))) return
  const asked = await askWholeOrLater(call, authorization)
  // The processor of an account may not answer, though the connector can ask.
  if (asked === 'unsupported') await countsItself(call, authorization, report, found)
}

/** A report of a processor that cannot be asked: what waits for an operation under way is kept, and compared again. */
async function countsItself(
  call: Call,
  authorization: Operation,
  received: Unscreened<PaymentReport>,
  { report, difference }: FoundDifference,
): Promise<void> {
  const { reference } = authorization
  // The money of another attempt under the same merchant reference is not this payment's.
  if (!acceptsUpdates(authorization) && reference !== null && reference !== report.reference) return
  // That a movement was taken back may be told before it is confirmed, or while it waits.
  const mayBeTakenBack = difference.external.length > 0 && (await hasReports(call.context, authorization))
  const isEarly = acceptsUpdates(authorization) || mayBeTakenBack || (await applyReport(call, authorization, received)) === 'waits'
  if (isEarly || report.movements.some(isTakenBack)) await compareLater(call.context, authorization, report)
}

/**
 * Asks about the whole payment after its processor refused an operation: the money may have been moved there
 * before. Returns the payment as it stands. Never throws: the refusal itself is written already.
 */
async function refused(call: Call, payment: Payment, { acts_on }: Operation): Promise<Payment> {
  const { context } = call
  try {
    const authorization = acts_on === null ? undefined : await findOperation(context, ownerOf(payment), acts_on)
    if (!authorization || (await askWholeOrLater(call, authorization)) !== 'compared') return payment
    return (await findPayment(context, payment.merchant_id, payment.payment_id)) ?? payment
  } catch (error) {
    context.log.warn(
      { err: error, merchant_id: payment.merchant_id, payment_id: payment.payment_id },
      'the processor’s state of a payment could not be compared after a refusal',
    )
    return payment
  }
}

/** The parts of a payment's kind that concern money moved at its processor by others. */
export const outside: Pick<PaymentParts, 'reported' | 'askWhole' | 'refused'> = { reported, askWhole: askWholeOrLater, refused }

import { connectors } from '../connectors/all.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { Movement, PaymentReport } from '../connectors/payment-report.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import { findDisputeByReference } from '../disputes/dispute.ts'
import { isDecided } from '../disputes/lifecycle.ts'
import { findOperation, findOperations, type Operation } from '../operations/operation.ts'
import { screenOf } from '../operations/references.ts'
import { receiveOutcome, syncOperation } from '../operations/sync.ts'
import { receiveDispute } from '../operations/unmatched-disputes.ts'
import { aggregateOf, type Call } from '../operations/verb.ts'
import { ownerOf, type Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { bookContradiction, bookExternal } from './book.ts'
import { compare } from './compare.ts'
import type { Difference } from './difference.ts'

export type FoundDifference = { payment: Payment; difference: Difference; report: PaymentReport }

/**
 * Compares a report with the rows as they are now. Null: the authorization is no longer the payment's own. `asked`: the
 * payment's version when the processor was asked: if it has changed, what was held then is no news.
 */
export async function differenceOf(
  call: Call,
  authorization: Operation,
  received: Unscreened<PaymentReport>,
  asked?: number,
): Promise<FoundDifference | null> {
  const { context } = call
  const payment = await findPayment(context, authorization.merchant_id, authorization.object_id)
  // Read after the payment, whose version guards the change.
  const operations = payment && (await findOperations(context, ownerOf(payment)))
  if (!payment || !operations || payment.authorization_n !== authorization.n) return null
  const report = received.screened(screenOf(call, payment, authorization))
  if (asked === undefined || asked === payment.version || report.held === null)
    return { payment, difference: compare(payment, operations, report), report }
  const difference = compare(payment, operations, { ...report, held: null })
  return { payment, difference: { ...difference, waits: difference.waits || report.held !== payment.amount_capturable }, report }
}

/** More movements than one payment has. */
const MOST_BOOKED = 100

/**
 * Applies a report: books what others did, one change for each movement, asks for a person where the figures contradict
 * each other, and has operations and disputes asked about whose result the processor seems to know. The rows are read
 * after the report was made: our operations that it contains are in them. The same report twice changes nothing.
 * `waits`: an operation under way may explain a difference. `older`: the payment changed since it was asked about, and
 * the report has a capture of which it does not tell what is held now. `asked`: as of `differenceOf`. `last`: nothing
 * that is still to come will explain what waits.
 */
export async function applyReport(
  call: Call,
  authorization: Operation,
  received: Unscreened<PaymentReport>,
  { asked, last = false }: { asked?: number | undefined; last?: boolean } = {},
): Promise<'compared' | 'waits' | 'older'> {
  const { context, services } = call
  let version = asked
  for (let i = 0; i < MOST_BOOKED; i++) {
    const found = await differenceOf(call, authorization, received, version)
    if (!found) return 'compared'
    const { payment, difference, report } = found
    const [external] = difference.external
    const isOlder = version !== undefined && version !== payment.version
    if (isOlder && external?.verb === 'capture' && report.held !== null) return 'older'
    const contradiction = difference.contradiction ?? (last ? difference.early : null)
    const change = external ? bookExternal(context, payment, external) : contradiction && bookContradiction(context, payment, contradiction)
    if (change) {
      const written = await context.commit(change)
      if (written.is === 'written') {
        if (version === payment.version) version = written.row.version
        await aggregateOf(services, authorization).afterwards?.(call, written.row)
      }
      continue
    }
    if (external) {
      context.log.warn(
        { merchant_id: payment.merchant_id, payment_id: payment.payment_id, verb: external.verb, status: payment.status },
        'a movement at the processor does not fit the status of its payment',
      )
      return 'waits'
    }
    await settleOthers(call, authorization, found)
    return difference.waits ? 'waits' : 'compared'
  }
  return 'waits'
}

async function settleOthers(call: Call, authorization: Operation, { payment, difference, report }: FoundDifference): Promise<void> {
  for (const { n, movement } of difference.own) {
    const operation = await findOperation(call.context, authorization, n)
    if (operation) await settleOwn(call, operation, movement)
  }
  if (difference.lapsed) await receiveOutcome(call, authorization, new Unscreened<Outcome>({ is: 'lapsed', reference: report.reference }))
  if (difference.held !== null)
    await receiveOutcome(call, authorization, new Unscreened(heldOutcome(authorization, report, difference.held)), payment.version)
  await receiveDisputes(call, authorization, report)
}

/** Asks about an operation of ours. Where that is unsupported, or it is external, the listed movement is the result. */
async function settleOwn(call: Call, operation: Operation, movement: Movement | null): Promise<void> {
  if (connectors[operation.connector]?.sync && (operation.purpose !== 'external' || movement === null)) {
    await syncOperation(call, operation)
    return
  }
  const outcome = movement && outcomeOf(movement)
  if (outcome) await receiveOutcome(call, operation, new Unscreened(outcome))
}

function outcomeOf({ state, reference, amount, reason }: Movement): Outcome | null {
  if (state === 'waiting') return null
  if (state === 'done') return { is: 'done', reference, request_id: null, amount, captured: null, facts: {} }
  const message = reason ?? 'The processor has taken it back.'
  return { is: 'declined', reference, code: 'operation_declined', processor_code: '', message, after_yes: true, facts: {} }
}

/** The news of a hold that holds less, as the answer to a query of its authorization would be. */
const heldOutcome = ({ currency, amount }: Operation, { reference, captured }: PaymentReport, held: number): Outcome => ({
  is: 'done',
  reference,
  request_id: null,
  amount: { amount, currency },
  captured: captured === null || captured === 0 ? null : { amount: captured, currency },
  capturable: { amount: held, currency },
  facts: {},
})

const isOpen = async (call: Call, authorization: Operation, reference: string): Promise<boolean> => {
  const dispute = await findDisputeByReference(call.context, authorization, reference)
  return dispute === undefined || !isDecided(dispute)
}

export async function hasNewDispute(call: Call, authorization: Operation, { disputes }: PaymentReport): Promise<boolean> {
  for (const reference of disputes) if (!(await findDisputeByReference(call.context, authorization, reference))) return true
  return false
}

/** Disputes that are decided are not asked about again. */
async function receiveDisputes(call: Call, authorization: Operation, { disputes }: PaymentReport): Promise<void> {
  const to = { connector_name: authorization.connector, merchant_connector_id: authorization.merchant_connector_id }
  for (const reference of disputes)
    if (await isOpen(call, authorization, reference))
      await receiveDispute(call, to, new Unscreened({ is: 'dispute', dispute: 'ask', reference } as const))
}

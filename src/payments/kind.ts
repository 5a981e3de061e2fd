import { after } from '../base/lifecycle.ts'
import type { VerbOf } from '../connectors/verbs.ts'
import type { Context } from '../context.ts'
import { acceptsUpdates, type Operation } from '../operations/operation.ts'
import type { AggregateDefinition } from '../operations/verb.ts'
import type { HealthMemory } from '../routing/dynamic/dynamic-routing.ts'
import { reportAuthorization } from './authorization/account-health.ts'
import { afterwards, storeProcessorToken } from './authorization/follow-ups.ts'
import { storedInstrument } from './authorization/payment-instrument.ts'
import { forgetPayer } from './forget.ts'
import { allowedStatuses, lifecycle, type PaymentMove, statuses } from './lifecycle.ts'
import { cardOf, type Payment, payments } from './payment.ts'
import { postingsOf } from './postings.ts'
import { findPayment, paymentsCalled } from './rows.ts'
import { extendVerb, incrementVerb } from './verbs/adjust.ts'
import { capturedMoney } from './verbs/approval.ts'
import { authenticateVerb } from './verbs/authenticate.ts'
import { authorizeVerb } from './verbs/authorize.ts'
import { captureVerb } from './verbs/capture.ts'
import { isBeingUndone, isCurrent } from './verbs/moves.ts'
import { postCaptureVoidVerb } from './verbs/post-capture-void.ts'
import { reversals } from './verbs/reverse.ts'
import { voidVerb } from './verbs/void.ts'

/**
 * The parts of payments from elsewhere: the functions of modules to the right, the health of accounts, the address that
 * customers return to (known once the service listens), and an observer of settled operations.
 */
export type PaymentParts = Required<Pick<AggregateDefinition<Payment>, 'disputed' | 'reported' | 'askWhole' | 'refused'>> & {
  health: Pick<HealthMemory, 'record'>
  publicUrl: () => string
  settled?: (payment: Payment, operation: Operation) => void
  verbs: Required<Pick<AggregateDefinition<Payment>['verbs'], VerbOf<'refund' | 'dispute'>>>
}

/** The most payments that are read for one reference of a processor. */
const MOST_CALLED = 10

/** Returns payments for the engine of operations. `startup/caches.ts` passes in the verbs of refunds and disputes. */
export const paymentKind = ({
  disputed,
  reported,
  askWhole,
  refused,
  verbs,
  health,
  publicUrl,
  settled,
}: PaymentParts): AggregateDefinition<Payment> => ({
  table: payments,
  find: findPayment,
  called: async (context, merchant_id, reference) =>
    (await paymentsCalled(context, merchant_id, reference, MOST_CALLED)).map(({ payment_id, authorization_n }) => ({
      object_id: payment_id,
      n: authorization_n,
    })),
  after: (payment, move) => after(lifecycle, payment.status, move as PaymentMove),
  announced: payment => statuses[payment.status].eventType,
  authorization: (payment, n) =>
    n === payment.authorization_n
      ? { reference: payment.connector_transaction_id, request_id: payment.authorization_request_id ?? '' }
      : null,
  customer: payment => payment.customer_id,
  network: payment => cardOf(payment)?.card_network ?? null,
  card: payment => cardOf(payment)?.fingerprint ?? null,
  mayChange: payment =>
    payment.authorization_n !== null && allowedStatuses.lapse.includes(payment.status) ? [payment.authorization_n] : [],
  completes: (payment, operation) =>
    isCurrent(payment, operation.n) && !isBeingUndone(payment, operation) && statuses[payment.status].traits.includes('awaits approval'),
  instrument: (context, payment, operation) =>
    operation.verb === 'authenticate' && acceptsUpdates(operation) ? instrumentAgain(context, payment) : undefined,
  posts: postingsOf,
  forgetting: forgetPayer,
  operationChanged(payment, was, is) {
    reportAuthorization(health, payment, was, is)
    settled?.(payment, is)
  },
  learnt: ({ context }, operation, facts) => storeProcessorToken(context, operation, facts),
  afterwards: ({ context }, payment) => afterwards(context, payment),
  verbs: {
    authenticate: authenticateVerb,
    authorize: authorizeVerb(publicUrl),
    capture: captureVerb,
    void: voidVerb,
    increment: incrementVerb,
    extend: extendVerb,
    post_capture_void: postCaptureVoidVerb,
    ...verbs,
  },
  reversals,
  disputed,
  reported,
  askWhole,
  tellsMore: (payment, approval) => (capturedMoney(payment, approval)?.amount ?? 0) > payment.amount_received,
  refused,
  movable: payment => (payment.authorization_n !== null && payment.amount_authorized > 0 ? [payment.authorization_n] : []),
})

/** Returns the payment's instrument from the vault; null if it is gone. */
const instrumentAgain = async (context: Context, payment: Payment) =>
  (await storedInstrument(context, payment, undefined))?.instrument ?? null

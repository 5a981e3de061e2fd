import { after } from '../base/lifecycle.ts'
import type { Kind, Verb } from '../operations/verb.ts'
import { heardOfAuthorization } from './heard.ts'
import { lifecycle, type PaymentMove, statuses, welcomes } from './lifecycle.ts'
import { cardOf, PAYMENT, type Payment, payments } from './payment.ts'
import { postingsOf } from './postings.ts'
import { afterwards } from './promises.ts'
import { findPayment } from './rows.ts'
import { authorizeVerb } from './verbs/authorize.ts'
import { captureVerb } from './verbs/capture.ts'
import { extendVerb } from './verbs/extend.ts'
import { incrementVerb } from './verbs/increment.ts'
import { postCaptureVoidVerb } from './verbs/post-capture-void.ts'
import { reversals } from './verbs/reverse.ts'
import { voidVerb } from './verbs/void.ts'

/** Payments, as the engine of operations must know them. Their refunds stand in a room to the right: whoever knows both puts that verb in. */
export const paymentKind = (refund: Verb<Payment>): Kind<Payment> => ({
  table: payments,
  find: findPayment,
  after: (payment, move) => after(lifecycle, payment.status, move as PaymentMove),
  announced: payment => statuses[payment.status].announced,
  authorization: (payment, n) =>
    n === payment.authorization_n
      ? { reference: payment.connector_transaction_id, request_id: payment.authorization_request_id ?? '' }
      : null,
  network: payment => cardOf(payment)?.card_network ?? null,
  mayChange: payment => (payment.authorization_n !== null && welcomes.lapse.includes(payment.status) ? [payment.authorization_n] : []),
  posts: postingsOf,
  heard: heardOfAuthorization,
  afterwards: ({ world }, payment) => afterwards(world, payment),
  verbs: {
    authorize: authorizeVerb,
    capture: captureVerb,
    void: voidVerb,
    refund,
    increment: incrementVerb,
    extend: extendVerb,
    post_capture_void: postCaptureVoidVerb,
  },
  reversals,
})

/** What an operation of this payment says of its owner. */
export const ownerOf = ({ merchant_id, payment_id }: Pick<Payment, 'merchant_id' | 'payment_id'>) => ({
  merchant_id,
  kind: PAYMENT,
  object_id: payment_id,
})

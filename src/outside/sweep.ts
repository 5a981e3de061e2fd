import type { AccountWatch } from '../accounts/watches.ts'
import { DAY_MS, later } from '../base/time.ts'
import type { Total } from '../connectors/payment-report.ts'
import type { Port } from '../connectors/port.ts'
import { listByCursor } from '../lists/queries.ts'
import type { ListParams } from '../lists/read-conditions.ts'
import { findOperation } from '../operations/operation.ts'
import { syncOperation } from '../operations/sync.ts'
import type { Call } from '../operations/verb.ts'
import { type PaymentStatus, statuses } from '../payments/lifecycle.ts'
import { listedPayments } from '../payments/list.ts'
import { ownerOf } from '../payments/payment.ts'
import { listedPayouts } from '../payouts/list.ts'
import { ownerOf as ownerOfPayout } from '../payouts/payout.ts'
import { askWhole } from './ask.ts'

/** The looks at single payments and payouts of an account, some at a time, where no list tells of their changes. */

const MOST_PAYMENTS = 20
const MOST_PAYOUTS = 10
/** A processor that does not answer so many questions of a look is asked no more in it: credentials may be wrong. */
const MOST_SILENT = 3

/** How long after its creation a paid payment is asked about: refunds and disputes come later seldom. */
const PAID_FOR_MS = 120 * DAY_MS
/** Banks return a payout within days. */
const PAID_OUT_FOR_MS = 30 * DAY_MS

const withTrait = (trait: 'holds' | 'refundable'): PaymentStatus[] =>
  (Object.keys(statuses) as PaymentStatus[]).filter(status => statuses[status].traits.includes(trait))

/** The statuses in which others may move the money of a payment, and the list of changes does not tell of it. */
function unlisted({ accepts: { tells } }: Port): PaymentStatus[] {
  const tellsOf = (...some: Total[]) => some.every(total => tells?.changes?.includes(total))
  return [
    ...new Set([
      ...(tellsOf('captured', 'voided') ? [] : withTrait('holds')),
      ...(tellsOf('refunded', 'disputed') ? [] : withTrait('refundable')),
    ]),
  ]
}

/** Where to begin, in lists that are latest first. */
const after = (swept_to: string | null): ListParams => (swept_to === null ? {} : { starting_after: swept_to })

/** The latest payments of the account that others may still move the money of. */
export const latestPayments = ({ context }: Call, { merchant_id, merchant_connector_id }: AccountWatch, more: ListParams) =>
  listByCursor(
    context,
    listedPayments,
    { merchant_id, profiles: null },
    { merchant_connector_id: [merchant_connector_id], 'created.gte': later(context.now(), -PAID_FOR_MS), ...more },
  )

/** Asks about the next single payments, latest first. Returns where to go on; null: from the latest again. */
export async function sweepPayments(call: Call, connector: Port, found: AccountWatch): Promise<string | null> {
  const status = unlisted(connector)
  if (!connector.read_payment || status.length === 0) return null
  const payments = await latestPayments(call, found, { status, limit: MOST_PAYMENTS, ...after(found.swept_to) })
  let silent = 0
  for (const payment of payments) {
    const { authorization_n, payment_id } = payment
    const operation = authorization_n === null ? undefined : await findOperation(call.context, ownerOf(payment), authorization_n)
    const asked = operation && (await askWhole(call, operation))
    if (asked === 'unsupported') return null
    if (asked === 'silent' && ++silent === MOST_SILENT) return payment_id
  }
  return payments.length < MOST_PAYMENTS ? null : payments.at(-1)!.payment_id
}

/** Asks about the next paid payouts: a bank may have returned them. Returns where to go on, as `sweepPayments` does. */
export async function sweepPayouts(call: Call, { accepts, sync }: Port, found: AccountWatch): Promise<string | null> {
  if (!accepts.recipients || !sync) return null
  const { merchant_id, merchant_connector_id, payouts_swept_to } = found
  const payouts = await listByCursor(
    call.context,
    listedPayouts,
    { merchant_id, profiles: null },
    {
      merchant_connector_id: [merchant_connector_id],
      status: ['success'],
      'created.gte': later(call.context.now(), -PAID_OUT_FOR_MS),
      limit: MOST_PAYOUTS,
      ...after(payouts_swept_to),
    },
  )
  for (const payout of payouts) {
    const operation = payout.payout_n === null ? undefined : await findOperation(call.context, ownerOfPayout(payout), payout.payout_n)
    if (operation) await syncOperation(call, operation)
  }
  return payouts.length < MOST_PAYOUTS ? null : payouts.at(-1)!.payout_id
}

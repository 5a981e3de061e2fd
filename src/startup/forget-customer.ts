import type { Context } from '../context.ts'
import { customersToForget, forgetBeside, wentThrough } from '../customers/delete.ts'
import { scheduledJob } from '../database/due.ts'
import { tellAnew } from '../events/forget.ts'
import type { JobContext } from '../operations/jobs.ts'
import { forgetPayer } from '../payments/forget.ts'
import { PAYMENT } from '../payments/payment.ts'
import { forgetPayee } from '../payouts/forget.ts'
import { PAYOUT } from '../payouts/payout.ts'
import { forgetBrowsersOf } from '../telemetry/request-log.ts'

type Work = JobContext & { plain: Context }

/**
 * A deleted customer is forgotten in every room that has something of theirs: the only job of several rooms, so it
 * stands here.
 */
export const forgetCustomer = scheduledJob(customersToForget, async ({ context, plain, services, settings }: Work, deleted) => {
  const { merchant_id, customer_id } = deleted
  await forgetBeside(plain, merchant_id, customer_id)
  await forgetBrowsersOf(plain, merchant_id, customer_id)
  const anew = (kind: string) => async (object_id: string, rewritten: boolean) => {
    await forgetBrowsersOf(plain, merchant_id, object_id)
    if (rewritten) await tellAnew(plain, settings, services.publicUrl, { merchant_id, kind, object_id })
  }
  const [paid, paidOut] = [await forgetPayer(context, deleted, anew(PAYMENT)), await forgetPayee(context, deleted, anew(PAYOUT))]
  await wentThrough(plain, deleted, paid && paidOut)
})

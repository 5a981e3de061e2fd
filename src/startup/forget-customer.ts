import type { Context } from '../context.ts'
import { customersToForget, forgetBeside, wentThrough } from '../customers/delete.ts'
import { scheduledJob } from '../database/due.ts'
import { forgetArchived } from '../events/archive-lines.ts'
import { rerenderEvents } from '../events/forget.ts'
import { forgetExchangesOf } from '../operations/exchanges.ts'
import type { JobContext } from '../operations/verb.ts'
import type { Services } from '../payments/services.ts'
import { forgetBrowsersOf } from '../telemetry/request-log.ts'

type Work = JobContext & { plain: Context; services: Pick<Services, 'publicUrl'> }

/** Removes a deleted customer's data from every module and kind of object; here, because it is a job of several. */
export const forgetCustomer = scheduledJob(customersToForget, async ({ context, plain, services, settings }: Work, deleted) => {
  const { merchant_id, customer_id } = deleted
  await forgetBeside(plain, merchant_id, customer_id)
  await forgetBrowsersOf(plain, merchant_id, customer_id)
  const anew = (kind: string) => async (object_id: string, rewritten: boolean) => {
    await forgetBrowsersOf(plain, merchant_id, object_id)
    await forgetExchangesOf(plain, merchant_id, object_id)
    if (rewritten) await rerenderEvents(plain, settings, services.publicUrl, { merchant_id, kind, object_id })
  }
  let whole = true
  for (const [kind, { forgetting }] of Object.entries(services.kinds))
    if (!(await forgetting.forget(context, deleted, anew(kind)))) whole = false
  // Runs after all sent events were written anew: no old event is archived under a key that is created from here on.
  await forgetArchived(plain, merchant_id, customer_id)
  await wentThrough(plain, deleted, whole)
})

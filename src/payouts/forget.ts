import { withoutOwner } from '../instruments/recipients.ts'
import { forgetter, requestWithout } from '../operations/forget.ts'
import { personalFields } from '../resources/read.ts'
import { vaultRecords } from '../vault/records.ts'
import { payoutFields } from './fields.ts'
import { findPayout, type Payout, payouts } from './payout.ts'
import { recordName } from './recipient.ts'

const personal = personalFields(payoutFields)

/** Erases a deleted customer's data from their payouts, with the stored payout methods (`operations/forget.ts`). */
export const forgetPayee = forgetter<Payout>({
  table: payouts,
  find: findPayout,
  without: row => ({
    ...row,
    ...(row.request && { request: requestWithout(row.request, personal) }),
    ...(row.recipient && { recipient: withoutOwner(row.recipient) }),
  }),
  kept(payout) {
    const record = recordName(payout)
    const { merchant_id } = payout
    return payout.recipient && { record, rows: [{ table: vaultRecords.name, before: { merchant_id, record }, after: null }] }
  },
})

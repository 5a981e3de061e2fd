import { after } from '../base/lifecycle.ts'
import { withoutOwner } from '../instruments/recipients.ts'
import { forgetter, requestWithout } from '../operations/forget.ts'
import type { AggregateDefinition } from '../operations/verb.ts'
import { personalFields } from '../resources/read.ts'
import { vaultRecords } from '../vault/records.ts'
import { payoutFields } from './fields.ts'
import { lifecycle, type PayoutMove, statuses } from './lifecycle.ts'
import { findPayout, type Payout, payouts } from './payout.ts'
import { postingsOf } from './postings.ts'
import { recordName } from './recipient.ts'
import { savePayoutMethod } from './save-payout-method.ts'
import { payoutVerbs } from './verbs.ts'

const personal = personalFields(payoutFields)

/** Erases a deleted customer's data from their payouts, with the stored payout methods (`operations/forget.ts`). */
const forgetPayee = forgetter<Payout>({
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

export const payoutKind: AggregateDefinition<Payout> = {
  table: payouts,
  find: findPayout,
  after: (payout, move) => after(lifecycle, payout.status, move as PayoutMove),
  announced: payout => statuses[payout.status].eventType,
  // A cancel uses the processor's id of the payout.
  authorization: () => null,
  network: ({ recipient }) => (recipient?.is === 'card' ? ((recipient.shown.card_network as string | null) ?? null) : null),
  card: ({ recipient }) => recipient?.fingerprint ?? null,
  // A paid payout may still be returned.
  mayChange: ({ status, payout_n }) => (statuses[status].traits.includes('paid') && payout_n !== null ? [payout_n] : []),
  posts: postingsOf,
  forgetting: forgetPayee,
  afterwards: ({ context }, payout) =>
    payout.recurring && statuses[payout.status].traits.includes('paid') ? savePayoutMethod(context, payout) : undefined,
  verbs: payoutVerbs,
  reversals: {},
}

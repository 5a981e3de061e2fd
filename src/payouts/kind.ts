import { after } from '../base/lifecycle.ts'
import type { AggregateDefinition } from '../operations/verb.ts'
import { forgetPayee } from './forget.ts'
import { keepForLater } from './keep.ts'
import { lifecycle, type PayoutMove, statuses } from './lifecycle.ts'
import { findPayout, type Payout, payouts } from './payout.ts'
import { postingsOf } from './postings.ts'
import { payoutVerbs } from './verbs.ts'

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
    payout.recurring && statuses[payout.status].traits.includes('paid') ? keepForLater(context, payout) : undefined,
  verbs: payoutVerbs,
  reversals: {},
}

import Type from 'typebox'
import { needPayout } from '../../payouts/payout.ts'
import { payoutActionNames, showPayoutActions } from '../../show/actions.ts'
import { flag, schema } from '../answer-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { whyNotAllowed } from './payments-actions.ts'

const actionAnswer = schema('PayoutAction', { action: Type.Enum(payoutActionNames), allowed: flag, ...whyNotAllowed })

export const actionsOfPayout = endpoint('GET /payouts/{payout_id}/actions', 'listPayoutActions', {
  title: 'List the actions of a payout',
  description:
    'Lists what can be requested for a payout now: update, confirm, fulfill and cancel, or the error code and the reason if it would be refused. Status, operations in progress and the connector decide, and whether the person who asks may fulfill what they made; other parameters of the request can still be refused, and the processor can decline.',
  auth: { credential: 'secret', permission: 'payments:read', scope: 'profile' },
  answers: Type.Array(actionAnswer),
  json: async ({ context, merchant, person, path: { payout_id } }) =>
    showPayoutActions({ context, merchant, person, payout: await needPayout(context, merchant.merchant_id, payout_id) }),
})

import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { needPayment } from '../../payments/plan.ts'
import { createRefund } from '../../refunds/create.ts'
import { findRefund, type Refund, refundShape } from '../../refunds/refund.ts'
import { showRefund } from '../../show/refund.ts'
import type { World } from '../../world.ts'
import { flag } from '../answer-shapes.ts'
import { endpoint, room } from '../endpoint.ts'
import { PAYMENT } from '../openapi-examples.ts'
import { synced } from './force-sync.ts'
import { refundAnswer } from './refunds-answers.ts'
import { refundLists } from './refunds-lists.ts'

const needRefund = async (world: World, merchant_id: string, refund_id: string): Promise<Refund> =>
  (await findRefund(world, merchant_id, refund_id)) ?? refuse('not_found', { what: 'refund' })

export const refunds = room(
  'Refunds',
  'Giving captured money back, in one piece or in many, and never more than was captured. A refund that the processor has not answered is `pending`.',
  [
    endpoint({
      method: 'POST',
      path: '/refunds',
      name: 'createRefund',
      title: 'Create a refund',
      does: 'Gives captured money back, all of it or a part.',
      takes: 'secret',
      body: refundShape,
      answers: refundAnswer,
      refuses: [
        'not_found',
        'wrong_state',
        'refund_too_large',
        'too_many_refunds',
        'not_supported',
        'flow_not_supported',
        'duplicate',
        'busy',
      ],
      example: { summary: 'Gives 5.00 back', value: { payment_id: PAYMENT, amount: 500, reason: 'one chair came back' } },
      current: async ({ world, merchant }, refund_id) => showRefund(await needRefund(world, merchant.merchant_id, refund_id)),
      begun: (_call, written) => {
        const refund = written.flatMap(change => change.rows).findLast(row => row.table === 'refunds')?.after as Refund | undefined
        return refund && showRefund(refund)
      },
      run: async call => ({ json: showRefund(await createRefund(call, call.body)) }),
    }),
    endpoint({
      method: 'GET',
      path: '/refunds/{refund_id}',
      name: 'retrieveRefund',
      title: 'Retrieve a refund',
      does: 'Retrieves a refund; with force_sync=true the processor is asked first, if it can be asked (header force-sync-unanswered).',
      takes: 'secret',
      query: Type.Object({ force_sync: Type.Optional(flag), all_keys_required: Type.Optional(flag) }, { additionalProperties: false }),
      answers: refundAnswer,
      run: async call => {
        const { merchant_id } = call.merchant
        const refund = await needRefund(call.world, merchant_id, call.path.refund_id)
        if (!call.query.force_sync || refund.status === 'succeeded') return { json: showRefund(refund) }
        const payment = await needPayment(call.world, merchant_id, refund.payment_id)
        const { headers } = await synced(call, payment)
        return { json: showRefund(await needRefund(call.world, merchant_id, refund.refund_id)), headers }
      },
    }),
    ...refundLists,
  ],
)

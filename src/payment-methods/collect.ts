import Type from 'typebox'
import type { Merchant } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { asPaid, type PayoutCardSent } from '../instruments/recipient-card.ts'
import { typesGiven } from '../instruments/recipient-ways.ts'
import { type RecipientInput, recipientBy, recipientFamilies, recipientNames, recipientShape } from '../instruments/recipients.ts'
import { type CollectLink, collected, collectLinks, needCollectLink } from './collect-link.ts'
import { createMethod } from './create.ts'
import type { MethodAsk } from './shape.ts'

export const collectShape = strictObject({
  client_secret: Type.Optional(Type.String()),
  payout_type: Type.Optional(Type.Enum(recipientNames)),
  payout_method_data: recipientShape,
})
export type CollectAsk = Type.Static<typeof collectShape>

/** The same change marks the link as submitted: it cannot be submitted again (IR_16). */
export async function submitCollectLink(context: Context, merchant: Merchant, id: string, ask: CollectAsk): Promise<CollectLink> {
  const { merchant_id } = merchant
  const link = await needCollectLink(context, merchant_id, id)
  const input = recipientBy(ask.payout_method_data, context.now()) ?? refuse('missing', { field: 'payout_method_data' })
  checkCollected(merchant, link, input, ask.payout_type)
  return createMethod(context, merchant_id, askOf(link, input), ({ payment_method_id }) => submitted(context, link, payment_method_id), {
    beside: async ({ payment_method_id }) => {
      const before = await needCollectLink(context, merchant_id, id)
      if (before.status === 'submitted') refuse('precondition', { problem: 'This link has already been submitted' })
      return [{ table: collectLinks.name, before, after: submitted(context, before, payment_method_id) }]
    },
  })
}

const submitted = (context: Context, link: CollectLink, payment_method_id: string): CollectLink => ({
  ...link,
  status: 'submitted',
  payment_method_id,
  submitted_at: context.now(),
})

function checkCollected(merchant: Merchant, link: CollectLink, { recipient }: RecipientInput, payout_type = recipient.is): void {
  if (payout_type !== recipient.is)
    refuse('unacceptable', { field: 'payout_type', problem: `must be ${recipient.is}, the type of payout_method_data` })
  const isOffered = collected(merchant, link).some(({ is, type }) => is === recipient.is && (is === 'card' || type === recipient.type))
  if (isOffered) return
  const label = [recipientFamilies[recipient.is].payment_method, ...typesGiven(recipient).slice(0, 1)].join(' ')
  refuse('unacceptable', { field: 'payout_method_data', problem: `${label} is not enabled for this link (enabled_payment_methods)` })
}

/** As a server would send it. */
function askOf({ customer_id }: CollectLink, { sent, recipient }: RecipientInput): MethodAsk {
  const { payment_method } = recipientFamilies[recipient.is]
  if (payment_method === 'passthrough') refuse('unacceptable', { field: 'payout_method_data', problem: `${recipient.is} is not saved` })
  return {
    payment_method,
    customer_id,
    ...(payment_method === 'card' ? { card: asPaid(sent as PayoutCardSent) } : { [payment_method]: sent }),
  }
}

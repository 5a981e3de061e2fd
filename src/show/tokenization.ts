import Type from 'typebox'
import { anyText, bool, orNull, textOrNull } from '../base/shapes.ts'
import { verdictOf } from '../payments/authorization/follow-ups.ts'
import type { Payment } from '../payments/payment.ts'
import { isMerchantInitiated } from '../payments/stored-credentials/stored-credential.ts'
import type { Member, View } from './member.ts'

/** About the saved card that a payment created, or charged without its customer. */

const shape = Type.Object(
  {
    payment_method_id: anyText,
    payment_method_status: textOrNull,
    psp_tokenization: bool,
    network_tokenization: bool,
    network_transaction_id: textOrNull,
    network_transaction_link_id: textOrNull,
    is_eligible_for_mit_payment: bool,
  },
  { title: 'TokenizationSeen' },
)

/** Null: nothing saved or decided, or only its customer used the saved card. Browsers do not see the networks' ids. */
function tokenizationOf(payment: Payment, { audience }: View): Record<string, unknown> | null {
  const { request, facts, merchant_connector_id } = payment
  const { payment_method_id, saves, kept_at } = request
  const isCharged = isMerchantInitiated(request)
  if (payment_method_id === undefined || (saves === undefined && !isCharged) || verdictOf(payment) !== 'yes') return null
  const named = request.tokenization === 'skip_psp' ? undefined : facts?.connector_mandate_id
  const psp_tokenization = (named ?? kept_at?.[merchant_connector_id ?? '']) !== undefined
  const network_transaction_id = facts?.network_transaction_id ?? null
  const agreed = isCharged || request.setup_future_usage === 'off_session'
  return {
    payment_method_id,
    payment_method_status: 'active',
    psp_tokenization,
    network_tokenization: false,
    network_transaction_id: audience === 'server' ? network_transaction_id : null,
    network_transaction_link_id: null,
    is_eligible_for_mit_payment: agreed && (psp_tokenization || network_transaction_id !== null),
  }
}

export const tokenization: Member = {
  shape: orNull(shape),
  from: tokenizationOf,
  description:
    'For a card that the payment saved or charged off-session: psp_tokenization: the processor stores it. is_eligible_for_mit_payment: it can be charged off-session. network_tokenization is false: cards are not exchanged for tokens of their networks',
}

import Type from 'typebox'
import { payoutLinkShape } from '../accounts/payout-link-config.ts'
import { LARGEST_AMOUNT } from '../base/money.ts'
import { anyText, bool, boundedText, closed, country, kept, metadata, shortText } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import { entityTypes, payoutPriorities } from '../connectors/verbs.ts'
import { recipientNames, recipientShape } from '../means/recipients.ts'
import { address, payer } from '../payments/fields/payer.ts'
import { currency } from '../payments/fields/sold.ts'
import { algorithmShape } from '../routing/algorithms.ts'

/** The shapes of what merchants may ask of payouts. An absent member, `null` and `""` mean the same. */

const option = Type.Optional
const connector = Type.Array(Type.Enum(Object.keys(connectors)), { description: 'Limits the payout to these connectors' })

/** What every request may say of a payout. */
const said = {
  merchant_order_reference_id: option(shortText),
  routing: option(algorithmShape),
  connector: option(connector),
  payout_type: option(Type.Enum(recipientNames)),
  payout_method_data: option(recipientShape),
  source_bank_data: option(kept),
  billing: option(address),
  auto_fulfill: option(bool),
  customer_id: option(payer.customer_id.shape),
  customer: option(payer.customer.shape),
  return_url: option(boundedText(2048)),
  business_country: option(country),
  business_label: option(shortText),
  description: option(boundedText(1024)),
  entity_type: option(Type.Enum(entityTypes)),
  recurring: option(bool),
  metadata: option(metadata),
  payout_token: option(shortText),
  payout_method_id: option(boundedText(64)),
  profile_id: option(boundedText(64)),
  priority: option(Type.Enum(payoutPriorities)),
  payout_link: option(bool),
  payout_link_config: option(payoutLinkShape),
  session_expiry: option(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Seconds from creation; 0 expires at once' })),
  email: option(shortText),
  name: option(shortText),
  phone: option(shortText),
  phone_country_code: option(shortText),
  browser_info: option(payer.browser_info.shape),
}
const amount = Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT, description: 'Lowest denomination of the currency' })

export const createShape = Type.Object(
  {
    payout_id: option(anyText),
    merchant_id: option(shortText),
    amount,
    currency,
    confirm: option(bool),
    ...said,
  },
  closed,
)
export type CreatePayoutBody = Type.Static<typeof createShape>

export const updateShape = Type.Object(
  { amount: option(amount), currency: option(currency), confirm: option(bool), client_secret: option(shortText), ...said },
  closed,
)
export type UpdatePayoutBody = Type.Static<typeof updateShape>

export const confirmShape = Type.Object(
  { amount: option(amount), currency: option(currency), client_secret: option(shortText), ...said },
  closed,
)
export type ConfirmPayoutBody = Type.Static<typeof confirmShape>

/** The path names it already; a body that names another one is refused. */
export const actShape = Type.Object({ payout_id: anyText }, closed)
export type ActAsk = Type.Static<typeof actShape>

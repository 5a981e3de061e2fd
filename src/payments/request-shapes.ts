import Type from 'typebox'
import { connectorDetailsShape } from '../accounts/inline-account.ts'
import { LARGEST_AMOUNT } from '../base/money.ts'
import { bool, kept, longText, metadata, shortText, strictObject, withDescription } from '../base/shapes.ts'
import { cardShape } from '../instruments/read-card.ts'
import { shapeOf } from '../resources/read.ts'
import { fields } from './fields/all.ts'
import { paymentMethodData } from './fields/instrument.ts'

/**
 * The shapes of requests about payments, from which types, validators and OpenAPI schemas are derived. An absent
 * member, `null` and `""` mean the same, so nothing is nullable; unknown members are refused where the ecosystem does.
 */

export const createShape = shapeOf(fields, 'create')
export type CreateBody = Type.Static<typeof createShape>

export const updateShape = shapeOf(fields, 'update')
export type UpdateBody = Type.Static<typeof updateShape>

export const confirmShape = shapeOf(fields, 'confirm')
export type ConfirmBody = Type.Static<typeof confirmShape>

/** The client secret, with which a browser may call this operation. */
export const clientSecret = withDescription(shortText, fields.client_secret.description)
/** The credentials that came with the payment, of the account that processes it. */
const detailsAgain = withDescription(
  connectorDetailsShape,
  'Credentials of the account that processes the payment, where they came with the payment',
)
const allKeys = withDescription(bool, fields.all_keys_required.description)
const reason = withDescription(longText, "The merchant's reason, as free text")

export const updateMetadataShape = strictObject({ metadata, feature_metadata: Type.Optional(kept) })
export type UpdateMetadataAsk = Type.Static<typeof updateMetadataShape>

const ofStatement = Type.String({
  maxLength: 255,
  description: 'Part of the statement descriptor, if the processor accepts it with a capture',
})

export const captureShape = Type.Object({
  amount_to_capture: Type.Optional(Type.Integer({ maximum: LARGEST_AMOUNT, description: 'Defaults to the full capturable amount' })),
  merchant_id: Type.Optional(shortText),
  refund_uncaptured_amount: Type.Optional(bool),
  final_capture: Type.Optional(
    Type.Boolean({ description: 'With capture_method manual_multiple: true releases the rest of the authorized amount with this capture' }),
  ),
  statement_descriptor_suffix: Type.Optional(ofStatement),
  statement_descriptor_prefix: Type.Optional(ofStatement),
  merchant_connector_details: Type.Optional(detailsAgain),
  all_keys_required: Type.Optional(allKeys),
})
export type CaptureBody = Type.Static<typeof captureShape>

export const releaseShape = Type.Object({ all_keys_required: Type.Optional(allKeys) })
export type ReleaseAsk = Type.Static<typeof releaseShape>

export const incrementShape = Type.Object({
  amount: Type.Integer({ minimum: 1, maximum: LARGEST_AMOUNT, description: 'The new total amount' }),
  reason: Type.Optional(reason),
})
export type IncrementBody = Type.Static<typeof incrementShape>

export const cancelPostCaptureShape = Type.Object({ cancellation_reason: Type.Optional(reason) })
export type CancelPostCaptureAsk = Type.Static<typeof cancelPostCaptureShape>

export const completeAuthorizeShape = Type.Object({
  client_secret: Type.Optional(clientSecret),
  shipping: Type.Optional(withDescription(fields.shipping.shape, fields.shipping.description)),
  threeds_method_comp_ind: Type.Optional(fields.threeds_method_comp_ind.shape),
  otp: Type.Optional(Type.String({ pattern: '^\\d{4,8}$', description: 'One-time password that the customer received (collect_otp)' })),
})
export type CompleteAuthorizeAsk = Type.Static<typeof completeAuthorizeShape>

/** The card of a customer who may have typed only its number so far. */
const { card_number, ...later } = cardShape.properties
const numberOfCard = strictObject({ card_number, ...Type.Partial(Type.Object(later)).properties })

/** `payment_method_type` is the `payment_method` of payments, `payment_method_subtype` their `payment_method_type`. */
export const eligibilityShape = Type.Object({
  client_secret: Type.Optional(clientSecret),
  payment_method_type: withDescription(fields.payment_method.shape, fields.payment_method.description),
  payment_method_subtype: Type.Optional(fields.payment_method_type.shape),
  payment_method_data: Type.Optional(strictObject({ ...paymentMethodData.properties, card: Type.Optional(numberOfCard) })),
  browser_info: Type.Optional(fields.browser_info.shape),
  payment_token: Type.Optional(withDescription(shortText, fields.payment_token.description)),
})
export type EligibilityAsk = Type.Static<typeof eligibilityShape>

export const cancelShape = Type.Object({
  cancellation_reason: Type.Optional(reason),
  merchant_connector_details: Type.Optional(detailsAgain),
  all_keys_required: Type.Optional(allKeys),
})
export type CancelAsk = Type.Static<typeof cancelShape>

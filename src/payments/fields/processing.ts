import Type from 'typebox'
import { connectorDetailsShape } from '../../accounts/inline-account.ts'
import { amount, bool, boundedText, checkReturnUrl, dateTime, kept, shortText, strictObject } from '../../base/shapes.ts'
import { exemptions, transactionStatuses } from '../../connectors/authentication.ts'
import { anyOf } from '../../lists/filters.ts'
import { keptOnly, neverSent, refused } from '../../resources/field.ts'
import { checkConnectors, checkRouting, checkThreeDsData } from './checks.ts'
import { falseByDefault, fromBrowser, type PaymentField, returned } from './field.ts'
import { checkSplitPayments, splitPaymentsShape } from './split.ts'

const descriptorName = Type.String({ maxLength: 22, pattern: '[A-Za-z]', description: 'At least one letter' })

const descriptor = Type.Object({
  name: Type.Optional(descriptorName),
  city: Type.Optional(shortText),
  phone: Type.Optional(shortText),
  statement_descriptor: Type.Optional(shortText),
  statement_descriptor_suffix: Type.Optional(shortText),
  reference: Type.Optional(shortText),
})

const shortWord = Type.String({ minLength: 1, maxLength: 64 })
const threeDsData = strictObject({
  transaction_status: Type.Enum([...transactionStatuses]),
  authentication_cryptogram: Type.Optional(strictObject({ cavv: strictObject({ authentication_cryptogram: Type.Optional(shortWord) }) })),
  ds_trans_id: Type.Optional(shortWord),
  version: Type.Optional(shortWord),
  eci: Type.Optional(shortWord),
  exemption_indicator: Type.Optional(shortWord),
  network_params: Type.Optional(kept),
})

/** How the payment is processed: the processor, the capture, the authentication, and the statement descriptor. */
export const processing = {
  connector: {
    shape: Type.Array(boundedText(64), { description: 'Only these connectors may be used' }),
    storedIn: 'request',
    visibility: 'computed',
    check: checkConnectors,
    filter: { place: 6, by: { facet: 3 }, shape: shortText, many: true },
    exportPosition: 8,
    description: 'The processor of the payment',
  },
  routing: {
    shape: Type.Unknown({
      description:
        'How this payment is routed: single, priority or volume_split, as in POST /routing. It comes before the active algorithm',
    }),
    storedIn: 'request',
    check: checkRouting,
  },
  merchant_connector_details: {
    shape: connectorDetailsShape,
    description:
      'Credentials for this payment, which is processed only by the account they belong to. With encoded_data the credentials are stored encrypted under creds_identifier, for this profile and connector, and replace earlier ones; without encoded_data the stored credentials are used. Name the connector (connector, or a routing of type single), unless only one is possible',
  },
  profile_acquirer_id: { shape: shortText, storedIn: 'request', effect: refused('the processor chooses the acquirer') },
  split_payments: {
    shape: splitPaymentsShape,
    storedIn: 'request',
    visibility: 'computed',
    check: checkSplitPayments,
    description:
      'Splits the payment between accounts of your platform: a destination charge at Stripe, split items at Adyen. The payment is routed only to accounts of that connector',
  },
  capture_method: {
    shape: Type.Enum(['automatic', 'manual', 'manual_multiple', 'scheduled', 'sequential_automatic']),
    storedIn: 'column',
    visibility: 'to all',
    exportPosition: 16,
    description:
      'automatic (default): the payment is captured with its authorization. manual: it is authorized, then captured once. manual_multiple: it can be captured in several parts. scheduled: it is authorized, then captured at capture_on. sequential_automatic: it is authorized, then captured by a second request at once',
  },
  amount_to_capture: { shape: amount('At most the authorized amount'), storedIn: 'request' },
  capture_on: {
    shape: dateTime,
    ...returned,
    description: 'Time of the automatic capture; sets capture_method to scheduled. You can capture or cancel earlier',
  },
  enable_partial_authorization: {
    ...falseByDefault,
    ...returned,
    description: 'true: the processor can approve less than the amount; amount_capturable then shows the approved amount',
  },
  enable_overcapture: {
    shape: bool,
    ...returned,
    description:
      'true: more than the authorized amount can be captured, where the processor allows it (is_overcapture_enabled); requires capture_method manual',
  },
  request_incremental_authorization: {
    shape: bool,
    storedIn: 'request',
    description:
      'true: the authorized amount can be increased later. incremental_authorization_allowed shows whether the processor supports it',
  },
  request_extended_authorization: {
    ...falseByDefault,
    ...returned,
    description:
      'true: the authorization is extended, or announced to the processor as extendable where it requires that; requires a manual capture_method',
  },
  session_expiry: {
    shape: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Seconds' }),
    storedIn: 'request',
    description: 'Seconds until the client_secret expires; 0: immediately; default 900',
  },
  return_url: {
    shape: Type.String({ maxLength: 2048, format: 'url' }),
    ...fromBrowser,
    ...returned,
    check: checkReturnUrl,
    description: "URL that the customer is redirected to after a challenge, of a page or of an app; defaults to the business profile's",
  },
  authentication_type: {
    shape: Type.Enum(['three_ds', 'no_three_ds']),
    browserValues: ['three_ds'],
    storedIn: 'column',
    visibility: 'to all',
    filter: { place: 11, by: { facet: 8 }, shape: anyOf(['three_ds', 'no_three_ds']), many: true, description: null },
    exportPosition: 15,
    description: 'three_ds (default): the customer is challenged if the issuer requires it. no_three_ds: the customer is never challenged',
  },
  force_3ds_challenge: {
    shape: bool,
    ...returned,
    description:
      "true: a challenge is always requested from the issuer; defaults to the business profile's setting. Requires authentication_type three_ds",
  },
  request_external_three_ds_authentication: {
    shape: bool,
    storedIn: 'request',
    description:
      "true: the customer is authenticated by a separate connector account (connector_type authentication_processor) before the payment is sent to a processor; the business profile's authentication_connector_details selects it. For cards, with authentication_type three_ds",
  },
  three_ds_data: {
    shape: threeDsData,
    check: checkThreeDsData,
    storedOnlyMembers: { exemption_indicator: neverSent, network_params: neverSent },
    description:
      'Result of a 3-D Secure authentication performed outside this service: sent to the processor with the authorization, so only accepted with the confirmation; never stored',
  },
  threeds_method_comp_ind: {
    shape: Type.Enum(['Y', 'N', 'U']),
    ...fromBrowser,
    effect: keptOnly('Not used at this stage: browsers report it with complete_authorize after loading the frame'),
  },
  psd2_sca_exemption_type: {
    shape: Type.Enum([...exemptions]),
    storedIn: 'request',
    description:
      'SCA exemption to request: the customer is not challenged if the issuer agrees; otherwise (a soft decline) the customer is challenged in the same confirmation',
  },
  is_iframe_redirection_enabled: {
    shape: bool,
    ...fromBrowser,
    ...returned,
    description:
      "true: the challenge is shown in an iframe of the checkout, and its last page sends the checkout the next URL (a message `openurl_if_required`); defaults to the business profile's setting",
  },
  statement_descriptor_name: {
    shape: descriptorName,
    ...returned,
    description: "Text on the customer's statement; at most 22 characters, at least one of them a letter",
  },
  statement_descriptor_suffix: {
    shape: shortText,
    ...returned,
    description: 'Text after the name on the statement; at most 255 characters together with it. Processors truncate longer descriptors',
  },
  billing_descriptor: {
    shape: descriptor,
    ...returned,
    storedOnlyMembers: { city: neverSent, phone: neverSent, reference: neverSent },
    description: 'statement_descriptor (or name) and statement_descriptor_suffix in one object; takes precedence over both',
  },
} satisfies Record<string, PaymentField>

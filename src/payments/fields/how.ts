import Type from 'typebox'
import { connectorDetailsShape } from '../../accounts/brought-account.ts'
import { checkAddress, flag, kept, shortText, text, time } from '../../base/shapes.ts'
import { exemptions, transactionStatuses } from '../../connectors/authentication.ts'
import { checkConnectors, checkRouting, checkThreeDsData } from './checks.ts'
import { amount, closed, type Field, keptOnly, noUnlessSaid, refused, toNobody } from './field.ts'
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
const threeDsData = Type.Object(
  {
    transaction_status: Type.Enum([...transactionStatuses]),
    authentication_cryptogram: Type.Optional(
      Type.Object({ cavv: Type.Object({ authentication_cryptogram: Type.Optional(shortWord) }, closed) }, closed),
    ),
    ds_trans_id: Type.Optional(shortWord),
    version: Type.Optional(shortWord),
    eci: Type.Optional(shortWord),
    exemption_indicator: Type.Optional(shortWord),
    network_params: Type.Optional(kept),
  },
  closed,
)

/** By which way the money is taken: who is asked, how it is captured, how the customer is authenticated, what their statement says. */
export const how = {
  connector: {
    shape: Type.Array(text(64), { description: 'Only these connectors may be used' }),
    by: 'server',
    kept: 'asked',
    shown: 'otherwise',
    does: 'what it says',
    check: checkConnectors,
    says: 'The processor that has the payment',
  },
  routing: {
    shape: Type.Unknown({
      description:
        'How this payment is routed: single, priority or volume_split, as in POST /routing. It comes before the active algorithm',
    }),
    by: 'server',
    kept: 'asked',
    shown: 'never',
    does: 'what it says',
    check: checkRouting,
  },
  merchant_connector_details: {
    shape: connectorDetailsShape,
    by: 'server',
    kept: 'nowhere',
    shown: 'never',
    does: 'what it says',
    says: 'Credentials for this payment: it goes to the account of them, and nowhere else. With encoded_data they are sealed under creds_identifier, for this profile and connector, and move what was kept under it; without it, what is kept under it is used. Name the connector (connector, or a routing of type single), unless only one is possible',
  },
  profile_acquirer_id: {
    shape: shortText,
    by: 'server',
    kept: 'asked',
    shown: 'never',
    does: refused('which bank acquires is the processor’s to choose'),
  },
  split_payments: {
    shape: splitPaymentsShape,
    by: 'server',
    kept: 'asked',
    shown: 'otherwise',
    does: 'what it says',
    check: checkSplitPayments,
    says: 'Shares the payment between accounts of your platform: at Stripe by a destination charge, at Adyen by split items. Only accounts of that connector are asked',
  },
  capture_method: {
    shape: Type.Enum(['automatic', 'manual', 'manual_multiple', 'scheduled', 'sequential_automatic']),
    by: 'server',
    kept: 'column',
    shown: 'to all',
    does: 'what it says',
    says: 'automatic (default): the money is taken at once. manual: it is held, and one capture takes it. manual_multiple: several captures may take it in parts. scheduled: it is held, and taken at capture_on. sequential_automatic: it is held, and taken by a second request at once',
  },
  amount_to_capture: {
    shape: amount('At most the authorized amount'),
    by: 'server',
    kept: 'asked',
    shown: 'never',
    does: 'what it says',
  },
  capture_on: {
    shape: time,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'When what is held is captured, by itself; makes capture_method scheduled. A capture or cancel of yours may come before',
  },
  enable_partial_authorization: {
    ...noUnlessSaid,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'true: less than the amount may be approved; the payment then says how much in amount_capturable',
  },
  enable_overcapture: {
    shape: flag,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'true: more may be captured than was authorized, where the processor allows it (is_overcapture_enabled); needs capture_method manual',
  },
  request_incremental_authorization: {
    shape: flag,
    by: 'server',
    kept: 'asked',
    shown: 'never',
    does: 'what it says',
    says: 'true: what is held may be raised later. incremental_authorization_allowed says whether the processor does that',
  },
  request_extended_authorization: {
    ...noUnlessSaid,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'true: the hold is made to last longer, or the processor is told that it may be, where it wants to know beforehand; needs a manual capture_method',
  },
  session_expiry: {
    shape: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Seconds' }),
    by: 'server',
    kept: 'asked',
    shown: 'never',
    does: 'what it says',
    says: 'Seconds until the client_secret stops working, 0: at once; 900 if not sent',
  },
  return_url: {
    shape: Type.String({ maxLength: 2048, format: 'uri' }),
    by: 'browser',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    check: checkAddress,
    says: "Where the customer is sent after a challenge; the business profile's if absent",
  },
  authentication_type: {
    shape: Type.Enum(['three_ds', 'no_three_ds']),
    by: 'server',
    browserMay: ['three_ds'],
    kept: 'column',
    shown: 'to all',
    does: 'what it says',
    says: 'three_ds (default): the customer is challenged if the issuer wishes. no_three_ds: never',
  },
  force_3ds_challenge: {
    shape: flag,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: "true: the issuer is asked to challenge the customer in any case; the business profile's if absent. Needs authentication_type three_ds",
  },
  request_external_three_ds_authentication: {
    shape: flag,
    by: 'server',
    kept: 'asked',
    shown: 'never',
    does: 'what it says',
    says: "true: the customer is authenticated by a connector account of its own (connector_type authentication_processor), before any processor is asked; the business profile's authentication_connector_details says by which. Of cards, with authentication_type three_ds",
  },
  three_ds_data: {
    shape: threeDsData,
    by: 'server',
    kept: 'nowhere',
    shown: 'never',
    does: 'what it says',
    check: checkThreeDsData,
    inside: { exemption_indicator: toNobody, network_params: toNobody },
    says: 'How the customer was authenticated by somebody else: sent to the processor with the authorization, so only with the confirmation; kept nowhere',
  },
  threeds_method_comp_ind: {
    shape: Type.Enum(['Y', 'N', 'U']),
    by: 'browser',
    kept: 'asked',
    shown: 'never',
    does: keptOnly('Said before there is anything to look at: a browser that was asked to load a frame says it with complete_authorize'),
  },
  psd2_sca_exemption_type: {
    shape: Type.Enum([...exemptions]),
    by: 'server',
    kept: 'asked',
    shown: 'never',
    does: 'what it says',
    says: 'Nobody is challenged, if the issuer agrees; if it does not (a soft decline), the customer is challenged within the same confirm',
  },
  is_iframe_redirection_enabled: {
    shape: flag,
    by: 'browser',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: "true: the challenge is shown in an iframe of the checkout, and ends on a page that tells the checkout where to go on (a message `openurl_if_required`); the business profile's if absent",
  },
  statement_descriptor_name: {
    shape: descriptorName,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: "What the customer's statement says; at most 22 characters, one of them a letter",
  },
  statement_descriptor_suffix: {
    shape: shortText,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'Stands after the name on the statement; 255 characters together with it. Statements take fewer: processors cut them',
  },
  billing_descriptor: {
    shape: descriptor,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    inside: { city: toNobody, phone: toNobody, reference: toNobody },
    says: 'The same, in one member: statement_descriptor (or name) and statement_descriptor_suffix; it comes before the others',
  },
} satisfies Record<string, Field>

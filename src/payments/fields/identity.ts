import Type from 'typebox'
import { checkLinkConfig, linkConfigShape } from '../../accounts/payment-link-config.ts'
import { anyText, bool, boundedText, country, orNull, shortText } from '../../base/shapes.ts'
import { keptOnly } from '../../resources/field.ts'
import { checkChosenId, checkOwnMerchant } from './checks.ts'
import { type PaymentField, returned } from './field.ts'

const choosesProfile = keptOnly('Used only by routing rules: the payment already has its business profile', 'update', 'confirm')

/** The payment itself: its id, its owner, and the action that the request takes. */
export const identity = {
  payment_id: {
    shape: anyText,
    storedIn: 'column',
    visibility: 'to all',
    responseShape: anyText,
    check: checkChosenId,
    filter: { place: 1, by: 'own id', shape: boundedText(64) },
    exportPosition: 1,
    description: 'Exactly 30 characters. If sent, it makes creation idempotent; otherwise it is generated',
  },
  merchant_id: {
    shape: shortText,
    storedIn: 'request',
    visibility: 'computed',
    check: checkOwnMerchant,
    description: "The merchant's id; inferred from the API key",
  },
  client_secret: {
    shape: anyText,
    settableBy: 'browser',
    visibility: 'computed',
    description:
      "Allows a browser with the publishable key to retrieve and confirm this payment until expires_on. Pass it only to the customer's browser, and never log it",
  },
  confirm: { shape: bool, settableBy: 'browser', description: 'true: authorize in the same call' },
  retry_action: {
    shape: Type.Enum(['manual_retry', 'requeue']),
    acceptedIn: ['update', 'confirm'],
    settableBy: 'browser',
    effect: keptOnly('Sent by checkouts; whether a failed payment can be retried does not depend on it'),
    description: 'Sent by checkouts when they retry',
  },
  profile_id: {
    shape: boundedText(64),
    storedIn: 'column',
    visibility: 'to all',
    responseShape: orNull(anyText),
    filter: { place: 2, by: { facet: 5 }, shape: boundedText(64), description: 'Business profile of the payment' },
    exportPosition: 11,
    description: 'Business profile of the payment; defaults to the default profile',
  },
  business_country: { shape: country, ...returned, effect: choosesProfile },
  business_label: { shape: shortText, ...returned, effect: choosesProfile },
  business_sub_label: { shape: shortText, ...returned, effect: keptOnly('The business profile is selected by country and label') },
  payment_link: {
    shape: bool,
    storedIn: 'request',
    visibility: 'computed',
    description: 'true: creates a payment link, a page where the customer pays; the response contains its URL',
  },
  payment_link_config: {
    shape: linkConfigShape,
    storedIn: 'request',
    check: checkLinkConfig,
    description: "Appearance and options of the payment link; defaults to the profile's payment_link_config",
  },
  payment_link_config_id: {
    shape: shortText,
    storedIn: 'request',
    description: "Name of the profile's business_specific_configs entry to use for the payment link",
  },
  all_keys_required: {
    shape: bool,
    settableBy: 'browser',
    description: 'true: whole_connector_response contains the processor’s response in this call, without secrets; for servers only',
  },
} satisfies Record<string, PaymentField>

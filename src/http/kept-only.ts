import { keptOnlyBy } from '../payments/fields/all.ts'
import { toNobody } from '../payments/fields/field.ts'

/**
 * Members that an operation takes and keeps without doing what they are for, each with the reason. All others do what they say, describe what is sold to whom, or are refused by name. What a
 * payment is asked for says so itself (`payments/fields/`). An entry leaves when the room comes that does it. A test holds the table against the shapes, and against the service.
 */
export type KeptOnly = { member: string; why: string }

const noTokens = 'There are no network tokens yet'
const ofRules: Record<string, string> = {
  clear_pan_possible: noTokens,
  'feature_data.retry.clear_pan_possible': noTokens,
  'feature_data.retry.alternate_network_possible': 'A payment is tried again at another account, never on another network of its card',
}

const noFraudCheck = 'No fraud check is asked'
const noRouting = 'Algorithms are made and activated under /routing'
const noPayoutRouting = 'Algorithms are made and activated under /routing/payouts'
const noLinks = 'There are no such links yet'
const ownPage = 'The page of a payout link may always be looked at outside of a frame'
const noAuthentication = 'The challenge is the processor’s own'

const notSent = 'Webhooks are signed; this is not sent with them'
const byStatus = 'payment_statuses_enabled decides'
const ofWebhookDetails: Record<string, string> = {
  'webhook_details.webhook_version': 'There is one form of webhooks',
  'webhook_details.webhook_username': notSent,
  'webhook_details.webhook_password': notSent,
  'webhook_details.payment_created_enabled': byStatus,
  'webhook_details.payment_succeeded_enabled': byStatus,
  'webhook_details.payment_failed_enabled': byStatus,
}

const ofMerchants: Record<string, string> = {
  ...ofWebhookDetails,
  publishable_key: 'It is always made here',
  routing_algorithm: noRouting,
  payout_routing_algorithm: noPayoutRouting,
  frm_routing_algorithm: noFraudCheck,
  sub_merchants_enabled: 'Merchants have no parents yet; the parent must exist',
  parent_merchant_id: 'Merchants have no parents yet',
  locker_id: 'Cards are kept in the vault of this service',
  pm_collect_link_config: noLinks,
  network_tokenization_credentials: noTokens,
}

const ofProfiles: Record<string, string> = {
  ...ofWebhookDetails,
  routing_algorithm: noRouting,
  payout_routing_algorithm: noPayoutRouting,
  frm_routing_algorithm: noFraudCheck,
  intent_fulfillment_time: 'Payment tokens last a quarter of an hour',
  applepay_verified_domains: 'Domains are verified at Apple',
  'payout_link_config.payout_test_mode': ownPage,
  use_billing_as_payment_method_billing: 'The billing address of the payment is that of its card',
  tax_connector_id: 'Tax is calculated by tax_rates',
  is_tax_connector_enabled: 'Tax is calculated by tax_rates',
  is_network_tokenization_enabled: noTokens,
  is_pre_network_tokenization_enabled: noTokens,
  network_tokenization_credentials: noTokens,
  is_clear_pan_retries_enabled: noTokens,
  is_click_to_pay_enabled: 'There is no Click to Pay yet',
  authentication_product_ids: noAuthentication,
  is_debit_routing_enabled: 'A card of several networks goes to the one that its holder chose; networks are not ranked by what they cost',
  merchant_business_country: 'Shown; chooses no processor yet',
  merchant_category_code: toNobody,
  merchant_country_code: toNobody,
  is_external_vault_enabled: 'Cards are kept in the vault of this service',
  external_vault_connector_details: 'Cards are kept in the vault of this service',
  billing_processor_id: 'No billing processor is asked: when a customer is charged again, the merchant says',
  surcharge_connector_details: 'No surcharge is calculated',
}

const ofConnectorAccounts: Record<string, string> = {
  test_mode: 'MODE of the deployment decides',
  frm_configs: noFraudCheck,
  pm_auth_config: 'There is no bank verification yet',
  additional_merchant_data: toNobody,
  'connector_webhook_details.additional_secret': 'No connector here needs a second secret',
}

const ofCards: Record<string, string> = {
  client_secret: 'It is always made here',
  'card.card_cvc': 'Held to its form, and not kept: nobody is asked about the card before it pays',
}

const ofPayouts = { browser_info: 'Nobody asks the recipient’s browser', 'payout_link_config.test_mode': ownPage }

/** The ecosystem does not say what they mean. */
const ofContracts = { 'config.constants': 'What is due rises evenly, day by day or month by month' }

const table: Record<string, Record<string, string>> = {
  createPayment: keptOnlyBy('create'),
  updatePayment: keptOnlyBy('update'),
  confirmPayment: keptOnlyBy('confirm'),
  updateMetadata: { feature_metadata: toNobody },
  calculateTax: { payment_method_type: 'Tax does not depend on it', session_id: 'No wallet is told of it' },
  checkEligibility: { browser_info: 'Nobody is asked about the card before it pays' },
  checkEligibilityToo: { browser_info: 'Nobody is asked about the card before it pays' },
  incrementAuthorization: { reason: toNobody },
  createPaymentMethod: ofCards,
  listPaymentMethods: { limit: 'It is about saved ones, of which this list has none' },
  createPayout: ofPayouts,
  updatePayout: ofPayouts,
  putPayout: ofPayouts,
  confirmPayout: ofPayouts,
  createGsmRule: ofRules,
  updateGsmRule: ofRules,
  createMerchantAccount: { ...ofMerchants, product_type: 'There is one product' },
  updateMerchantAccount: ofMerchants,
  setKv: { kv_enabled: 'There is one way to keep rows' },
  createProfile: ofProfiles,
  updateProfile: {
    ...ofProfiles,
    dynamic_routing_algorithm: 'Dynamic routing has operations of its own',
  },
  createConnectorAccount: ofConnectorAccounts,
  updateConnectorAccount: ofConnectorAccounts,
  toggleContractBasedRouting: ofContracts,
  updateContractBasedRouting: ofContracts,
}

/** What an operation, by its name, only keeps. A member within another is written with dots. */
export const keptOnly = (operation: string): readonly KeptOnly[] =>
  Object.entries(table[operation] ?? {}).map(([member, why]) => ({ member, why }))

/**
 * Members that an operation takes and keeps without doing what they are for, each with the reason. All others do what they say, describe what is sold to whom, or are refused by name. An entry leaves
 * when the room comes that does it. A test holds the table against the shapes, and against the service.
 */
export type KeptOnly = { member: string; why: string }

const toNobody = 'Told to no processor'
const noProfile = 'Does not choose the business profile'
const noKeys = 'Shows nothing more: processors’ answers are not kept whole'

const ofPayments: Record<string, string> = {
  customer_id: 'Shown with the payment; no customer is made of it yet',
  customer: 'Shown with the payment; no customer is made of it yet',
  email: 'Shown with the payment; nothing is sent there',
  name: 'Shown with the payment; no customer is made of it yet',
  phone: 'Shown with the payment; nothing is sent there',
  phone_country_code: 'Shown with the payment; nothing is sent there',
  billing: 'The country chooses the connector account; the rest is told to no processor, so no address is checked',
  shipping: toNobody,
  browser_info: 'The challenge is a page of its own and asks the browser itself',
  setup_future_usage: 'Checkouts always send on_session; no card is saved. off_session is refused',
  customer_acceptance: 'Checkouts send it with "save card"; no card is saved',
  payment_experience: 'The one experience is redirect_to_url',
  business_country: noProfile,
  business_label: noProfile,
  business_sub_label: noProfile,
  allowed_payment_method_types: 'For the list of methods in a checkout, which is not there yet; a confirm is not held to it',
  frm_metadata: 'No fraud check is asked',
  connector_metadata: toNobody,
  feature_metadata: toNobody,
  statement_descriptor_suffix: 'Processors are told statement_descriptor_name, or billing_descriptor.statement_descriptor',
  billing_descriptor: 'Processors are told its statement_descriptor alone',
  skip_external_tax_calculation: 'No tax is calculated',
  tax_status: toNobody,
  order_date: toNobody,
  discount_amount: toNobody,
  shipping_amount_tax: toNobody,
  duty_amount: toNobody,
  partner_merchant_identifier_details: toNobody,
  threeds_method_comp_ind: 'The challenge is a page of its own',
  all_keys_required: noKeys,
  'payment_method_data.card.card_network': 'Shown, and chooses the connector account; told to no processor',
  'payment_method_data.card.bank_code': 'Not even kept',
  'payment_method_data.card.card_issuing_country_code': 'Not even kept',
}

const noTokens = 'There are no network tokens yet'
const ofRules: Record<string, string> = {
  clear_pan_possible: noTokens,
  'feature_data.retry.clear_pan_possible': noTokens,
  'feature_data.retry.alternate_network_possible': 'Cards of two networks are not told apart yet',
}

const table: Record<string, Record<string, string>> = {
  createPayment: ofPayments,
  confirmPayment: {
    ...ofPayments,
    retry_action: 'Checkouts send it; a failed payment is confirmed again, or refused, with and without it',
  },
  retrievePayment: { expand_customer_statistics: 'There are no statistics yet', all_keys_required: noKeys },
  capturePayment: {
    statement_descriptor_prefix: toNobody,
    statement_descriptor_suffix: toNobody,
    all_keys_required: noKeys,
  },
  cancelPayment: { all_keys_required: noKeys },
  createRefund: { all_keys_required: noKeys },
  retrieveRefund: { all_keys_required: noKeys },
  createMerchantAccount: {
    webhook_details: 'No webhooks are sent to merchants yet',
    publishable_key: 'It is always made here',
    payout_routing_algorithm: 'There are no payouts yet',
    frm_routing_algorithm: 'No fraud check is asked',
    parent_merchant_id: 'Merchants have no parents yet',
    locker_id: 'Cards are kept in the vault of this service',
    pm_collect_link_config: 'There are no such links yet',
    product_type: 'There is one product',
  },
  createGsmRule: ofRules,
  updateGsmRule: ofRules,
  createConnectorAccount: {
    test_mode: 'MODE of the deployment decides',
    frm_configs: 'No fraud check is asked',
    business_country: noProfile,
    business_label: noProfile,
    business_sub_label: noProfile,
    pm_auth_config: 'There is no bank verification yet',
    additional_merchant_data: toNobody,
    connector_wallets_details: 'There are no wallets yet',
    'payment_methods_enabled.payment_method_types.payment_experience': 'The one experience is redirect_to_url',
    'payment_methods_enabled.payment_method_types.recurring_enabled': 'There are no recurring payments yet',
    'payment_methods_enabled.payment_method_types.installment_payment_enabled': 'There are no installments yet',
  },
}

/** What an operation, by its name, only keeps. A member within another is written with dots. */
export const keptOnly = (operation: string): readonly KeptOnly[] =>
  Object.entries(table[operation] ?? {}).map(([member, why]) => ({ member, why }))

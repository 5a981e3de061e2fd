import Type, { type TProperties, type TSchema } from 'typebox'
import { catalogue } from '../base/refusal.ts'
import { createShape, currency } from '../payments/ask.ts'
import { lifecycle } from '../payments/lifecycle.ts'
import { paymentMethods } from '../payments/methods.ts'
import { refundLifecycle } from '../refunds/refund.ts'

/**
 * What answers look like, for the documentation. A test holds every member of real answers against these, in both directions, so they cannot go stale.
 * Every member is always present unless it is optional here, and null where it is unknown. Clients must expect members that are not here yet.
 */

const text = Type.String()
const time = Type.String({ format: 'date-time' })
const minor = Type.Integer({ description: 'In the lowest denomination of the currency' })
const count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const flag = Type.Boolean()
const open = Type.Object({}, { additionalProperties: true })

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])
const each = (schema: TSchema, names: string): TProperties =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map(name => [name, schema]),
  )
const texts = (names: string): TProperties => each(orNull(text), names)
const times = (names: string): TProperties => each(orNull(time), names)
const flags = (names: string): TProperties => each(orNull(flag), names)
const amounts = (names: string): TProperties => each(orNull(minor), names)
const objects = (names: string): TProperties => each(orNull(open), names)
const lists = (names: string): TProperties => each(orNull(Type.Array(Type.Unknown())), names)

type Asked = keyof typeof createShape.properties
/** Members that come back as they were asked, in the shape they were asked in. */
const asked = (names: string): TProperties =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map(name => [name, orNull(createShape.properties[name as Asked])]),
  )

const problem = texts('error_code error_message unified_code unified_message issuer_error_code issuer_error_message')

export const refundAnswer = Type.Object(
  {
    refund_id: text,
    payment_id: text,
    amount: minor,
    currency,
    status: Type.Enum(Object.keys(refundLifecycle)),
    connector: text,
    ...texts('reason'),
    ...problem,
    ...texts('profile_id merchant_connector_id connector_refund_id raw_connector_response'),
    ...objects('metadata split_refunds'),
    ...times('created_at updated_at'),
  },
  { title: 'Refund' },
)

const nextAction = Type.Object(
  { type: Type.Enum(['redirect_to_url']), redirect_to_url: Type.String({ format: 'uri', description: 'Send the customer here' }) },
  { title: 'NextAction' },
)

const cardSeen = Type.Object(
  {
    last4: text,
    card_isin: text,
    card_exp_month: text,
    card_exp_year: text,
    ...texts('card_extended_bin card_network card_type card_issuer card_issuing_country card_holder_name nick_name'),
    payment_checks: orNull(Type.Object(texts('avs_result cvc_result'))),
    authentication_data: orNull(Type.Object({ eci: text })),
    ...texts('auth_code'),
  },
  { title: 'CardSeen', description: 'A card as it may be shown: never its number' },
)

const attempt = Type.Object(
  {
    attempt_id: text,
    status: text,
    amount: minor,
    currency,
    ...amounts('order_tax_amount'),
    connector: text,
    ...asked('payment_method payment_method_type payment_experience capture_method authentication_type'),
    ...texts('connector_transaction_id reference_id cancellation_reason mandate_id payment_token client_source client_version'),
    ...texts('error_code error_message unified_code unified_message'),
    ...objects('connector_metadata error_details'),
    created_at: time,
    modified_at: time,
  },
  { title: 'Attempt', description: 'One authorization at one processor' },
)

const capture = Type.Object(
  {
    capture_id: text,
    status: Type.Enum(['started', 'charged', 'pending', 'failed']),
    amount: minor,
    currency,
    connector: text,
    authorized_attempt_id: text,
    capture_sequence: count,
    ...texts('connector_capture_id error_message error_code error_reason reference_id'),
  },
  { title: 'Capture', description: 'One capture of a hold' },
)

const errorDetails = Type.Object(
  {
    unified_details: Type.Object(texts('category message standardised_code description user_guidance_message recommended_action')),
    issuer_details: orNull(
      Type.Object({ ...texts('code message'), network_details: Type.Object(texts('name advice_code advice_message')) }),
    ),
    connector_details: Type.Object(texts('code message reason')),
  },
  { title: 'ErrorDetails', description: 'Why the last attempt failed: in one vocabulary, in the words of the issuer and of the processor' },
)

export const paymentAnswer = Type.Object(
  {
    payment_id: text,
    merchant_id: text,
    status: Type.Enum(Object.keys(lifecycle)),
    amount: minor,
    net_amount: minor,
    amount_capturable: minor,
    ...amounts('amount_received'),
    processor_merchant_id: text,
    currency,
    payment_method: orNull(Type.Enum(paymentMethods)),
    attempt_count: count,
    next_action: orNull(nextAction),
    ...texts('client_secret sdk_authorization'),
    ...problem,
    error_details: orNull(errorDetails),
    ...asked('capture_method authentication_type setup_future_usage off_session'),
    ...amounts('shipping_cost order_tax_amount'),
    ...asked('surcharge_details'),
    payment_method_data: orNull(
      Type.Object({ card: cardSeen, billing: orNull(createShape.properties.billing) }, { title: 'PaymentMethodSeen' }),
    ),
    ...asked('payment_method_type payment_experience allowed_payment_method_types'),
    ...texts('fingerprint payment_token payment_method_id mandate_id connector_mandate_id'),
    payment_method_status: orNull(Type.Enum(['active', 'inactive', 'processing', 'awaiting_data', 'new', 'updated'])),
    card_discovery: orNull(Type.Enum(['manual', 'saved_card', 'click_to_pay'])),
    customer_id: orNull(text),
    customer: orNull(
      Type.Object(
        { ...texts('id name email phone phone_country_code'), ...objects('customer_document_details') },
        { title: 'CustomerSeen' },
      ),
    ),
    ...texts('email name phone connector_customer_id'),
    ...asked('billing shipping description return_url merchant_order_reference_id order_details metadata frm_metadata'),
    ...asked('statement_descriptor_name statement_descriptor_suffix billing_descriptor browser_info'),
    ...texts('connector connector_label merchant_connector_id profile_id connector_transaction_id reference_id'),
    ...texts('network_transaction_id network_transaction_link_id whole_connector_response'),
    ...times('created modified_at updated expires_on capture_before extended_authorization_last_applied_at capture_on'),
    refunds: orNull(Type.Array(refundAnswer)),
    attempts: orNull(Type.Array(attempt)),
    captures: orNull(Type.Array(capture)),
    ...lists('disputes incremental_authorizations'),
    state_metadata: orNull(
      Type.Object(
        { total_refunded_amount: minor, total_disputed_amount: minor, ...objects('post_capture_void') },
        { title: 'StateMetadata' },
      ),
    ),
    ...texts('cancellation_reason merchant_decision'),
    initiator: orNull(Type.Enum(['platform', 'connected'])),
    ...flags(`manual_retry_allowed incremental_authorization_allowed external_3ds_authentication_attempted extended_authorization_applied
      force_3ds_challenge_trigger is_overcapture_enabled`),
    ...asked(`request_extended_authorization force_3ds_challenge is_iframe_redirection_enabled enable_partial_authorization
      enable_overcapture is_stored_credential mit_category tokenization business_country business_label business_sub_label`),
    authorization_count: orNull(count),
    external_authentication_details: orNull(
      Type.Object(texts('authentication_flow electronic_commerce_indicator status ds_transaction_id version error_code error_message'), {
        title: 'AuthenticationSeen',
      }),
    ),
    network_details: orNull(Type.Object({ network_advice_code: text })),
    ...asked('connector_metadata feature_metadata split_payments partner_merchant_identifier_details installment_data installment_options'),
    ...objects('mandate_data frm_message connector_response_metadata payment_link payment_method_tokenization_details'),
    ...texts('sender_payment_instrument_id'),
    payment_channel: Type.Unknown(),
  },
  { title: 'Payment' },
)

export const eventAnswer = Type.Object(
  {
    event_id: text,
    merchant_id: text,
    object_id: text,
    event_type: Type.Union([text, Type.Null()], {
      description: 'Under which name the merchant hears of it; null for steps that are only kept',
    }),
    type: Type.String({ description: 'What happened' }),
    version: Type.Integer({ description: 'Counts every change of the payment' }),
    sequence: Type.Union([Type.Integer(), Type.Null()], { description: 'Counts the changes that the merchant hears of' }),
    by: Type.Union([text, Type.Null()], {
      description:
        'Who did it: secret_key and its id, client, customer, webhook and its connector account, or alarm; null where that was not written down yet',
    }),
    was: Type.Object({}, { additionalProperties: true, description: 'The changed columns as they were' }),
    set: Type.Object({}, { additionalProperties: true, description: 'The changed columns as they became' }),
    created: time,
  },
  { title: 'Event' },
)

export const eventsAnswer = Type.Object({ size: count, data: Type.Array(eventAnswer) }, { title: 'Events' })

export const merchantAnswer = Type.Object(
  {
    merchant_id: text,
    organization_id: text,
    publishable_key: text,
    enable_payment_response_hash: flag,
    redirect_to_merchant_with_http_post: flag,
    is_recon_enabled: flag,
    sub_merchants_enabled: flag,
    recon_status: text,
    merchant_account_type: text,
    primary_business_details: Type.Array(Type.Unknown()),
    ...texts('merchant_name return_url payment_response_hash_key parent_merchant_id locker_id default_profile product_type'),
    ...objects(`merchant_details webhook_details payout_routing_algorithm metadata frm_routing_algorithm pm_collect_link_config
      network_tokenization_credentials`),
  },
  { title: 'MerchantAccount' },
)

export const apiKeyAnswer = Type.Object(
  {
    key_id: text,
    merchant_id: text,
    name: text,
    description: orNull(text),
    api_key: Type.String({ description: 'The key itself. This answer is the only place that ever shows it' }),
    created: time,
    expiration: Type.String({ description: '"never" or a date-time' }),
  },
  { title: 'ApiKey' },
)
export const readyAnswer = Type.Object(
  {
    database: flag,
    alarms: flag,
    settings: flag,
    clock_skew_ms: Type.Integer({
      description: "By how much the host's clock is ahead of the database's; it may be, because nobody goes by it",
    }),
  },
  { title: 'Ready' },
)

export const revokedAnswer = Type.Object({ merchant_id: text, key_id: text, revoked: flag }, { title: 'RevokedApiKey' })

const listed = {
  connector_type: text,
  connector_name: text,
  merchant_connector_id: text,
  profile_id: text,
  status: Type.Enum(['active', 'inactive']),
  disabled: flag,
  ...texts('connector_label business_country business_label business_sub_label'),
  ...flags('test_mode'),
  ...lists('payment_methods_enabled frm_configs applepay_verified_domains'),
  ...objects('pm_auth_config'),
}
export const connectorAccountListed = Type.Object(listed, { title: 'ConnectorAccountListed' })
export const connectorAccountAnswer = Type.Object(
  {
    ...listed,
    connector_account_details: Type.Object({}, { additionalProperties: true, description: 'Credentials, masked' }),
    ...objects('connector_webhook_details metadata additional_merchant_data connector_wallets_details webhook_setup_capabilities'),
  },
  { title: 'ConnectorAccount' },
)

const entries = Object.values(catalogue)
const all = <T>(values: readonly T[]): T[] => [...new Set(values)].sort()

/** Every error, whatever the operation: the catalogue of `base/refusal.ts` on the wire. */
export const errorAnswer = Type.Object(
  {
    error: Type.Object({
      type: Type.Enum(all(entries.map(entry => entry.type))),
      code: Type.Enum(all(entries.map(entry => entry.code))),
      message: text,
      error_type: Type.Optional(Type.String({ description: 'The same as type, on errors of the shape' })),
      reason: Type.Optional(Type.String({ description: 'Why it is not supported' })),
      connector: Type.Optional(Type.String({ description: 'The connector that does not know the flow' })),
      data: Type.Optional(Type.Array(text, { description: 'The names of the missing values' })),
    }),
  },
  { title: 'Error' },
)

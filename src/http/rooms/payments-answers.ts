import Type, { type TProperties } from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { nextActionSeen } from '../../connectors/next-action.ts'
import { seenShape } from '../../means/brought.ts'
import { paymentMethods } from '../../means/methods.ts'
import { createShape, currency } from '../../payments/ask.ts'
import { lifecycle } from '../../payments/lifecycle.ts'
import { amounts, count, flags, lists, minor, objects, problem, text, texts, time, times } from '../answer-shapes.ts'
import { refundAnswer } from './refunds-answers.ts'
import { routedAnswer } from './routing-answers.ts'

type Asked = keyof typeof createShape.properties
/** Members that come back as they were asked, in the shape they were asked in. */
const asked = (names: string): TProperties =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map(name => [name, orNull(createShape.properties[name as Asked])]),
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
    routing: orNull(routedAnswer),
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
    next_action: orNull(nextActionSeen),
    ...texts('client_secret sdk_authorization'),
    ...problem,
    error_details: orNull(errorDetails),
    ...asked('capture_method authentication_type setup_future_usage off_session'),
    ...amounts('shipping_cost order_tax_amount'),
    ...asked('surcharge_details'),
    payment_method_data: orNull(seenShape({ billing: orNull(createShape.properties.billing) })),
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

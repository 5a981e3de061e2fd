import Type from 'typebox'
import { findConnectorAccount, type Merchant } from '../accounts/merchant.ts'
import { platformOf } from '../accounts/platform.ts'
import { profileSetting } from '../accounts/profile-settings.ts'
import { anyText, bool, dateTime, minor, nonNegative, objectOrNull, orNull, textOrNull, timeOrNull } from '../base/shapes.ts'
import { nextActionSeen, showNextAction } from '../connectors/next-action.ts'
import { cardDiscoveries } from '../instruments/card.ts'
import { seenShape, showInstrument } from '../instruments/input.ts'
import { wasBlocked } from '../payments/authorization/blocked.ts'
import { verdictOf } from '../payments/authorization/follow-ups.ts'
import { extensionApplied, incrementAllowed, overcaptureEnabled } from '../payments/authorization/holds.ts'
import { familyOf } from '../payments/authorization/payment-instrument.ts'
import { retryAllowed } from '../payments/authorization/retry-target.ts'
import { showSplit } from '../payments/authorization/split.ts'
import { hasLink, linkOf } from '../payments/checkout/payment-link.ts'
import { paymentFields, type ShownOtherwise } from '../payments/fields/all.ts'
import { identity } from '../payments/fields/identity.ts'
import { instrument } from '../payments/fields/instrument.ts'
import { orderDetails } from '../payments/fields/order.ts'
import { address, payer } from '../payments/fields/payer.ts'
import { processing } from '../payments/fields/processing.ts'
import { mandateDataSeen, recurring } from '../payments/fields/recurring.ts'
import { splitPaymentsSeen } from '../payments/fields/split.ts'
import { lifecycle, statuses } from '../payments/lifecycle.ts'
import { cardDiscovery, cardOf, type Payment } from '../payments/payment.ts'
import { lacksAcceptance } from '../payments/stored-credentials/stored-credential.ts'
import { authenticatorIn, authorizePage, pollIdOf } from '../payments/three-ds/external-three-ds.ts'
import { returnPage, startPage, waitingPage } from '../payments/three-ds/return-page.ts'
import type { Fields } from '../resources/field.ts'
import { showMandateData } from './mandate.ts'
import { type Member, type Members, mergedMembers, shownAsKept, textsOrNull } from './member.ts'
import { problem } from './problem.ts'
import { tokenization } from './tokenization.ts'

/** The members besides the request's own fields (`payments/fields/`), by the same chapters. */

const flagOrNull = orNull(bool)
const listOrNull = orNull(Type.Array(Type.Unknown()))

export const initiatingMerchant = ({ merchant_id, request }: Payment): string => request.platform_merchant_id ?? merchant_id

const paymentLink = Type.Object({ link: anyText, secure_link: textOrNull, payment_link_id: anyText }, { title: 'PaymentLink' })

const madeOfItself = {
  status: { shape: Type.Enum(Object.keys(lifecycle)), from: 'column', description: 'Status of the payment; see the table of statuses' },
  merchant_id: {
    shape: anyText,
    from: initiatingMerchant,
    description: 'The account whose API key created the payment: the platform, or the account that processes the payment',
  },
  processor_merchant_id: {
    shape: anyText,
    from: { column: 'merchant_id' },
    description:
      'The account that processes the payment with its own connector accounts. Same as merchant_id unless a platform created the payment for this account',
  },
  initiator: {
    shape: orNull(Type.Enum(['platform', 'connected'])),
    from: ({ request }, { merchant }) => (request.platform_merchant_id ? 'platform' : platformOf(merchant) ? 'connected' : null),
    description: 'Creator of a connected account’s payment: the account itself or its platform. Null for other accounts',
  },
  client_secret: { shape: textOrNull, from: 'column' },
  sdk_authorization: {
    shape: textOrNull,
    from: (payment, { merchant }) => sdkAuthorization(merchant, payment),
    description: 'Publishable key and client_secret in one token, for the Authorization header of a browser',
  },
  created: { shape: timeOrNull, from: 'column', description: 'Time of creation' },
  modified_at: { shape: timeOrNull, from: 'column', description: 'Time of the last change' },
  updated: { shape: timeOrNull, from: { column: 'modified_at' }, description: 'Time of the last change' },
  expires_on: { shape: timeOrNull, from: 'column', description: 'Time when the client_secret expires' },
  next_action: {
    shape: orNull(nextActionSeen),
    from: (payment, { publicUrl, audience, knows }) =>
      payment.next_action &&
      showNextAction(payment.next_action, {
        start: startPage(publicUrl, payment),
        back: returnPage(publicUrl, payment, payment.connector ?? '', payment.authorization_request_id ?? ''),
        waiting: audience === 'client' && knows !== 'all next actions' ? waitingPage(publicUrl, payment) : null,
        forAll: knows === 'pages alone',
        authentication: {
          authenticate: `${publicUrl}/payments/${payment.payment_id}/3ds/authentication`,
          authorize: authorizePage(publicUrl, payment),
          poll_id: pollIdOf(payment),
          connector: authenticatorIn(payment).connector,
          card_network: cardOf(payment)?.card_network ?? null,
        },
      }),
    description: 'Next step for the customer; null if none is required',
  },
  cancellation_reason: { shape: textOrNull, from: 'column', description: "The merchant's reason, as free text" },
  manual_retry_allowed: {
    shape: flagOrNull,
    from: (payment, { merchant, now, knows }) => retryAllowed(merchant, payment, now, knows !== undefined),
  },
  payment_link: {
    shape: orNull(paymentLink),
    from: (payment, { merchant, publicUrl }) => (hasLink(payment) ? linkOf(merchant, payment, publicUrl) : null),
    description: 'The payment link; null if the payment has none',
  },
} satisfies Members

const increment = Type.Object(
  {
    authorization_id: anyText,
    amount: minor,
    previously_authorized_amount: minor,
    status: Type.Enum(['processing', 'success', 'failure', 'unresolved']),
    error_code: textOrNull,
    error_message: textOrNull,
  },
  { title: 'IncrementalAuthorization', description: 'One incremental authorization' },
)

const postCaptureVoid = Type.Object(
  {
    status: Type.Enum(['pending', 'succeeded', 'failed']),
    connector_reference_id: textOrNull,
    description: textOrNull,
    updated_at: timeOrNull,
  },
  { title: 'PostCaptureVoid', description: 'Status of a cancellation after capture' },
)

const release = Type.Object(
  { ...postCaptureVoid.properties, amount: minor },
  { title: 'Release', description: 'Status of the latest release of uncaptured funds; absent if none was requested' },
)

const totals = {
  net_amount: {
    shape: minor,
    from: 'column',
    description: 'Amount to charge: amount + shipping_cost + order_tax_amount + surcharge and its tax',
  },
  amount_capturable: {
    shape: minor,
    from: capturable,
    description: 'Amount that can still be captured; before authorization, the full amount',
  },
  amount_received: {
    shape: orNull(minor),
    from: ({ amount_received }) => (amount_received > 0 ? amount_received : null),
    description: 'Amount captured so far',
  },
  state_metadata: {
    shape: orNull(
      Type.Object(
        {
          total_refunded_amount: minor,
          total_disputed_amount: minor,
          post_capture_void: orNull(postCaptureVoid),
          release: Type.Optional(release),
          not_saved: Type.Optional(
            Type.Object(
              { missing: Type.Enum(['customer_acceptance']) },
              {
                title: 'NotSaved',
                description:
                  'The payment was to be kept for charges without its customer (setup_future_usage off_session), but its customer did not agree: nothing was saved',
              },
            ),
          ),
        },
        { title: 'StateMetadata' },
      ),
    ),
    from: payment => {
      const { amount_refunded, adjustments } = payment
      const unsaved = lacksAcceptance(payment) ? { not_saved: { missing: 'customer_acceptance' } } : null
      const post_capture_void = adjustments?.post_capture_void ?? null
      const lost = adjustments?.disputes?.lost ?? 0
      const latest = adjustments?.releases?.at(-1)
      if (amount_refunded === 0 && lost === 0 && post_capture_void === null && latest === undefined && unsaved === null) return null
      const totals = { total_refunded_amount: amount_refunded, total_disputed_amount: lost, post_capture_void, ...unsaved }
      if (latest === undefined) return totals
      const { n: _ours, ...release } = latest
      return { ...totals, release }
    },
  },
  // These four are read beside the row, if requested (`payment.ts`).
  refunds: { shape: listOrNull, from: 'nothing', description: 'Every refund, oldest first; null if there is none' },
  attempts: { shape: listOrNull, from: 'nothing', description: 'Every authorization, oldest first; present when expand_attempts is true' },
  captures: { shape: listOrNull, from: 'nothing', description: 'Every capture, oldest first; present when expand_captures is true' },
  disputes: { shape: listOrNull, from: 'nothing', description: 'Every dispute, oldest first; null if there is none' },
} satisfies Members

const madeOfPayer = {
  customer: {
    shape: orNull(
      Type.Object(
        {
          ...textsOrNull('id name email phone phone_country_code'),
          customer_document_details: objectOrNull,
        },
        { title: 'CustomerSeen' },
      ),
    ),
    from: customer,
  },
  email: { shape: textOrNull, from: ({ request }) => request.email ?? request.customer?.email ?? null },
  name: { shape: textOrNull, from: ({ request }) => request.name ?? request.customer?.name ?? null },
  phone: { shape: textOrNull, from: ({ request }) => request.phone ?? request.customer?.phone ?? null },
  connector_customer_id: { shape: textOrNull, from: 'nothing' },
  // Read beside the row, if requested (`payment.ts`).
  customer_statistics: {
    shape: orNull(
      Type.Object(
        { payments: nonNegative, succeeded: nonNegative, failed: nonNegative, first_payment_at: dateTime, last_payment_at: dateTime },
        { title: 'CustomerStatistics' },
      ),
    ),
    from: 'nothing',
    description: "Statistics of the customer's payments so far; present when expand_customer_statistics is true",
  },
} satisfies Members

const madeOfInstrument = {
  payment_method_data: {
    shape: orNull(seenShape({ billing: orNull(address) })),
    from: (payment, { merchant }) => {
      const family = familyOf(payment)
      if (!family || !payment.card) return null
      const billing = payment.request.payment_method_billing ?? null
      const extended = family.is === 'card' && profileSetting(merchant, payment.profile_id, 'is_extended_card_info_enabled')
      return showInstrument(family, payment.card, payment.facts, { billing }, extended)
    },
  },
  fingerprint: {
    shape: textOrNull,
    from: payment => cardOf(payment)?.fingerprint ?? null,
    description: 'Fingerprint of 20 characters, identical for every use of this card at this merchant',
  },
  card_discovery: { shape: orNull(Type.Enum([...cardDiscoveries])), from: cardDiscovery },
  payment_token: { shape: textOrNull, from: 'request' },
  payment_method_id: { shape: textOrNull, from: 'request' },
  payment_method_status: {
    shape: orNull(Type.Enum(['active', 'inactive', 'processing', 'awaiting_data', 'new', 'updated'])),
    from: savedStatus,
    description:
      'Status of payment_method_id: active once the card is saved, processing while the payment is processing, inactive if the payment failed',
  },
  payment_method_tokenization_details: tokenization,
  mandate_id: {
    shape: textOrNull,
    from: payment =>
      payment.request.mandate_id ??
      (payment.request.new_mandate_id && verdictOf(payment) === 'yes' ? payment.request.new_mandate_id : null),
    description: 'The mandate that the payment charges or has created',
  },
  split_payments: { shape: orNull(splitPaymentsSeen), serverOnly: true, from: showSplit },
  mandate_data: { shape: orNull(mandateDataSeen), from: ({ request }) => showMandateData(request.mandate_data) },
  connector_mandate_id: {
    shape: textOrNull,
    from: ({ facts, request, merchant_connector_id }) =>
      facts?.connector_mandate_id ?? request.kept_at?.[merchant_connector_id ?? ''] ?? null,
    description: 'The processor’s token for the stored card, created or used by this payment',
  },
  sender_payment_instrument_id: { shape: textOrNull, from: 'nothing' },
} satisfies Members

const madeOnTheWay = {
  connector: { shape: textOrNull, from: 'column' },
  connector_label: {
    shape: textOrNull,
    from: ({ merchant_connector_id: id }, { merchant }) =>
      id === null ? null : (findConnectorAccount(merchant, id)?.connector_label ?? null),
    serverOnly: true,
    description: 'Name of the connector account; unique within a business profile',
  },
  merchant_connector_id: { shape: textOrNull, from: 'column' },
  connector_transaction_id: { shape: textOrNull, from: 'column', description: "The processor's id of the authorization" },
  reference_id: {
    shape: textOrNull,
    from: { column: 'authorization_request_id' },
    description: 'This service’s id of the request to the processor',
  },
  network_transaction_id: { shape: textOrNull, from: 'facts', serverOnly: true, description: "The card network's id of the authorization" },
  network_transaction_link_id: { shape: textOrNull, from: 'nothing' },
  attempt_count: { shape: nonNegative, from: 'column', description: 'Number of authorization attempts' },
  authorization_count: {
    shape: orNull(nonNegative),
    from: ({ adjustments }) => adjustments?.increments?.length ?? null,
    description: 'Number of incremental authorizations; null if there are none',
  },
  incremental_authorizations: {
    shape: orNull(Type.Array(increment)),
    from: ({ adjustments }) => adjustments?.increments?.map(({ n: _ours, ...shown }) => shown) ?? null,
    description: 'Incremental authorizations, oldest first',
  },
  incremental_authorization_allowed: {
    shape: flagOrNull,
    from: incrementAllowed,
    description: 'Whether the authorized amount can be increased',
  },
  extended_authorization_applied: { shape: flagOrNull, from: extensionApplied, description: 'Whether the authorization was extended' },
  extended_authorization_last_applied_at: { shape: timeOrNull, from: ({ adjustments }) => adjustments?.extended_at ?? null },
  capture_before: { shape: timeOrNull, from: 'facts', description: 'Time when an uncaptured authorization expires' },
  is_overcapture_enabled: {
    shape: flagOrNull,
    from: overcaptureEnabled,
    description: 'Whether more than the authorized amount can be captured',
  },
  external_authentication_details: {
    shape: orNull(
      Type.Object(
        textsOrNull('authentication_flow electronic_commerce_indicator status ds_transaction_id version error_code error_message'),
        { title: 'AuthenticationSeen' },
      ),
    ),
    from: authentication,
  },
  external_3ds_authentication_attempted: { shape: flagOrNull, from: ({ request }) => request.authentication !== undefined },
  force_3ds_challenge_trigger: {
    shape: flagOrNull,
    from: ({ request, authorization_n }) => (authorization_n === null ? null : request.force_3ds_challenge === true),
    description: 'Whether a challenge was requested from the issuer in any case',
  },
  whole_connector_response: { shape: textOrNull, from: 'nothing' },
  connector_response_metadata: { shape: objectOrNull, from: 'nothing' },
  merchant_decision: { shape: textOrNull, from: payment => (wasBlocked(payment) ? 'Rejected' : null) },
  frm_message: { shape: objectOrNull, from: 'nothing' },
} satisfies Members

/** The members that have the name of a request field, but are shown with another content. */
const made = { ...madeOfItself, ...totals, ...madeOfPayer, ...madeOfInstrument, ...madeOnTheWay }
made satisfies Record<ShownOtherwise, Member>

/** A member without a description has that of the field of its name. */
const withFieldDescriptions = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const description = member.description ?? (paymentFields as Fields)[name]?.description
      return [name, { ...member, ...(description !== undefined && { description }) }]
    }),
  )

/** In the order of the answer. */
export const members = mergedMembers(
  shownAsKept(identity),
  withFieldDescriptions(madeOfItself),
  shownAsKept(orderDetails),
  withFieldDescriptions(totals),
  problem,
  shownAsKept(payer),
  withFieldDescriptions(madeOfPayer),
  shownAsKept(instrument),
  shownAsKept(recurring),
  withFieldDescriptions(madeOfInstrument),
  shownAsKept(processing),
  withFieldDescriptions(madeOnTheWay),
)

/** As existing clients expect: all while nothing is authorized. The column holds the authorized amount. */
function capturable({ status, net_amount, amount_capturable }: Payment): number {
  return statuses[status].traits.includes('not authorized') ? net_amount : amount_capturable
}

function savedStatus(payment: Payment): string | null {
  const { payment_method_id, saves } = payment.request
  if (payment_method_id === undefined) return null
  if (saves !== 'card') return 'active'
  const verdict = verdictOf(payment)
  return verdict === 'yes' ? 'active' : verdict === 'no' ? 'inactive' : 'processing'
}

/** Base64 of comma-joined `name=value`. */
function sdkAuthorization(merchant: Merchant, payment: Payment): string {
  const customer_id = payment.customer_id === null ? '' : `,customer_id=${payment.customer_id}`
  // The text is ASCII: ids are letters, digits, `_` and `-`. `btoa` takes a third of the time of a buffer.
  return btoa(
    `profile_id=${payment.profile_id},publishable_key=${merchant.publishable_key},client_secret=${payment.client_secret}${customer_id},payment_id=${payment.payment_id}`,
  )
}

function customer({ customer_id, request }: Payment): Record<string, unknown> | null {
  const { customer: given, email, name, phone, phone_country_code } = request
  if (customer_id === null && !given && [email, name, phone, phone_country_code].every(member => member === undefined)) return null
  return {
    id: customer_id,
    name: given?.name ?? name ?? null,
    email: given?.email ?? email ?? null,
    phone: given?.phone ?? phone ?? null,
    phone_country_code: given?.phone_country_code ?? phone_country_code ?? null,
    customer_document_details: given?.document_details ?? null,
  }
}

function authentication({ facts, request: { authentication: given } }: Payment): Record<string, unknown> | null {
  if (!given && facts?.eci === undefined) return null
  return {
    authentication_flow: given?.flow ?? null,
    electronic_commerce_indicator: given?.eci ?? facts?.eci ?? null,
    status: given ? given.outcome : null,
    ds_transaction_id: given?.ds_transaction_id ?? null,
    version: given?.version ?? null,
    error_code: given?.error_code ?? null,
    error_message: given?.error_message ?? null,
  }
}

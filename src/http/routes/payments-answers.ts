import Type, { type TProperties } from 'typebox'
import { orNull, withDescription } from '../../base/shapes.ts'
import { networks } from '../../instruments/networks.ts'
import { operationStates } from '../../operations/operation.ts'
import { fields } from '../../payments/fields/all.ts'
import { currency } from '../../payments/fields/order.ts'
import { shapesOf } from '../../show/member.ts'
import { members } from '../../show/members.ts'
import { amounts, count, minor, objects, schema, text, texts, time } from '../answer-shapes.ts'
import { errorAnswer } from '../error-answer.ts'
import { refundAnswer } from './refunds.ts'
import { routedAnswer } from './routing-answers.ts'

const shapes = shapesOf(members)
/** Returns the members with the shapes of the payment's own members of the same name, for members that may be null. */
const asOfPayment = (names: string): TProperties => Object.fromEntries(names.split(' ').map(name => [name, shapes[name]!]))

const attempt = schema('Attempt', 'One authorization at one processor', {
  attempt_id: text,
  status: text,
  amount: minor,
  currency,
  ...amounts('order_tax_amount'),
  connector: text,
  merchant_connector_id: text,
  connector_label: orNull(Type.String({ description: 'null if the connector account was deleted' })),
  state: Type.Enum([...operationStates], {
    description: 'Precise state of the authorization. `unknown`: the processor has not reported the result',
  }),
  latency_ms: orNull(
    Type.Integer({ description: 'Until the response, or until the request timed out; null while it is under way, and in webhooks' }),
  ),
  why: orNull(
    Type.String({
      description: 'Why the result is not known (a timeout, a response that makes no sense), or why nothing was sent; null for browsers',
    }),
  ),
  ...asOfPayment('payment_method payment_method_type payment_experience'),
  capture_method: orNull(fields.capture_method.shape),
  authentication_type: orNull(fields.authentication_type.shape),
  ...asOfPayment('connector_transaction_id reference_id cancellation_reason mandate_id payment_token'),
  ...texts('client_source client_version'),
  ...asOfPayment('error_code error_message unified_code unified_message'),
  ...objects('connector_metadata error_details'),
  routing: orNull(routedAnswer),
  created_at: time,
  modified_at: time,
})

const stop = schema('RouteStop', 'One authorization of a payment, and its result', {
  merchant_connector_id: text,
  connector_label: orNull(Type.String({ description: 'null if the connector account was deleted' })),
  state: Type.Enum([...operationStates]),
  ...asOfPayment('error_code'),
})

const capture = schema('Capture', 'One capture of an authorization', {
  capture_id: text,
  status: Type.Enum(['started', 'charged', 'pending', 'failed']),
  amount: minor,
  currency,
  connector: text,
  authorized_attempt_id: text,
  capture_sequence: count,
  ...texts('connector_capture_id error_message error_code error_reason'),
  ...asOfPayment('reference_id'),
})

/** The data with which wallets are opened. Each wallet's members are its own (contract 4.7). */
export const sessionTokensAnswer = schema('SessionTokens', {
  payment_id: text,
  client_secret: text,
  session_token: Type.Array(Type.Object({ wallet_name: text }, { additionalProperties: true, title: 'SessionToken' })),
  ...objects('vault_details'),
})

/** The answer about the eligibility of a payment method for a payment. */
export const eligibilityAnswer = schema('Eligibility', {
  payment_id: text,
  sdk_next_action: Type.Object({
    next_action: Type.Union([Type.Enum(['confirm']), Type.Object({ deny: Type.Object({ message: text }) })]),
  }),
  surcharge_details: shapes.surcharge_details!,
  card_networks: orNull(
    Type.Array(Type.Enum(networks), { description: 'Networks of a co-badged card: the cardholder can choose one (card_network)' }),
  ),
})

const { surcharge_details: _surcharge, ...checked } = eligibilityAnswer.properties
/** The answer about eligibility without the surcharge. */
export const eligibilityCheckAnswer = schema('EligibilityCheck', checked)

/** The metadata of a payment. */
export const metadataAnswer = schema(
  'PaymentMetadata',
  Object.fromEntries(['payment_id', 'metadata', 'status', 'feature_metadata'].map(name => [name, shapes[name]!])),
)

/** A payment: the members of its own row, and those that are read beside it. */
export const paymentAnswer = schema('Payment', {
  ...shapes,
  refunds: withDescription(orNull(Type.Array(refundAnswer)), members.refunds!.description),
  attempts: withDescription(orNull(Type.Array(attempt)), members.attempts!.description),
  captures: withDescription(orNull(Type.Array(capture)), members.captures!.description),
  // Present only in lists that request it.
  route: Type.Optional(Type.Array(stop, { description: 'In lists with expand_attempts=true: where the payment went, in order' })),
  // Present only beside a payment that was blocked.
  error: Type.Optional(errorAnswer.properties.error),
})

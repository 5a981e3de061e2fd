import Type, { type TProperties } from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { networks } from '../../means/networks.ts'
import { createShape } from '../../payments/ask.ts'
import { currency } from '../../payments/fields/sold.ts'
import { members } from '../../show/members.ts'
import { amounts, count, minor, objects, text, texts, time } from '../answer-shapes.ts'
import { errorAnswer } from '../error-answer.ts'
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
  { title: 'Capture', description: 'One capture of an authorization' },
)

const shapes = Object.fromEntries(Object.entries(members).map(([name, { shape }]) => [name, shape]))

/** With what wallets are opened. Their members are each wallet's own (contract 4.7). */
export const sessionTokensAnswer = Type.Object(
  {
    payment_id: text,
    client_secret: text,
    session_token: Type.Array(Type.Object({ wallet_name: text }, { additionalProperties: true, title: 'SessionToken' })),
    ...objects('vault_details'),
  },
  { title: 'SessionTokens' },
)

/** May a payment be paid by this? */
export const eligibilityAnswer = Type.Object(
  {
    payment_id: text,
    sdk_next_action: Type.Object({
      next_action: Type.Union([Type.Enum(['confirm']), Type.Object({ deny: Type.Object({ message: text }) })]),
    }),
    surcharge_details: shapes.surcharge_details!,
    card_networks: orNull(
      Type.Array(Type.Enum(networks), { description: 'Networks of a co-badged card: the cardholder can choose one (card_network)' }),
    ),
  },
  { title: 'Eligibility' },
)

/** The same without the surcharge. */
export const eligibilityCheckAnswer = Type.Object(
  {
    payment_id: eligibilityAnswer.properties.payment_id,
    sdk_next_action: eligibilityAnswer.properties.sdk_next_action,
    card_networks: eligibilityAnswer.properties.card_networks,
  },
  { title: 'EligibilityCheck' },
)

/** What is noted of a payment. */
export const metadataAnswer = Type.Object(
  Object.fromEntries(['payment_id', 'metadata', 'status', 'feature_metadata'].map(name => [name, shapes[name]!])),
  { title: 'PaymentMetadata' },
)

/** A payment as its own row tells it, with what is read beside it. */
export const paymentAnswer = Type.Object(
  {
    ...shapes,
    refunds: orNull(Type.Array(refundAnswer)),
    attempts: orNull(Type.Array(attempt)),
    captures: orNull(Type.Array(capture)),
    // Only beside a payment that was blocked.
    error: Type.Optional(errorAnswer.properties.error),
  },
  { title: 'Payment' },
)

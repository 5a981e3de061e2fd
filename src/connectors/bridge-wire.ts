import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { isCurrency } from '../base/currencies.ts'
import { declineCodes, type Verb } from './connector.ts'
import { channels } from './purchase.ts'
import { isRecord } from './wire.ts'

/**
 * The bridge protocol, version 1: what an adapter hears and says. From these shapes come the connector's reader, the
 * OpenAPI document (`docs/generated/bridge-openapi.json`) and what `npm run bridge:check` holds adapters to. The
 * guide is `docs/bridge/README.md`. A later version may add members; whoever does not know one ignores it.
 */

const says = (schema: TSchema, description: string): TSchema => ({ ...schema, description })
/** Absent and null are the same. */
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

const requestId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'The request id: whoever sends the request makes it, and it names the operation for ever',
})
const reference = Type.String({
  pattern: '^[\\x21-\\x7e]{1,128}$',
  description: 'What the adapter, or the processor behind it, calls the operation',
})
const word = Type.String({ pattern: '^[\\w.:/+-]{1,64}$' })
const amount = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'In the lowest denomination of the currency (ISO 4217)',
})
const some = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'In the lowest denomination of the currency (ISO 4217)',
})
const currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' })
const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$' })
const address = Type.String({ pattern: '^https?://', maxLength: 2048 })

export const bridgeStatuses = ['approved', 'declined', 'pending', 'action_required', 'released', 'returned'] as const
/** Kinds of operation, and which of our verbs each is. */
export const bridgeVerbs = {
  authorize: 'authorize',
  capture: 'capture',
  void: 'void',
  refund: 'refund',
  payout: 'payout',
} as const satisfies Record<string, Verb>
export const bridgeTypes = Object.keys(bridgeVerbs) as (keyof typeof bridgeVerbs)[]
/** Codes of errors. Every error means: nothing happened. */
export const errorStatus = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  conflict: 409,
  not_allowed: 422,
  not_supported: 422,
  slow_down: 429,
} as const
export type ErrorCode = keyof typeof errorStatus

const card = Type.Object(
  {
    type: Type.Enum(['card']),
    number: Type.String({ pattern: '^\\d{12,19}$' }),
    exp_month: Type.Integer({ minimum: 1, maximum: 12 }),
    exp_year: Type.Integer({ minimum: 2000, maximum: 2100 }),
    cvc: Type.Optional(Type.String({ pattern: '^\\d{3,4}$' })),
    holder: Type.Optional(Type.String()),
  },
  { title: 'Card' },
)

/** Whereto money is paid out: by its type, what of this is known. */
const recipient = Type.Object(
  {
    type: Type.Enum(['card', 'bank', 'wallet', 'bank_redirect']),
    scheme: Type.Optional(Type.String({ description: 'Which bank scheme, wallet or redirect: the interface’s payout_method_type' })),
    account: Type.Optional(Type.String({ description: 'Of what is no card: IBAN, account number, e-mail address, telephone number' })),
    number: Type.Optional(Type.String({ pattern: '^\\d{12,19}$' })),
    exp_month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
    exp_year: Type.Optional(Type.Integer({ minimum: 2000, maximum: 2100 })),
    holder: Type.Optional(Type.String()),
    by: Type.Optional(Type.String({ description: 'Of a wallet: what kind of name `account` is' })),
    bank_code: Type.Optional(Type.String()),
    bank_name: Type.Optional(Type.String()),
    bic: Type.Optional(Type.String()),
    tax_id: Type.Optional(Type.String()),
    country: Type.Optional(Type.String()),
  },
  { title: 'Recipient' },
)

const any = Type.Optional(Type.Object({}, { additionalProperties: true }))

/** Who buys what, as far as the merchant has said it. */
const purchase = Type.Object(
  {
    description: Type.Optional(Type.String()),
    order_reference: Type.Optional(Type.String()),
    ...{ buyer: any, billing: any, shipping: any, browser: any, costs: any, partner: any, extra: any },
    lines: Type.Optional(Type.Unsafe<readonly object[]>(Type.Array(Type.Object({}, { additionalProperties: true })))),
    tax_status: Type.Optional(Type.String()),
    ordered_at: Type.Optional(Type.String()),
  },
  {
    title: 'Purchase',
    description:
      'Who buys what, as far as it is known. None of it decides what is charged; use what your processor takes, and ignore the rest',
  },
)

/** What is asked, by kind of operation: the bodies of `PUT /v1/operations/{request_id}`. */
export const asks = {
  authorize: Type.Object(
    {
      type: Type.Enum(['authorize']),
      amount,
      currency,
      capture: Type.Enum(['automatic', 'manual'], { description: 'Taken at once, or held until it is captured' }),
      method: card,
      three_ds: Type.Enum(['request', 'skip'], { description: 'Whether the customer is to be authenticated' }),
      return_url: says(address, 'Where the customer is to come back to') as typeof address,
      merchant_name: Type.String({ description: 'As customers know the merchant' }),
      statement_descriptor: Type.Optional(Type.String()),
      allow_partial: Type.Boolean({ description: 'Whether an approval of less than `amount` is welcome' }),
      purchase: Type.Optional(purchase),
      channel: Type.Optional(Type.Enum([...channels], { description: 'Ordered without a browser; absent: in one' })),
    },
    { title: 'Authorize' },
  ),
  capture: Type.Object(
    {
      type: Type.Enum(['capture']),
      authorization: requestId,
      amount: some,
      currency,
      final: Type.Boolean({ description: 'Whether the rest of the hold is let go' }),
    },
    { title: 'Capture' },
  ),
  void: Type.Object({ type: Type.Enum(['void']), authorization: requestId, amount, currency }, { title: 'Void' }),
  refund: Type.Object(
    { type: Type.Enum(['refund']), authorization: requestId, amount: some, currency, reason: Type.Optional(Type.String()) },
    { title: 'Refund' },
  ),
  payout: Type.Object(
    {
      type: Type.Enum(['payout']),
      amount: some,
      currency,
      to: recipient,
      merchant_name: Type.String({ description: 'As recipients know the merchant' }),
      description: Type.Optional(Type.String()),
    },
    { title: 'Payout' },
  ),
} as const
export type BridgeRequest = { [T in keyof typeof asks]: Static<(typeof asks)[T]> }[keyof typeof asks]

const decline = Type.Object(
  {
    code: says(word, `One of ${declineCodes.join(', ')}; another is taken for a plain decline`) as typeof word,
    message: Type.String({ description: 'In the processor’s words' }),
    network_code: maybe(word),
    network_advice: maybe(word),
  },
  { title: 'Decline' },
)

/** An operation, as it is answered, looked up and announced. */
export const operation = Type.Object(
  {
    request_id: requestId,
    type: Type.Enum(bridgeTypes),
    status: Type.Enum([...bridgeStatuses], {
      description:
        '`approved`: it happened. `declined`: a definitive no, nothing happened. `pending`: not decided yet. `action_required`: the customer must act. `released`: an authorization that was approved, and nothing of it is held any more; a payout that nobody claimed. `returned`: it was approved, and the money came back later (a refund or a payout that the bank sent back)',
    }),
    reference,
    amount: says(amount, 'What was approved; where nothing is, what was asked') as typeof amount,
    currency,
    captured: maybe(says(amount, 'Of an approved authorization: how much of it is taken by now') as typeof amount),
    held: maybe(says(amount, 'Of an approved authorization: how much of it may still be captured') as typeof amount),
    hold_until: maybe(time),
    decline: maybe(decline),
    action: maybe(Type.Object({ type: Type.Enum(['redirect']), url: address }, { title: 'Action' })),
    network_transaction_id: maybe(word),
    authorization_code: maybe(word),
    eci: maybe(word),
    avs_result: maybe(word),
    cvc_result: maybe(word),
    arn: maybe(word),
  },
  { title: 'Operation' },
)
export type BridgeOperation = Static<typeof operation>

export const error = Type.Object(
  { error: Type.Object({ code: Type.Enum(Object.keys(errorStatus) as ErrorCode[]), message: Type.String() }) },
  { title: 'Error' },
)

/** What an adapter says of itself. */
export const about = Type.Object(
  {
    protocol: Type.Enum(['bridge']),
    version: Type.Enum([1]),
    name: Type.String({ description: 'What is behind it' }),
    offers: Type.Array(Type.Enum(bridgeTypes), { description: 'The kinds of operation that it takes' }),
    test_cards: maybe(
      Type.Object(
        { approved: Type.String(), declined: Type.String(), pending: maybe(Type.String()), action_required: maybe(Type.String()) },
        {
          title: 'TestCards',
          description: 'Of a test environment: card numbers, and what becomes of them. `npm run bridge:check` needs the first two',
        },
      ),
    ),
  },
  { title: 'About' },
)

export const news = Type.Object({ version: Type.Enum([1]), operation }, { title: 'News' })
export const newsAddress = Type.Object({ url: address, secret: Type.String({ minLength: 1, maxLength: 255 }) }, { title: 'NewsAddress' })

const isOperation = Compile(operation)
const isError = Compile(error)
const isAbout = Compile(about)

/** An operation that makes sense: as its shape says, and with what its status needs. */
export function readOperation(body: unknown): BridgeOperation | null {
  if (!isOperation.Check(body)) return null
  const { type, status, currency, captured, held, decline, action, hold_until } = body
  if (!isCurrency(currency)) return null
  if (status === 'approved' && type === 'authorize' && (typeof captured !== 'number' || typeof held !== 'number')) return null
  if ((status === 'declined' || status === 'returned') !== ((decline ?? null) !== null)) return null
  if (status === 'action_required' && (type !== 'authorize' || !URL.canParse(action?.url ?? ''))) return null
  if (status === 'released' && type !== 'authorize' && type !== 'payout') return null
  return typeof hold_until === 'string' && Number.isNaN(Date.parse(hold_until)) ? null : body
}

export const readNews = (body: unknown): BridgeOperation | null =>
  isRecord(body) && body.version === 1 ? readOperation(body.operation) : null

/** An error of the protocol: its status is its code's own. */
export function readBridgeError(status: number, body: unknown): { code: ErrorCode; message: string } | null {
  if (!isError.Check(body)) return null
  return errorStatus[body.error.code] === status ? body.error : null
}

export const isAdapter = (body: unknown): boolean => isAbout.Check(body)
export const isNewsAddress = (body: unknown, url: string): boolean => isRecord(body) && body.url === url

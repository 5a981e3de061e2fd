import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { isCurrency } from '../../base/currencies.ts'
import { declineCodes, type Verb } from '../connector.ts'
import { isRecord } from '../kit/read.ts'
import { channels } from '../purchase.ts'
import { bridgeDispute, wholePayment } from './report-shapes.ts'
import { bridgeShapes } from './shapes.ts'

/**
 * The bridge protocol, version 1 (guide: `docs/bridge/README.md`). The connector's reader, the OpenAPI document
 * (`docs/generated/bridge-openapi.json`) and the checks of `npm run bridge:check` follow from these shapes. A later
 * version may add members; an adapter ignores a member that it does not know.
 */

const { address, amount, currency, described, maybe, reference, requestId, some, time, word } = bridgeShapes

const bridgeStatuses = ['approved', 'declined', 'pending', 'action_required', 'released', 'returned'] as const
export const bridgeVerbs = {
  authorize: 'authorize',
  capture: 'capture',
  void: 'void',
  refund: 'refund',
  payout: 'payout',
} as const satisfies Record<string, Verb>
export const bridgeTypes = Object.keys(bridgeVerbs) as (keyof typeof bridgeVerbs)[]
/** The error codes, each with its HTTP status. Every error means that nothing happened. */
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

const recipient = Type.Object(
  {
    type: Type.Enum(['card', 'bank', 'wallet', 'bank_redirect']),
    scheme: Type.Optional(Type.String({ description: 'Bank scheme, wallet or redirect: the API’s payout_method_type' })),
    account: Type.Optional(
      Type.String({ description: 'For recipients other than cards: IBAN, account number, email address or phone number' }),
    ),
    number: Type.Optional(Type.String({ pattern: '^\\d{12,19}$' })),
    exp_month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
    exp_year: Type.Optional(Type.Integer({ minimum: 2000, maximum: 2100 })),
    holder: Type.Optional(Type.String()),
    by: Type.Optional(Type.String({ description: 'For wallets: what `account` contains' })),
    bank_code: Type.Optional(Type.String()),
    bank_name: Type.Optional(Type.String()),
    bic: Type.Optional(Type.String()),
    tax_id: Type.Optional(Type.String()),
    country: Type.Optional(Type.String()),
  },
  { title: 'Recipient' },
)

const any = Type.Optional(Type.Object({}, { additionalProperties: true }))

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
    description: 'Buyer and goods, as far as known. This does not affect the amount; use what your processor accepts, and ignore the rest',
  },
)

export const asks = {
  authorize: Type.Object(
    {
      type: Type.Enum(['authorize']),
      amount,
      currency,
      capture: Type.Enum(['automatic', 'manual'], { description: 'Captured immediately, or authorized until it is captured' }),
      method: card,
      three_ds: Type.Enum(['request', 'skip'], { description: 'Whether the customer should be authenticated' }),
      return_url: described(address, 'URL that the customer returns to') as typeof address,
      merchant_name: Type.String({ description: 'Name of the merchant, as customers know it' }),
      statement_descriptor: Type.Optional(Type.String()),
      allow_partial: Type.Boolean({ description: 'Whether less than `amount` can be approved' }),
      purchase: Type.Optional(purchase),
      channel: Type.Optional(Type.Enum([...channels], { description: 'Channel of the order; absent for orders in a browser' })),
    },
    { title: 'Authorize' },
  ),
  capture: Type.Object(
    {
      type: Type.Enum(['capture']),
      authorization: requestId,
      amount: some,
      currency,
      final: Type.Boolean({ description: 'Whether the uncaptured rest is released' }),
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
      merchant_name: Type.String({ description: 'Name of the merchant, as recipients know it' }),
      description: Type.Optional(Type.String()),
    },
    { title: 'Payout' },
  ),
} as const
export type BridgeRequest = { [T in keyof typeof asks]: Static<(typeof asks)[T]> }[keyof typeof asks]

const decline = Type.Object(
  {
    code: described(word, `One of ${declineCodes.join(', ')}; any other code counts as a plain decline`) as typeof word,
    message: Type.String({ description: 'The processor’s message' }),
    network_code: maybe(word),
    network_advice: maybe(word),
  },
  { title: 'Decline' },
)

export const operation = Type.Object(
  {
    request_id: requestId,
    type: Type.Enum(bridgeTypes),
    status: Type.Enum([...bridgeStatuses], {
      description:
        '`approved`: completed. `declined`: definitively refused; nothing happened. `pending`: not decided yet. `action_required`: the customer must act. `released`: an approved authorization that is no longer held, or a payout that was not claimed. `returned`: approved, but the money came back later (a refund or payout returned by the bank)',
    }),
    reference,
    amount: described(amount, 'Approved amount; the requested amount if nothing was approved') as typeof amount,
    currency,
    captured: maybe(described(amount, 'For an approved authorization: amount captured so far') as typeof amount),
    held: maybe(described(amount, 'For an approved authorization: amount that can still be captured') as typeof amount),
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

export const about = Type.Object(
  {
    protocol: Type.Enum(['bridge']),
    version: Type.Enum([1]),
    name: Type.String({ description: 'Name of the processor behind the adapter' }),
    offers: Type.Array(Type.Enum(bridgeTypes), { description: 'Supported operation types' }),
    reads: Type.Optional(
      Type.Array(Type.Enum(['payments', 'changes', 'disputes']), { description: 'What else can be read; absent: only operations' }),
    ),
    test_cards: maybe(
      Type.Object(
        { approved: Type.String(), declined: Type.String(), pending: maybe(Type.String()), action_required: maybe(Type.String()) },
        {
          title: 'TestCards',
          description: 'For a test environment: card numbers by their result. `npm run bridge:check` requires the first two',
        },
      ),
    ),
  },
  { title: 'About' },
)

export const notification = Type.Object({ version: Type.Enum([1]), operation }, { title: 'News' })
const version = Type.Enum([1])
export const paymentNotification = Type.Object({ version, payment: wholePayment }, { title: 'PaymentNews' })
export const disputeNotification = Type.Object({ version, dispute: bridgeDispute }, { title: 'DisputeNews' })
/** Entries are left open: one of a kind that a reader does not know is no news to it. */
export const bridgeChanges = Type.Object(
  {
    changes: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: 'Each as its notification: `operation`, `payment` or `dispute`, as it is now',
    }),
    next: maybe(described(reference, 'Cursor of the next page') as typeof reference),
  },
  { title: 'Changes' },
)
export const registration = Type.Object({ url: address, secret: Type.String({ minLength: 1, maxLength: 255 }) }, { title: 'NewsAddress' })

const isOperation = Compile(operation)
const isError = Compile(error)
const isAbout = Compile(about)
const isChanges = Compile(bridgeChanges)

/** The status must have the members that it requires. */
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

export const readNotification = (body: unknown): BridgeOperation | null =>
  isRecord(body) && body.version === 1 ? readOperation(body.operation) : null

export const readChanges = (body: unknown): Static<typeof bridgeChanges> | null => (isChanges.Check(body) ? body : null)

/** The HTTP status must be the one of the code. */
export function readBridgeError(status: number, body: unknown): { code: ErrorCode; message: string } | null {
  if (!isError.Check(body)) return null
  return errorStatus[body.error.code] === status ? body.error : null
}

export const readAdapter = (body: unknown): Static<typeof about> | null => (isAbout.Check(body) ? body : null)
export const isRegistration = (body: unknown, url: string): boolean => isRecord(body) && body.url === url

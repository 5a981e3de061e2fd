import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import fc from 'fast-check'
import { keepsNames } from '../../test/named.ts'
import { notSent, replied, silence } from '../../test/rehearse.ts'
import { processorSpecimens, type Specimen } from '../../test/specimens.ts'
import { type Currency, currencies } from '../base/currencies.ts'
import type { Money } from '../base/money.ts'
import { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../world.ts'
import { alsoCalled, connectors } from './all.ts'
import {
  type Account,
  type Connector,
  type Conversation,
  declineCodes,
  type Outcome,
  type Registered,
  type SyncAsk,
  type Verb,
  type Verdict,
} from './connector.ts'
import type { Grant } from './conversation.ts'
import { type Counting, counted, whyNotCounted } from './counting.ts'
import type { FamilyName, Means, MeansOf, Other, OtherFamily, Recipient, RecipientName } from './means.ts'
import { onwardOf } from './next-action.ts'

/**
 * The manners every connector of `all.ts` must have. What only its own contract can say is in `specimens`: one good answer of each kind, from which
 * nearly good ones are made. A connector without specimens does not pass.
 */
const operation = {
  id: 'auth_1',
  object: 'operation',
  type: 'authorization',
  payment: 'auth_1',
  reference: 'REQ1',
  status: 'approved',
  amount: 1250,
  currency: 'USD',
  decline: null,
  redirect_url: null,
  payment_state: { status: 'authorized', authorized: 1250, captured: 0, refunded: 0 },
  network_transaction_id: '123456789012345',
  authorization_code: 'A1B2C3',
  eci: '07',
  avs_result: 'Y',
  cvc_result: 'M',
  arn: null,
  hold_expires_at: '2026-03-08T10:00:00.000Z',
}
const error = (code: string) => ({ error: { code, message: 'No.', param: null } })

const intent = {
  id: 'auth_1',
  object: 'payment_intent',
  status: 'requires_capture',
  amount: 1250,
  amount_capturable: 1250,
  amount_received: 0,
  currency: 'usd',
  metadata: { request_id: 'REQ1' },
  next_action: null,
  last_payment_error: null,
  latest_charge: {
    id: 'ch_1',
    object: 'charge',
    outcome: { network_decline_code: null, network_advice_code: null, advice_code: null },
    payment_method_details: {
      card: {
        amount_authorized: 1250,
        authorization_code: 'A1B2C3',
        capture_before: 1772000000,
        checks: { address_line1_check: 'pass', address_postal_code_check: 'pass', cvc_check: 'pass' },
        network_transaction_id: '123456789012345',
        three_d_secure: { electronic_commerce_indicator: '05' },
      },
    },
  },
}
const stripeError = (type: string, code: string) => ({ error: { type, code, message: 'No.', param: null } })
const captured = { ...intent, status: 'succeeded', amount_capturable: 0, amount_received: 1250 }

const adyenError = (status: number, errorCode: string, errorType = 'validation'): [number, object] => [
  status,
  { status, errorCode, message: 'No.', errorType, pspReference: '8516091485743033' },
]
const adyenReceived = { merchantAccount: 'Shop', pspReference: 'QFQTPCQ8HXSKGK82', status: 'received', reference: 'REQ1' }

const specimens: Record<string, Specimen> = {
  ...processorSpecimens,
  stripe: {
    before: { authorize: [{ id: 'pm_1', object: 'payment_method' }] },
    harmless: /\/v1\/payment_methods$/,
    answers: {
      authorize: intent,
      capture: { ...captured, metadata: { request_id: 'REQ0', capture_REQ1: '1250' } },
      increment: { ...intent, metadata: { request_id: 'REQ0', increment_REQ1: '1250' } },
      void: { ...intent, status: 'canceled', amount_capturable: 0 },
      refund: {
        id: 're_1',
        object: 'refund',
        status: 'succeeded',
        amount: 1250,
        currency: 'usd',
        metadata: { request_id: 'REQ1' },
        failure_reason: null,
        destination_details: { card: { reference: '12345678901234567890123', reference_type: 'acquirer_reference_number' } },
      },
    },
    errors: [
      [400, stripeError('invalid_request_error', 'parameter_unknown')],
      [401, stripeError('invalid_request_error', 'api_key_expired')],
      [402, { error: { ...stripeError('card_error', 'card_declined').error, decline_code: 'generic_decline', payment_intent: intent } }],
      [403, stripeError('invalid_request_error', 'secret_key_required')],
      [404, stripeError('invalid_request_error', 'resource_missing')],
      [409, stripeError('idempotency_error', 'idempotency_key_in_use')],
      [429, stripeError('rate_limit_error', 'rate_limit')],
    ],
    authorized(amount, currency) {
      const theirs = counted(connectors.stripe!.accepts.counting!, { amount, currency }) as number
      const card = { ...intent.latest_charge.payment_method_details.card, amount_authorized: theirs }
      const latest_charge = { ...intent.latest_charge, payment_method_details: { card } }
      return { ...intent, amount: theirs, amount_capturable: theirs, currency: currency.toLowerCase(), latest_charge }
    },
  },
  adyen: {
    answers: {
      authorize: {
        pspReference: '993617895204576J',
        resultCode: 'Authorised',
        merchantReference: 'REQ1',
        amount: { value: 1250, currency: 'USD' },
        additionalData: { authCode: '044925', cvcResult: '1 Matches', refusalReasonRaw: 'AUTHORISED', eci: '07' },
      },
      capture: { ...adyenReceived, paymentPspReference: 'auth_1' },
      void: { ...adyenReceived, paymentReference: 'REQ0' },
      refund: { ...adyenReceived, paymentPspReference: 'auth_1' },
      increment: { ...adyenReceived, paymentPspReference: 'auth_1' },
      extend: { ...adyenReceived, paymentPspReference: 'auth_1' },
      post_capture_void: { ...adyenReceived, paymentPspReference: 'auth_1' },
    },
    received: { status: 201, verbs: ['capture', 'void', 'refund', 'increment', 'extend', 'post_capture_void'] },
    names: ['key1'],
    errors: [
      adyenError(400, '702'),
      adyenError(401, '000', 'security'),
      adyenError(403, '901', 'security'),
      adyenError(422, '101'),
      adyenError(429, '429'),
    ],
    authorized: (amount, currency) => ({
      pspReference: '993617895204576J',
      resultCode: 'Authorised',
      merchantReference: 'REQ1',
      amount: { value: amount, currency },
    }),
  },
  phonypay: {
    answers: {
      authorize: operation,
      capture: { ...operation, id: 'cap_1', type: 'capture' },
      void: { ...operation, id: 'void_1', type: 'void' },
      refund: { ...operation, id: 'ref_1', type: 'refund' },
      increment: { ...operation, id: 'inc_1', type: 'increment' },
      extend: { ...operation, id: 'ext_1', type: 'extension' },
      post_capture_void: {
        ...operation,
        id: 'rev_1',
        type: 'reversal',
        payment_state: { status: 'captured', authorized: 1250, captured: 1250, refunded: 1250 },
      },
      payout: { ...operation, type: 'payout' },
      cancel_payout: { ...operation, id: 'pcan_1', type: 'payout_cancel' },
    },
    errors: [
      [400, error('invalid_request')],
      [401, error('unauthorized')],
      [404, error('not_found')],
      [409, error('duplicate_reference')],
      [422, error('not_allowed')],
      [429, error('slow_down')],
    ],
  },
}

const NUMBER = '4929123412341234'
const CVC = '9137'
const KEY = 'sk_unspeakable_83kd'
const TOKEN = 'tk_unspeakable_29xz'

const accountOf = (connector: Connector, { names }: Specimen): Account => ({
  base_url: 'https://processor.example',
  credentials: Object.fromEntries(
    connector.credentials.members.map((name, i) => [name, new Secret(names?.includes(name) ? 'Shop' : `${KEY}${i || ''}`)]),
  ),
  webhook_secret: new Secret('whsec_unspeakable'),
  metadata: {},
})

type Told = { amount?: number; currency?: Currency; reference?: string | null }

/** One of each family. A connector is asked to authorize by each that it takes. */
const meansBy: { [F in FamilyName]: MeansOf<F> } = {
  card: { is: 'card', number: new Secret(NUMBER), exp_month: 12, exp_year: 2030, cvc: new Secret(CVC), holder: 'Ada Byron' },
  stored_card: { is: 'stored_card', reference: 'their_card_1', customer: 'their_customer_1', cvc: new Secret(CVC) },
  network_transaction_id: {
    is: 'network_transaction_id',
    number: new Secret(NUMBER),
    exp_month: 12,
    exp_year: 2030,
    holder: null,
    network_transaction_id: '123456789012345',
  },
  wallet: other('wallet', 'google_pay', 'google_pay', { 'info.card_details': '1111' }, { 'tokenization_data.token': TOKEN }),
  bank_redirect: other('bank_redirect', 'ideal', 'ideal', { bank_name: 'ing' }),
  bank_debit: other(
    'bank_debit',
    'ach',
    'ach_bank_debit',
    {},
    {
      account_number: '000123456789',
      routing_number: '110000000',
      bank_account_holder_name: 'Ada Byron',
    },
  ),
  bank_transfer: other('bank_transfer', 'sepa_bank_transfer', 'sepa_bank_transfer', { country: 'DE' }),
  pay_later: other('pay_later', 'klarna', 'klarna_redirect'),
  card_redirect: other('card_redirect', 'knet', 'knet'),
  crypto: other('crypto', 'crypto_currency', 'crypto', { pay_currency: 'LTC' }),
  upi: other('upi', 'upi_collect', 'upi_collect', {}, { vpa_id: 'ada.byron@upi' }),
  voucher: other('voucher', 'oxxo', 'oxxo'),
  gift_card: other('gift_card', 'givex', 'givex', {}, { number: '6036280000000000000', cvc: '122222' }),
  reward: other('reward', 'classic', 'reward'),
  real_time_payment: other('real_time_payment', 'fps', 'fps'),
  mobile_payment: other('mobile_payment', 'direct_carrier_billing', 'direct_carrier_billing', {}, { msisdn: '447700900123' }),
}

function other<F extends OtherFamily>(
  is: F,
  type: string,
  way: string,
  open: Record<string, string> = {},
  secrets: Record<string, string> = {},
): Other<F> {
  return { is, type, way, open, secrets: Object.fromEntries(Object.entries(secrets).map(([name, words]) => [name, new Secret(words)])) }
}

/** One of each payout type. */
const recipientBy: { [R in RecipientName]: Extract<Recipient, { is: R }> } = {
  card: { is: 'card', type: 'debit', number: new Secret(NUMBER), exp_month: 12, exp_year: 2030, holder: 'Ada Byron' },
  bank: {
    is: 'bank',
    type: 'sepa_bank_transfer',
    account: new Secret('DE89370400440532013000'),
    bank_code: null,
    bank_name: null,
    bic: null,
    tax_id: null,
    country: 'DE',
    holder: 'Ada Byron',
  },
  wallet: {
    is: 'wallet',
    type: 'venmo',
    account: new Secret('+254700000123'),
    by: 'telephone_number',
    exp_month: null,
    exp_year: null,
    holder: null,
  },
  bank_redirect: { is: 'bank_redirect', type: 'interac', account: new Secret('ada@example.com'), holder: null },
}

/** Authorizations by a card that the processor keeps: they know no number, and need not make it known first. */
const withoutNumber = new Set<() => Conversation>()
/** By a number without its security code: nobody could recognise one that a processor says. */
const withoutCode = new Set<() => Conversation>()

/** Each verb that the connector has, as a conversation about request REQ1. */
function verbs(connector: Connector, account: Account, { amount = 1250, currency = 'USD', reference = 'auth_1' }: Told = {}) {
  const money = { amount, currency }
  const about = { request_id: 'REQ1', authorization: { reference, request_id: 'REQ0' }, money }
  const authorize = (means: Means) => (): Conversation =>
    connector.authorize!(
      {
        request_id: 'REQ1',
        money,
        capture: 'manual',
        means,
        three_ds: 'request',
        return_url: 'https://shop.example/return',
        merchant_name: 'Chairs & Co',
        partial_approval: 'refuse',
        agreement: null,
        statement_descriptor: 'SHOP',
      },
      account,
    )
  const by = (name: FamilyName) => {
    const begin = authorize(meansBy[name])
    if (name !== 'card' && name !== 'network_transaction_id') withoutNumber.add(begin)
    if (name !== 'card') withoutCode.add(begin)
    return begin
  }
  const payTo = (name: RecipientName) => {
    const begin = (): Conversation =>
      connector.payout!(
        {
          request_id: 'REQ1',
          money,
          recipient: recipientBy[name],
          entity_type: 'Individual',
          priority: 'instant',
          merchant_name: 'Chairs & Co',
          description: 'March',
        },
        account,
      )
    withoutCode.add(begin)
    if (name !== 'card') withoutNumber.add(begin)
    return begin
  }
  const { capture, void: undo, refund, increment, extend, post_capture_void, payout, cancel_payout, accepts } = connector
  const all: [Verb, (() => Conversation) | undefined][] = [
    ...accepts.methods.map((name): [Verb, (() => Conversation) | undefined] => ['authorize', connector.authorize && by(name)]),
    ['capture', capture && (() => connector.capture!({ ...about, rest: 'release' }, account))],
    ['void', undo && (() => connector.void!(about, account))],
    ['refund', refund && (() => connector.refund!({ ...about, reason: 'damaged' }, account))],
    ['increment', increment && (() => connector.increment!(about, account))],
    ['extend', extend && (() => connector.extend!(about, account))],
    ['post_capture_void', post_capture_void && (() => connector.post_capture_void!(about, account))],
    ...(accepts.recipients ?? []).map((name): [Verb, (() => Conversation) | undefined] => ['payout', payout && payTo(name)]),
    ['cancel_payout', cancel_payout && (() => connector.cancel_payout!(about, account))],
  ]
  return all.filter((entry): entry is [Verb, () => Conversation] => entry[1] !== undefined)
}

/** What may be asked about each verb: with a lookup, if it has one; and of an authorization with what a customer brought, which may move money. */
const syncs = (connector: Connector, account: Account, references: (string | null)[] = ['auth_1', null]) =>
  (['authorize', 'capture', 'void', 'refund', 'increment', 'extend', 'post_capture_void', ...ofPayouts(connector)] as const).flatMap(verb =>
    references.flatMap(reference => (connector.sync ? [() => connector.sync!(askAbout(verb, reference), account)] : [])),
  )
const ofPayouts = ({ payout }: Connector) => (payout ? (['payout', 'cancel_payout'] as const) : [])

const returns = ({ returned }: Connector, account: Account) =>
  returned
    ? ['auth_1', null].map(reference => {
        const brought = Object.fromEntries(returned.brings.map(name => [name, 'what they say']))
        return () => returned.ask({ ...askAbout('authorize', reference), brought }, account)
      })
    : []

const askAbout = (verb: Verb, reference: string | null): SyncAsk => ({
  verb,
  request_id: 'REQ1',
  reference,
  money: { amount: 1250, currency: 'USD' },
  authorization: verb === 'authorize' || verb === 'payout' ? null : { reference: 'auth_1', request_id: 'REQ0' },
})

type Carried<T = Outcome> = {
  requests: Request[]
  /** Those that may have moved money: not one of which a 401 said that nothing happened, and that is said again with a new token. */
  moved: Request[]
  /** What was noted, and how many requests had gone out by then. */
  notes: { reference: string; after: number }[]
  outcome: T
}

/** Carries a conversation over these replies; the last one is repeated for as long as it asks. Who wants a token has it. */
function carryBy<T = Outcome>(movesMoney: (request: Request) => boolean, conversation: Conversation<T>, replies: Reply[]): Carried<T> {
  const requests: Request[] = []
  const notes: Carried['notes'] = []
  const moved: Request[] = []
  let reply: Reply | undefined
  let step = conversation.next()
  for (let lines = 0; !step.done; lines++) {
    assert.ok(lines <= 18, 'a conversation that does not end')
    const line = step.value
    if ('note' in line) {
      notes.push({ reference: line.note, after: requests.length })
      step = conversation.next(undefined as never)
    } else if ('fetch' in line) {
      if (line.instead_of !== null) {
        assert.ok(reply?.is === 'reply' && reply.status === 401, 'only a 401 says that a token is no good')
        if (movesMoney(requests.at(-1)!)) moved.pop()
      }
      step = conversation.next({ is: 'granted', token: new Secret(TOKEN), expires_in_s: 3600 } satisfies Grant as never)
    } else {
      requests.push(line)
      assert.ok(requests.length <= 6, 'a conversation of more than six requests')
      if (movesMoney(line)) moved.push(line)
      reply = replies[Math.min(requests.length, replies.length) - 1]!
      step = conversation.next(reply)
    }
  }
  return { requests, moved, notes, outcome: step.value }
}

/** However it is printed. */
const prints = (value: unknown) =>
  [JSON.stringify(value), inspect(value, { depth: 9, showHidden: true }), format('%o %j', value, value)].join()

const words = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    '__proto__',
    '<b>',
    NUMBER,
    `card ${NUMBER}, cvc ${CVC}`,
    `key ${KEY} is bad`,
    '4929 1234 1234 1234',
  ),
)
const anything = fc.oneof(words, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }))

type Json = { [name: string]: unknown }
/** Where in a body there is something to spoil. */
const placesOf = (body: Json, above: string[] = []): string[][] =>
  Object.entries(body).flatMap(([name, value]) => [
    [...above, name],
    ...(typeof value === 'object' && value !== null ? placesOf(value as Json, [...above, name]) : []),
  ])

/** The body with one to three members replaced or left out. */
const nearly = (body: object): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...placesOf(body as Json)), fc.option(anything, { nil: undefined })), {
      minLength: 1,
      maxLength: 3,
    })
    .map(changes => {
      const copy = structuredClone(body) as Json
      for (const [place, value] of changes) {
        let parent: unknown = copy
        for (const name of place.slice(0, -1)) parent = (parent as Json | null)?.[name]
        if (typeof parent === 'object' && parent !== null) (parent as Json)[place.at(-1)!] = value
      }
      return JSON.stringify(copy)
    })

const statuses = fc.oneof(fc.constantFrom(200, 200, 200, 400, 401, 402, 403, 404, 409, 422, 429), fc.integer({ min: 200, max: 599 }))
const junk = fc.oneof(
  words,
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('{}', '[]', 'null', '{"error":{}}', '<html><body>Error</body></html>'),
)

const arbitraryReply = ({ answers, errors }: Specimen): fc.Arbitrary<Reply> =>
  fc
    .tuple(statuses, fc.oneof(junk, ...Object.values(answers).map(nearly), ...errors.map(([, body]) => nearly(body))))
    .map(([status, body]) => ({ is: 'reply', status, headers: {}, body }))

const wellFormed = (text: string, longest: number) => text.length <= longest && text.isWellFormed() && !/[\p{Cc}<>]/u.test(text)

/** An outcome may be stored and shown as it is. `secrets` is what the conversation knew. */
function isPresentable(outcome: Outcome, secrets: string[]): void {
  const printed = prints(outcome)
  for (const secret of secrets) assert.ok(!printed.includes(secret), printed)
  if ('reference' in outcome && outcome.reference !== null) assert.match(outcome.reference, /^[\x21-\x7e]{1,128}$/)
  if (outcome.is === 'done') {
    for (const money of [outcome.amount, outcome.captured === 'as asked' ? null : outcome.captured]) {
      if (money === null) continue
      assert.ok(Number.isSafeInteger(money.amount) && money.amount >= 0 && Object.hasOwn(currencies, money.currency))
    }
  }
  if (outcome.is === 'declined') {
    assert.ok(declineCodes.includes(outcome.code))
    assert.ok(wellFormed(outcome.said, 255) && wellFormed(outcome.code_said, 64), inspect(outcome))
    assert.doesNotMatch(outcome.said, /4929.?1234.?1234.?1234/)
    if (secrets.includes(CVC)) assert.ok(!outcome.said.includes(CVC))
  }
  const onward = outcome.is === 'waiting' && outcome.next_action ? onwardOf(outcome.next_action) : null
  if (onward !== null) assert.match(onward, /^https?:\/\//)
}

test('a name that is no connector gives none', () => {
  for (const name of ['constructor', '__proto__', 'toString', '']) assert.equal(connectors[name], undefined)
})

test('a connector under another name is the same in everything else', () => {
  for (const [name, { name: _own, ...rest }] of Object.entries(alsoCalled)) {
    const { name: said, ...all } = connectors[name]!
    assert.equal(said, name)
    assert.deepEqual(all, rest)
  }
})

for (const [name, connector] of Object.entries(connectors)) {
  // What is the same has the same manners.
  if (name in alsoCalled) continue
  const specimen = specimens[name]
  assert.ok(specimen, `${name} has no specimens`)
  const account = accountOf(connector, specimen)
  const movesMoney = ({ method, url }: Request) => method !== 'GET' && !specimen.harmless?.test(url)
  const carry = <T = Outcome>(conversation: Conversation<T>, ...replies: Reply[]) => carryBy<T>(movesMoney, conversation, replies)
  /** Carries a verb over what comes before the request that moves its money, and then over these. */
  const beforeOf = (verb: Verb, begin: () => Conversation) => (withoutNumber.has(begin) ? [] : (specimen.before?.[verb] ?? []))
  const answered = (verb: Verb, begin: () => Conversation, ...replies: Reply[]) =>
    carry(begin(), ...beforeOf(verb, begin).map(body => replied(200, body)), ...replies)
  const isReceived = (verb: Verb) => specimen.received?.verbs.includes(verb) ?? false
  const statusOf = (verb: Verb) => (isReceived(verb) ? specimen.received!.status : 200)
  const good = (verb: Verb) => replied(statusOf(verb), specimen.answers[verb])
  /** How many times a verb may be said at most: again only the same, under the same key. */
  const differ = (moved: Request[]) => new Set(moved.map(request => JSON.stringify(request))).size
  const everyVerb = verbs(connector, account)
  /** What has no name there has moved nothing, where names are noted first: nobody need be asked. */
  const isNameless = (requests: Request[], { is }: Outcome) =>
    connector.accepts.lookup === 'by reference' && requests.length === 0 && is === 'not_found'
  const anyReply = arbitraryReply(specimen)

  test(`${name}: its name is the one it is found by, and each verb has a good answer to show`, () => {
    assert.equal(connector.name, name)
    for (const [verb, begin] of everyVerb)
      assert.equal(answered(verb, begin, good(verb)).outcome.is, isReceived(verb) ? 'waiting' : 'done', verb)
  })

  test(`${name}: it says truly whether a creation may be resent and how it can be looked up`, () => {
    const { idempotent_ms, lookup, in_flight_ms } = connector.accepts
    assert.ok(in_flight_ms >= 80_000, 'the longest exchange and a minute')
    for (const [verb, begin] of everyVerb) {
      const keys = answered(verb, begin, good(verb))
        .requests.filter(movesMoney)
        .map(request => request.headers['idempotency-key'])
      assert.deepEqual([...new Set(keys)], [idempotent_ms > 0 ? 'REQ1' : undefined], verb)
    }
    // What acts on an authorization may be asked about by that.
    const asks = (reference: string | null, word: string) =>
      syncs(connector, account, [reference]).every((begin, i) =>
        carry(begin(), silence).requests.some(
          ({ url, body }) => `${url} ${body}`.includes(word) || (i > 0 && /auth_1|REQ0/.test(`${url} ${body}`)),
        ),
      )
    assert.equal(connector.sync !== undefined, lookup !== 'none')
    if (!connector.sync) return
    // By their name where there is one, or by ours all the same.
    assert.ok(asks('their_1', 'their_1') || (lookup === 'by request id' && asks('their_1', 'REQ1')))
    assert.equal(asks(null, 'REQ1') || specimen.searches === true, lookup === 'by request id')
  })

  test(`${name}: what a customer brought is not believed: no answer that is an error makes a no of it`, () => {
    for (const begin of returns(connector, account)) {
      for (const [status, body] of specimen.errors) assert.equal(carry(begin(), replied(status, body)).outcome.is, 'unknown', `${status}`)
    }
  })

  test(`${name}: the same ask is the same request`, () => {
    for (const [verb, begin] of everyVerb) {
      const [request] = answered(verb, begin, good(verb)).requests.filter(movesMoney)
      assert.deepEqual(answered(verb, begin, good(verb)).requests.filter(movesMoney), [request])
    }
  })

  test(`${name}: at most one request of a conversation moves money, whatever is answered; a lookup moves none`, () => {
    const replies = fc.array(fc.oneof(anyReply, fc.constantFrom(silence, notSent)), { minLength: 1, maxLength: 3 })
    const begins = [...everyVerb, ...verbs(connector, account, { reference: null })]
    fc.assert(
      fc.property(replies, heard => {
        for (const [, begin] of begins) assert.ok(differ(carry(begin(), ...heard).moved) <= 1)
        for (const begin of returns(connector, account)) assert.ok(differ(carry(begin(), ...heard).moved) <= 1)
        for (const begin of syncs(connector, account)) assert.ok(!carry(begin(), ...heard).requests.some(movesMoney))
      }),
      { numRuns: 200 },
    )
  })

  test(`${name}: a reference once noted is never lost`, async () => {
    const replies = fc.oneof(anyReply, fc.constantFrom(silence, notSent))
    for (const begin of [...everyVerb.map(([, begin]) => begin), ...syncs(connector, account), ...returns(connector, account)])
      await keepsNames(connector, begin, replies)
  })

  test(`${name}: an amount arrives to the last digit, in currencies of 0, 2, 3 and 4 decimals`, () => {
    const { counting } = connector.accepts
    for (const currency of ['JPY', 'USD', 'KWD', 'CLF'] as const) {
      for (const amount of [1, 10, 1000, 1001, 123_456_789, Number.MAX_SAFE_INTEGER - 1]) {
        for (const [verb, begin] of verbs(connector, account, { amount, currency })) {
          // These concern all that is held, or all that was taken.
          if (verb === 'void' || verb === 'extend' || verb === 'post_capture_void' || verb === 'cancel_payout') continue
          const { requests } = answered(verb, begin, good(verb))
          // What cannot be expressed is not sent at all.
          if (whyNotCounted(counting, { amount, currency }) !== null) {
            assert.deepEqual(requests, [], `${verb} ${amount} ${currency}`)
            continue
          }
          const bodies = requests.flatMap(({ body }) => body ?? [])
          assert.ok(
            written(counting, { amount, currency }).some(form => bodies.some(body => `${body}&`.includes(form))),
            `${verb} ${amount} ${currency}: ${bodies}`,
          )
        }
        if (whyNotCounted(counting, { amount, currency }) !== null) continue
        const echoed = specimen.authorized?.(amount, currency) ?? { ...specimen.answers.authorize, amount, currency }
        const { outcome } = answered('authorize', everyVerb[0]![1], replied(200, echoed))
        assert.ok(outcome.is === 'done')
        assert.deepEqual(outcome.amount, { amount, currency })
      }
    }
  })

  test(`${name}: a card, its code and the keys are only in the request that needs them, and never in its address`, () => {
    for (const [verb, begin] of everyVerb) {
      const conflict = replied(409, specimen.errors.find(([status]) => status === 409)?.[1] ?? {})
      const { requests } = answered(verb, begin, conflict, silence)
      for (const request of requests) {
        for (const secret of [NUMBER, CVC, KEY]) assert.ok(!request.url.includes(secret))
        for (const secret of [NUMBER, CVC]) assert.ok(!JSON.stringify(request.headers).includes(secret))
        assert.ok(!request.body?.includes(KEY))
      }
      for (const secret of [NUMBER, CVC]) {
        const bring = requests.filter(({ body }) => body?.includes(secret))
        // What the processor keeps has no number, and who is not there no code.
        const most = verb === 'authorize' || verb === 'payout' ? 1 : 0
        assert.ok(differ(bring) <= most, verb)
        if (verb === 'authorize' && begin === everyVerb[0]![1] && connector.accepts.methods[0] === 'card') assert.equal(differ(bring), 1)
      }
    }
    for (const secret of [NUMBER, CVC, KEY]) assert.ok(!prints([account, everyVerb.map(([, begin]) => begin())]).includes(secret))
  })

  test(`${name}: whatever is answered, there is an outcome that may be stored and shown`, () => {
    fc.assert(
      fc.property(anyReply, anyReply, (first, second) => {
        for (const [verb, begin] of everyVerb) {
          for (const { outcome } of [carry(begin(), first, second), answered(verb, begin, first, second)]) {
            const numbers =
              (verb === 'authorize' || verb === 'payout') && !withoutNumber.has(begin)
                ? withoutCode.has(begin)
                  ? [NUMBER]
                  : [NUMBER, CVC]
                : []
            isPresentable(outcome, [KEY, ...numbers])
            assert.ok(outcome.is !== 'not_found' && outcome.is !== 'lapsed', 'an answer to sync only')
          }
        }
        for (const begin of [...syncs(connector, account), ...returns(connector, account)])
          isPresentable(carry(begin(), first, second).outcome, [KEY])
      }),
      { numRuns: 1000 },
    )
  })

  test(`${name}: a reply that it does not understand is unknown`, () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), junk, (status, body) => {
        const reply: Reply = { is: 'reply', status, headers: {}, body }
        for (const [verb, begin] of everyVerb) assert.equal(answered(verb, begin, reply).outcome.is, 'unknown', verb)
        for (const begin of [...syncs(connector, account), ...returns(connector, account)]) {
          const { requests, outcome } = carry(begin(), reply)
          assert.ok(outcome.is === 'unknown' || isNameless(requests, outcome), outcome.is)
        }
      }),
      { numRuns: 500 },
    )
    for (const [verb, begin] of everyVerb) {
      const text: string = JSON.stringify(specimen.answers[verb])
      for (let cut = 0; cut < text.length; cut += 7) {
        assert.equal(answered(verb, begin, replied(statusOf(verb), text.slice(0, cut))).outcome.is, 'unknown', `${verb} cut at ${cut}`)
      }
      for (const status of [201, 202, 204, 301, 302, 307, 308, 408, 418, 500, 502, 503, 504]) {
        if (status === statusOf(verb)) continue
        for (const body of [...Object.values(specimen.answers), ...specimen.errors.map(([, error]) => error)]) {
          assert.equal(answered(verb, begin, replied(status, body)).outcome.is, 'unknown', `${verb} ${status}`)
        }
      }
    }
  })

  test(`${name}: only a whole good answer is a yes`, () => {
    fc.assert(
      fc.property(statuses, junk, (status, body) => {
        for (const [verb, begin] of everyVerb) {
          const { outcome } = answered(verb, begin, { is: 'reply', status, headers: {}, body })
          assert.notEqual(outcome.is, 'done')
          assert.notEqual(outcome.is, 'waiting')
        }
      }),
      { numRuns: 500 },
    )
  })

  test(`${name}: silence is unknown, and what never left is not sent; a lookup that failed tells nothing`, () => {
    for (const [verb, begin] of everyVerb) {
      assert.equal(answered(verb, begin, silence).outcome.is, 'unknown', verb)
      assert.equal(answered(verb, begin, notSent).outcome.is, 'not_sent', verb)
      if (beforeOf(verb, begin).length > 0)
        for (const reply of [silence, notSent]) assert.equal(carry(begin(), reply).outcome.is, 'not_sent', verb)
    }
    const broke = { ...account, credentials: {} }
    const questions = [account, broke].flatMap(one => [...syncs(connector, one), ...returns(connector, one)])
    for (const begin of questions) {
      for (const reply of [silence, notSent]) {
        const { requests, outcome } = carry(begin(), reply)
        assert.ok(outcome.is === 'unknown' || isNameless(requests, outcome), outcome.is)
      }
    }
  })

  test(`${name}: an account without its keys moves no money and throws nothing`, () => {
    for (const [verb, begin] of verbs(connector, { ...account, credentials: {} })) {
      const { requests, outcome } = carry(begin(), notSent)
      assert.deepEqual(requests, [], verb)
      assert.ok(outcome.is === 'declined' && outcome.code === 'configuration')
    }
  })

  const keysOf = ({ credentials }: Account) => Object.values(credentials).map(key => key.reveal())
  test(`${name}: what is asked about an account itself shows no key, and only a whole good answer is a yes`, () => {
    const questions = (whose: Account) => [
      ...(connector.verify ? [() => connector.verify!(whose, 'REQ1')] : []),
      ...(connector.webhook?.register ? [() => connector.webhook!.register!('https://shop.example/webhooks/m/mca_1', whose)] : []),
    ]
    for (const begin of questions(account)) {
      const said = (reply: Reply) => {
        const { requests, outcome } = carry<Verdict | Registered>(begin(), reply)
        for (const { url } of requests) assert.ok(!keysOf(account).some(key => url.includes(key)))
        return outcome.is
      }
      for (const reply of [silence, notSent]) assert.equal(said(reply), 'unknown')
      fc.assert(fc.property(statuses, junk, (status, body) => assert.equal(said({ is: 'reply', status, headers: {}, body }), 'unknown')))
    }
    for (const begin of questions({ ...account, credentials: {}, webhook_secret: null }))
      assert.equal(carry<Verdict | Registered>(begin(), silence).outcome.is, 'refused')
  })

  const webhook = connector.webhook
  if (webhook)
    test(`${name}: a webhook of any bytes and headers is refused or read, never thrown at`, () => {
      fc.assert(
        fc.property(
          fc.oneof(fc.uint8Array({ maxLength: 60 }), junk.map(Buffer.from)),
          fc.dictionary(words, words),
          words,
          (bytes, headers, said) => {
            const raw = Buffer.from(bytes)
            for (const header of ['x-sandbox-signature', 'stripe-signature', 'bridge-signature', 'signature']) {
              assert.equal(
                webhook.verify(raw, { ...headers, [header]: said }, account, '2026-03-01T10:00:00.000Z'),
                specimen.unsigned === true,
              )
            }
            assert.deepEqual(webhook.read(raw), [])
          },
        ),
        { numRuns: 300 },
      )
    })
}

/** How an amount may be written on the wire: in the processor's smallest unit, or as a decimal with all its digits. */
function written(counting: Counting | undefined, money: Money): string[] {
  const amount = counting ? counted(counting, money) : money.amount
  const decimals = counting?.decimals[money.currency] ?? currencies[money.currency]
  const digits = String(amount).padStart(decimals + 1, '0')
  const decimal = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return [`:${amount},`, `:${amount}}`, `:${decimal},`, `:${decimal}}`, `"${decimal}"`, `=${amount}&`]
}

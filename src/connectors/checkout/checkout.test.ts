import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { accountAt, cardAsk, holds, type Row } from '../../../test/card-ask.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import type { Account, AuthorizeRequest, ContestRequest, RequestOf, SyncRequest } from '../connector.ts'
import { checkout } from './connector.ts'
import type { CheckoutTakes } from './requests.ts'

const account = accountAt(
  'https://api.checkout.com',
  { api_key: 'pk_abc_public', key1: 'pc_channel', api_secret: 'sk_abc_secret' },
  {},
  'signing',
)
const money = { amount: 1250, currency: 'USD' } as const
const payment = {
  ...{ id: 'pay_1', action_id: 'act_1', amount: 1250, currency: 'USD', approved: true, status: 'Authorized', reference: 'REQ1' },
  ...{ response_code: '10000', response_summary: 'Approved', scheme_id: '638284745624527', auth_code: '643381', eci: '05' },
  source: { id: 'src_1', type: 'card', avs_check: 'Y', cvv_check: 'Y' },
}
const ask = (more: Partial<AuthorizeRequest<CheckoutTakes>> = {}): AuthorizeRequest<CheckoutTakes> => ({ ...cardAsk(), ...more })
const bodyOf = (more: Partial<AuthorizeRequest<CheckoutTakes>> = {}) =>
  JSON.parse(rehearse(checkout.authorize(ask(more), account), [replied(201, payment)]).requests[0]!.body!)

test('a payment is one request with our idempotency key and the secret key, to the address with the account prefix', () => {
  const { requests, outcome } = rehearse(checkout.authorize(ask(), { ...account, metadata: { endpoint_prefix: 'abcd1234' } }), [
    replied(201, payment),
  ])
  equal(requests[0]!.url, 'https://abcd1234.api.checkout.com/payments')
  deepEqual(requests[0]!.headers, {
    authorization: 'Bearer sk_abc_secret',
    'content-type': 'application/json',
    'cko-idempotency-key': 'REQ1',
  })
  deepEqual(JSON.parse(requests[0]!.body!), {
    source: { type: 'card', number: '4242424242424242', expiry_month: 3, expiry_year: 2040, cvv: '737' },
    amount: 1250,
    currency: 'USD',
    reference: 'REQ1',
    processing_channel_id: 'pc_channel',
    capture: true,
    '3ds': { enabled: false },
    success_url: 'https://shop.example/return',
    failure_url: 'https://shop.example/return',
  })
  deepEqual(outcome, {
    is: 'done',
    reference: 'pay_1',
    request_id: 'REQ1',
    amount: money,
    captured: 'as asked',
    facts: {
      network_transaction_id: '638284745624527',
      authorization_code: '643381',
      eci: '05',
      avs_result: 'Y',
      cvc_result: 'Y',
      connector_mandate_id: 'src_1/pay_1',
    },
  })
})

test('a statement descriptor is sent with the city that the account configures, or not at all', () => {
  equal(bodyOf({ statement_descriptor: 'CHAIRS' }).billing_descriptor, undefined)
  const of = { ...account, metadata: { descriptor_city: 'London' } }
  const { requests } = rehearse(checkout.authorize(ask({ statement_descriptor: 'CHAIRS' }), of), [replied(201, payment)])
  deepEqual(JSON.parse(requests[0]!.body!).billing_descriptor, { name: 'CHAIRS', city: 'London' })
})

test('3-D Secure can be requested, required, replaced by external authentication data, or exempted', () => {
  const cavv = 'AgAAAAAAAIR8CQrXcIhbQAAAAAA='
  const rows: [Partial<AuthorizeRequest<CheckoutTakes>>, object][] = [
    [{ three_ds: 'request' }, { enabled: true, attempt_n3d: true }],
    [{ three_ds: 'challenge' }, { enabled: true, challenge_indicator: 'challenge_requested_mandate' }],
    [{ exemption: 'transaction_risk_analysis' }, { enabled: false, exemption: 'transaction_risk_assessment' }],
    [
      { three_ds_result: { status: 'Y', eci: '05', cavv: new Secret(cavv), ds_transaction_id: 'ds-1', version: '2.2.0' } },
      { enabled: true, eci: '05', cryptogram: cavv, xid: 'ds-1', version: '2.2.0' },
    ],
  ]
  for (const [more, expected] of rows) deepEqual(bodyOf(more)['3ds'], expected)
})

test('later charges name the saved card and its first payment, or the network transaction id', () => {
  const used = { stored_credential: { is: 'used', mit_category: 'recurring', customer: null } } as const
  const stored = bodyOf({ ...used, instrument: { is: 'stored_card', reference: 'src_1/pay_1', customer: null, cvc: null } })
  deepEqual(
    [stored.source, stored.payment_type, stored.merchant_initiated, stored.previous_payment_id],
    [{ type: 'id', id: 'src_1' }, 'Recurring', true, 'pay_1'],
  )
  const agreed = {
    is: 'network_transaction_id',
    number: new Secret('4242424242424242'),
    exp_month: 3,
    exp_year: 2040,
    holder: null,
  } as const
  const { source, previous_payment_id } = bodyOf({ ...used, instrument: { ...agreed, network_transaction_id: '638284745624527' } })
  deepEqual([source.stored, source.cvv, previous_payment_id], [true, undefined, '638284745624527'])
  const made = bodyOf({ stored_credential: { is: 'made', usage: 'off_session', customer: 'ada' } })
  deepEqual([made.source.store_for_future_use, made.payment_type, made.merchant_initiated], [true, 'Unscheduled', false])
})

const other = (is: string, way: string, type: string, secrets: Record<string, string> = {}) =>
  ({
    is,
    way,
    type,
    open: {},
    secrets: Object.fromEntries(Object.entries(secrets).map(([name, text]) => [name, new Secret(text)])),
  }) as never

test('an Apple Pay token is exchanged with the public key, and charged with the secret key and our idempotency key', () => {
  const data = { version: 'EC_v1', data: 'sealed-by-apple', signature: 'abcdef', header: { transactionId: 't' } }
  const instrument = other('wallet', 'apple_pay', 'apple_pay', { payment_data: Buffer.from(JSON.stringify(data)).toString('base64') })
  const begin = () => checkout.authorize(ask({ instrument }), account)
  const { requests, outcome } = rehearse(begin(), [replied(201, { type: 'applepay', token: 'tok_1' }), replied(201, payment)])
  const [exchange, pays] = requests
  deepEqual([exchange!.url, exchange!.headers.authorization], ['https://api.checkout.com/tokens', 'Bearer pk_abc_public'])
  deepEqual(JSON.parse(exchange!.body!), { type: 'applepay', token_data: data })
  deepEqual([pays!.headers.authorization, pays!.headers['cko-idempotency-key']], ['Bearer sk_abc_secret', 'REQ1'])
  deepEqual(JSON.parse(pays!.body!).source, { type: 'token', token: 'tok_1' })
  equal(outcome.is, 'done')
  equal(rehearse(begin(), [silence]).outcome.is, 'not_sent', 'a token moves nothing')
  equal(rehearse(begin(), [replied(201, { token: 'tok_1' }), silence]).outcome.is, 'unknown')
  const unread = other('wallet', 'apple_pay', 'apple_pay', { payment_data: 'none' })
  deepEqual(rehearse(checkout.authorize(ask({ instrument: unread }), account), []).requests, [])
})

test('a bank redirect payment is its own source, and redirects the customer', () => {
  const page = { _links: { redirect: { href: 'https://bank.example/1' } } }
  const instrument = other('bank_redirect', 'ideal', 'ideal')
  const { requests, outcome } = rehearse(checkout.authorize(ask({ instrument }), account), [
    replied(202, { id: 'pay_1', status: 'Pending', reference: 'REQ1', ...page }),
  ])
  const { source, '3ds': threeDs } = JSON.parse(requests[0]!.body!)
  deepEqual([source, threeDs], [{ type: 'ideal', description: 'REQ1' }, undefined])
  deepEqual(outcome, { is: 'waiting', reference: 'pay_1', next_action: { type: 'redirect_to_url', url: 'https://bank.example/1' } })
})

const asked: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: 'pay_1', money, authorization: null }
const balances = { total_authorized: 1250, total_captured: 500, available_to_capture: 750 }

const debit = {
  instrument: {
    ...{ is: 'bank_debit', way: 'sepa_bank_debit', type: 'sepa', open: {} },
    secrets: { iban: new Secret('DE89 3704 0044 0532 0130 00') },
  } as never,
  money: { amount: 1250, currency: 'EUR' } as const,
  acceptance: { acceptance_type: 'online', accepted_at: '2026-03-01T09:00:00.000Z' },
}
const home = { line1: '1 Way', line2: 'Top of the house', city: 'Here', zip: '12345', country: 'DE' } as const
const ada = { first_name: 'Ada', last_name: 'Byron' }
const drawn = (billing: object, ...replies: Parameters<typeof rehearse>[1]) =>
  rehearse(checkout.authorize(ask({ ...debit, purchase: { billing } }), account), replies)
const euros = { currency: 'EUR', source: { type: 'sepa' } }

test('a SEPA debit is sent with our reference as mandate id, the signature date, and the payer’s full address', () => {
  const { requests, outcome } = drawn({ ...ada, ...home }, replied(202, { id: 'pay_1', status: 'Pending', reference: 'REQ1' }))
  equal(requests.length, 1)
  deepEqual(JSON.parse(requests[0]!.body!).source, {
    ...{ type: 'sepa', country: 'DE', account_number: 'DE89370400440532013000', currency: 'EUR' },
    ...{ mandate_id: 'REQ1', date_of_signature: '2026-03-01' },
    account_holder: {
      ...ada,
      billing_address: { address_line1: '1 Way', address_line2: 'Top of the', city: 'Here', zip: '12345', country: 'DE' },
    },
  })
  deepEqual(outcome, { is: 'waiting', reference: 'pay_1' })
  equal(drawn({ ...ada, ...home }, silence).outcome.is, 'unknown')
})

test('a direct debit that the bank accepted is pending, and is paid only once it is captured', () => {
  for (const source of [{ source: undefined }, euros])
    equal(drawn({ ...ada, ...home }, replied(201, { ...payment, ...euros, ...source })).outcome.is, 'waiting')
  const look = (more: object) => rehearse(checkout.sync(asked, account), [replied(200, { ...payment, ...euros, ...more })]).outcome
  const paid = { ...balances, total_captured: 1250, available_to_capture: 0 }
  deepEqual(
    [
      look({}),
      look({ status: 'Captured', balances: paid }),
      look({ status: 'Declined' }),
      look({ status: 'Returned', balances: paid }),
      look({ status: 'Returned' }),
    ].map(({ is }) => is),
    ['waiting', 'done', 'declined', 'done', 'declined'],
  )
})

test('a direct debit that the bank returns is a lost dispute', () => {
  const data = { id: 'pay_1', action_id: 'act_9', reference: 'REQ1' }
  const [, update] = checkout.webhook.read(Buffer.from(JSON.stringify({ type: 'payment_returned', data })))
  deepEqual(update, { is: 'dispute', dispute: 'ask', reference: 'pay_1/act_9', of: [{ request_id: 'REQ1', verb: 'authorize' }] })
  const look = (...replies: Parameters<typeof rehearse>[1]) => rehearse(checkout.read_dispute('pay_1/act_9', account), replies).outcome
  const paid = replied(200, { ...payment, ...euros, status: 'Captured' })
  const made = { id: 'act_1', type: 'Authorization', approved: true, amount: 1250, response_code: '10000' }
  const back = { id: 'act_9', type: 'Return', approved: true, amount: 1250, response_code: '20051' }
  deepEqual(look(paid, replied(200, [back, made])), {
    is: 'dispute',
    of: [
      { request_id: 'REQ1', verb: 'authorize' },
      { reference: 'pay_1', verb: 'authorize' },
    ],
    dispute: {
      ...{ reference: 'pay_1/act_9', stage: 'dispute', status: 'dispute_lost', said: 'Return', reason: null, reason_code: '20051' },
      ...{ amount: { amount: 1250, currency: 'EUR' }, respond_by: null, created: null, updated: null },
    },
  })
  equal(look(paid, replied(200, [made])).is, 'unknown')
  equal(look(paid, silence).is, 'unknown')
  equal(look(silence).is, 'unknown')
  equal(look(replied(404, '')).is, 'not_found')
})

test('each payment status gives its outcome when it is polled', () => {
  const rows: Row[] = [
    [{ status: 'Captured', balances: { ...balances, total_captured: 1250, available_to_capture: 0 } }, 'done', { captured: money }],
    [{ status: 'Partially Captured', balances }, 'done', { captured: { amount: 500, currency: 'USD' } }],
    [{ status: 'Partially Captured' }, 'unknown', {}],
    [{ status: 'Voided' }, 'lapsed', {}],
    [{ status: 'Expired', balances }, 'lapsed', {}],
    [{ status: 'Expired' }, 'declined', { code: 'authentication_failed' }],
    [{ status: 'Canceled' }, 'declined', { code: 'authentication_failed' }],
    [{ status: 'Declined', response_code: '20051' }, 'declined', { code: 'insufficient_funds', processor_code: '20051' }],
    [{ status: 'Pending' }, 'waiting', {}],
    [{ status: 'Something new' }, 'unknown', {}],
  ]
  holds(rows, more => rehearse(checkout.sync(asked, account), [replied(200, { ...payment, ...more })]).outcome)
})

test('a payment is found by our reference; no match is not found until the list has caught up, and two are unknown', () => {
  const found = (...data: object[]) =>
    rehearse(checkout.sync({ ...asked, reference: null }, account), [replied(200, { total_count: data.length, data })])
  equal(found(payment).outcome.is, 'done')
  equal(found(payment).requests[0]!.url, 'https://api.checkout.com/payments?limit=10&reference=REQ1')
  deepEqual(found({ ...payment, reference: 'REQ10' }).outcome, { is: 'not_found', lags_ms: 3_600_000 })
  equal(found(payment, { ...payment, id: 'pay_2' }).outcome.is, 'unknown')
})

test('a capture is only received, and its outcome is read from the payment actions', () => {
  const about = { request_id: 'REQ2', authorization: { reference: 'pay_1', request_id: 'REQ1' }, money }
  const received = replied(202, { action_id: 'act_2', reference: 'REQ2' })
  const { requests, outcome } = rehearse(checkout.capture({ ...about, rest: 'keep' }, account), [received])
  deepEqual(JSON.parse(requests[0]!.body!), { amount: 1250, capture_type: 'NonFinal', reference: 'REQ2' })
  deepEqual(outcome, { is: 'waiting', reference: 'act_2' })
  equal(rehearse(checkout.void(about, account), [silence]).outcome.is, 'unknown')
  equal(rehearse(checkout.refund({ ...about, reason: null }, account), [replied(403, '')]).outcome.is, 'declined')
  const action = { id: 'act_2', type: 'Capture', amount: 1250, approved: true, response_code: '10000', reference: 'REQ2' }
  const first = { id: 'act_1', type: 'Authorization', amount: 1250, approved: true, response_code: '10000', reference: 'REQ1' }
  const became = (reference: string | null, ...actions: object[]) =>
    rehearse(checkout.sync({ verb: 'capture', request_id: 'REQ2', reference, money, authorization: about.authorization }, account), [
      replied(200, [...actions, first]),
    ]).outcome.is
  equal(became('act_2', action), 'done')
  equal(became(null, action), 'done', 'its answer was lost')
  equal(became('act_2', { ...action, approved: false }), 'declined')
  equal(became('act_2'), 'waiting')
  equal(became(null), 'not_found')
  equal(became('act_2', { ...action, type: 'Refund' }), 'waiting', 'that is another')
})

test('an increment requests the difference to the amount authorized now; a lost response leaves it unknown, and is not repeated', () => {
  const raise = (amount: number, ...replies: Parameters<typeof rehearse>[1]) =>
    rehearse(
      checkout.increment(
        { request_id: 'REQ3', authorization: { reference: 'pay_1', request_id: 'REQ1' }, money: { amount, currency: 'USD' } },
        account,
      ),
      replies,
    )
  const holding = replied(200, { ...payment, balances: { total_authorized: 1500 } })
  const raised = { ...{ action_id: 'act_3', amount: 500, currency: 'USD', approved: true, status: 'Authorized' }, reference: 'REQ3' }
  const inAll = { ...raised, response_code: '10000', balances: { total_authorized: 2000 } }
  const { requests, outcome } = raise(2000, holding, replied(201, inAll))
  deepEqual(
    [requests[1]!.url, requests[1]!.headers['cko-idempotency-key']],
    ['https://api.checkout.com/payments/pay_1/authorizations', 'REQ3'],
  )
  deepEqual(JSON.parse(requests[1]!.body!), { amount: 500, reference: 'REQ3' })
  ok(outcome.is === 'done')
  deepEqual([outcome.reference, outcome.amount], ['act_3', { amount: 2000, currency: 'USD' }])
  const rows: [Parameters<typeof rehearse>[1], string][] = [
    [[silence], 'not_sent'],
    [[replied(200, payment)], 'not_sent'],
    [[replied(200, { ...payment, balances: { total_authorized: 2000 } })], 'declined'],
    [[replied(200, { ...payment, status: 'Captured', balances: { total_authorized: 1500 } })], 'declined'],
    [[holding, silence], 'unknown'],
    [[holding, replied(403, '')], 'declined'],
    [[holding, replied(201, { ...inAll, approved: false, status: 'Declined' })], 'declined'],
    [[holding, replied(201, { ...inAll, reference: 'REQ1' })], 'unknown'],
  ]
  for (const [replies, is] of rows) equal(raise(2000, ...replies).outcome.is, is)
  const two = { amount: 2000, currency: 'USD' } as const
  const asked = {
    verb: 'increment',
    request_id: 'REQ3',
    reference: null,
    money: two,
    authorization: { reference: 'pay_1', request_id: 'REQ1' },
  } as const
  const first = { id: 'act_1', type: 'Authorization', amount: 1500, approved: true, response_code: '10000', reference: 'REQ1' }
  const became = (...actions: object[]) => rehearse(checkout.sync(asked, account), [replied(200, [...actions, first])]).outcome
  const found = became({ ...first, id: 'act_3', amount: 500, reference: 'REQ3' })
  deepEqual(found.is === 'done' && found.amount, two)
  equal(became().is, 'not_found')
  equal(bodyOf({ later: ['increment'] }).authorization_type, 'Estimated')
})

test('webhooks are signed over their raw bytes, and only trigger a poll', () => {
  const raw = Buffer.from(
    JSON.stringify({ id: 'evt_1', type: 'payment_captured', data: { id: 'pay_1', action_id: 'act_2', reference: 'REQ2' } }),
  )
  const signature = createHmac('sha256', 'signing').update(raw).digest('hex')
  ok(checkout.webhook.verify(raw, { 'cko-signature': signature }, account))
  ok(!checkout.webhook.verify(Buffer.concat([raw, Buffer.from(' ')]), { 'cko-signature': signature }, account))
  deepEqual(checkout.webhook.read(raw), [
    {
      is: 'outcome',
      of: [
        { reference: 'act_2', verb: 'capture' },
        { request_id: 'REQ2', verb: 'capture' },
      ],
      outcome: 'ask',
      otherwise: {
        is: 'payment',
        of: [
          { request_id: 'REQ2', verb: 'authorize' },
          { reference: 'pay_1', verb: 'authorize' },
        ],
        report: 'ask',
      },
    },
  ])
  deepEqual(checkout.webhook.read(Buffer.from('{"type":"dispute_received","data":{"id":"dsp_1"}}')), [
    { is: 'dispute', dispute: 'ask', reference: 'dsp_1' },
  ])
  deepEqual(checkout.webhook.read(Buffer.from('{"type":"issuing_dispute_closed","data":{"id":"idsp_1"}}')), [])
})

const dispute = {
  ...{ id: 'dsp_1', category: 'fraudulent', amount: 1250, currency: 'USD', reason_code: '10.4', status: 'evidence_required' },
  ...{ evidence_required_by: '2026-03-20T10:00:00Z', received_on: '2026-03-01T10:00:00Z', last_update: '2026-03-01T10:00:00Z' },
  payment: { id: 'pay_1', action_id: 'act_1', amount: 1250, currency: 'USD', method: 'Visa', has_refund: false },
}
const read = (more: object, of: object | null = payment) =>
  rehearse(checkout.read_dispute('dsp_1', account), [replied(200, { ...dispute, ...more }), ...(of ? [replied(200, of)] : [])]).outcome

test('each dispute status is mapped to the API, and the dispute is linked to its payment', () => {
  deepEqual(read({}), {
    is: 'dispute',
    of: [
      { request_id: 'REQ1', verb: 'authorize' },
      { reference: 'pay_1', verb: 'authorize' },
    ],
    dispute: {
      ...{ reference: 'dsp_1', stage: 'dispute', status: 'dispute_opened', said: 'evidence_required', amount: money },
      ...{ reason: 'fraudulent', reason_code: '10.4', respond_by: '2026-03-20T10:00:00.000Z' },
      ...{ created: '2026-03-01T10:00:00.000Z', updated: '2026-03-01T10:00:00.000Z' },
    },
  })
  for (const [more, stage, status] of [
    [{ status: 'evidence_under_review' }, 'dispute', 'dispute_challenged'],
    [{ status: 'accepted' }, 'dispute', 'dispute_accepted'],
    [{ status: 'resolved', resolved_reason: 'already_refunded' }, 'dispute', 'dispute_cancelled'],
    [{ status: 'resolved', resolved_reason: 'rapid_dispute_resolution' }, 'dispute', 'dispute_accepted'],
    [{ status: 'arb_evidence_submitted' }, 'arbitration', 'dispute_challenged'],
    [{ status: 'arbitration_lost' }, 'arbitration', 'dispute_lost'],
  ] as const) {
    const result = read(more)
    deepEqual(result.is === 'dispute' && [result.dispute.stage, result.dispute.status], [stage, status])
  }
  for (const more of [{ status: 'something new' }, { id: 'dsp_2' }, { amount: -5 }, { payment: {} }]) equal(read(more, null).is, 'unknown')
  equal(read({}, { id: 'pay_1' }).is, 'unknown')
  equal(rehearse(checkout.read_dispute('dsp_1', account), [replied(404, '')]).outcome.is, 'not_found')
})

const contest: ContestRequest = {
  ...{ request_id: 'REQ2', reference: 'dsp_1', authorization: { reference: 'pay_1', request_id: 'REQ1' }, money },
  evidence: {
    texts: { product_description: 'Two chairs', uncategorized_text: 'It was sent.' },
    uploaded: { receipt: 'file_1' },
    files: [],
  },
}
const [empty, refusedNow] = [replied(204, ''), replied(403, '')]

test('evidence is attached and then submitted; a lost response to the submission leaves the outcome unknown', () => {
  const answers = (...replies: Parameters<typeof rehearse>[1]) => rehearse(checkout.contest_dispute(contest, account), replies)
  const { requests, outcome } = answers(empty, empty)
  deepEqual(
    requests.map(({ method, url, body }) => [method, url.slice(account.base_url.length), body && JSON.parse(body)]),
    [
      [
        'PUT',
        '/disputes/dsp_1/evidence',
        { invoice_or_receipt_file: 'file_1', additional_evidence_text: 'product description: Two chairs\nIt was sent.' },
      ],
      ['POST', '/disputes/dsp_1/evidence', undefined],
    ],
  )
  deepEqual([outcome.is, answers(silence).outcome.is, answers(empty, silence).outcome.is], ['done', 'not_sent', 'unknown'])
  equal(answers(empty, notSent).outcome.is, 'not_sent')
  const asFound = (status: string) => answers(refusedNow, replied(200, { ...dispute, status }), replied(200, payment)).outcome.is
  deepEqual([asFound('evidence_under_review'), asFound('evidence_required'), asFound('expired')], ['done', 'declined', 'declined'])
  equal(answers(refusedNow, silence).outcome.is, 'unknown')
})

test('two files for one field, and texts that are too long, are refused before anything is sent', () => {
  for (const evidence of [
    { ...contest.evidence, uploaded: { refund_policy: 'file_1', cancellation_policy: 'file_2' } },
    { ...contest.evidence, texts: { uncategorized_text: 'x'.repeat(501) } },
  ]) {
    const { requests, outcome } = rehearse(checkout.contest_dispute({ ...contest, evidence }, account), [])
    deepEqual([requests.length, outcome.is], [0, 'declined'])
  }
})

test('an evidence file is uploaded unchanged, and has the file id of Checkout.com as its reference', () => {
  const bytes = Buffer.from('%PDF-1.7 \u0000\u00ff', 'latin1')
  const file = { type: 'receipt', name: 'x"y.pdf', content_type: 'application/pdf', bytes, request_id: 'REQ3' } as const
  const { requests, outcome } = rehearse(checkout.upload_evidence(file, account), [replied(200, { id: 'file_1' })])
  deepEqual(outcome, { is: 'done', reference: 'file_1' })
  ok(requests[0]!.bytes!.includes(bytes))
  ok(!requests[0]!.bytes!.includes('x"y'))
  equal(rehearse(checkout.upload_evidence(file, account), [silence]).outcome.is, 'unknown')
})

const payer: Account = { ...account, metadata: { currency_account: 'ca_1', funds_transfer_type: 'FD' } }
const number = new Secret('4242424242424242')
const card = { is: 'card', type: 'debit', number, exp_month: 3, exp_year: 2040, holder: 'Ada Lovelace Byron' } as const
const iban = new Secret('DE89370400440532013000')
const bank: Extract<RequestOf<'payout'>['recipient'], { is: 'bank' }> = {
  ...{ is: 'bank', type: 'sepa_bank_transfer', account: iban, bank_code: null, bank_name: null, bic: null, tax_id: null },
  ...{ country: null, holder: 'Ada Byron' },
}
const payoutAsk: RequestOf<'payout'> = {
  ...{ request_id: 'REQ9', money, recipient: card, entity_type: 'Individual', priority: 'instant' },
  ...{ merchant_name: 'Chairs & Co', description: null },
}
const receipt = { id: 'pay_9', status: 'Pending', reference: 'REQ9', instruction: { value_date: '2026-03-01T10:00:00Z' } }
const paysOut = (more: Partial<RequestOf<'payout'>>, reply: Parameters<typeof rehearse>[1][number] = replied(202, receipt), of = payer) =>
  rehearse(checkout.payout({ ...payoutAsk, ...more }, of), [reply])

test('a payout is a payment from a currency account to a destination, with our idempotency key, and is pending at first', () => {
  const { requests, outcome } = paysOut({})
  deepEqual([requests[0]!.url, requests[0]!.headers['cko-idempotency-key']], ['https://api.checkout.com/payments', 'REQ9'])
  const common = { amount: 1250, currency: 'USD', reference: 'REQ9', processing_channel_id: 'pc_channel' }
  const source = { type: 'currency_account', id: 'ca_1' }
  deepEqual(JSON.parse(requests[0]!.body!), {
    ...common,
    source,
    destination: {
      ...{ type: 'card', number: '4242424242424242', expiry_month: 3, expiry_year: 2040 },
      account_holder: { type: 'individual', first_name: 'Ada', last_name: 'Lovelace Byron' },
    },
    billing_descriptor: { reference: 'Chairs & Co' },
    instruction: { funds_transfer_type: 'FD' },
  })
  deepEqual(outcome, { is: 'waiting', reference: 'pay_9' })
  deepEqual(JSON.parse(paysOut({ recipient: bank, description: 'March', entity_type: 'Company' }).requests[0]!.body!), {
    ...common,
    source,
    destination: {
      ...{ type: 'bank_account', iban: 'DE89370400440532013000', country: 'DE' },
      account_holder: { type: 'corporate', company_name: 'Ada Byron' },
    },
    billing_descriptor: { reference: 'March' },
    instruction: { purpose: 'March', scheme: 'instant' },
  })
  const bacs = { ...bank, type: 'bacs', account: new Secret('00012345'), bank_code: '108800' } as const
  deepEqual(JSON.parse(paysOut({ recipient: bacs, priority: null }).requests[0]!.body!).destination, {
    ...{ type: 'bank_account', account_number: '00012345', bank_code: '108800', country: 'GB' },
    account_holder: { type: 'individual', first_name: 'Ada', last_name: 'Byron' },
  })
})

test('a payout that is not supported is refused before anything is sent; no response leaves it unknown', () => {
  for (const more of [
    { recipient: { ...card, holder: null } },
    { recipient: { ...card, holder: 'Ada' } },
    { recipient: { ...bank, type: 'pix' } },
  ] as const) {
    const { requests, outcome } = rehearse(checkout.payout({ ...payoutAsk, ...more }, payer), [])
    deepEqual([requests.length, outcome.is], [0, 'declined'])
  }
  equal(rehearse(checkout.payout(payoutAsk, account), []).outcome.is, 'declined', 'without a currency account')
  const rows: [Parameters<typeof paysOut>[1], string][] = [
    [silence, 'unknown'],
    [notSent, 'not_sent'],
    [replied(500, ''), 'unknown'],
    [replied(422, { request_id: 'x', error_type: 'processing_error', error_codes: ['x'] }), 'unknown'],
    [replied(422, { request_id: 'x', error_type: 'request_invalid', error_codes: ['x'] }), 'declined'],
    [replied(202, { ...receipt, reference: 'REQ8' }), 'unknown'],
    [replied(202, { ...receipt, status: 'Something new' }), 'unknown'],
  ]
  for (const [reply, is] of rows) equal(paysOut({}, reply).outcome.is, is)
})

test('a short account number that is part of the payout id leaves the response readable', () => {
  const recipient = { ...bank, type: 'ach', account: new Secret('1234'), bank_code: '011000138' } as const
  deepEqual(paysOut({ recipient }, replied(202, { ...receipt, id: 'pay_1234' })).outcome, { is: 'waiting', reference: 'pay_1234' })
})

test('a payout is polled by its id or our reference; no match in the list is unknown, and not a decline', () => {
  const about: SyncRequest = { verb: 'payout', request_id: 'REQ9', reference: 'pay_9', money, authorization: null }
  const found = { ...receipt, amount: 1250, currency: 'USD' }
  holds(
    [
      [{ status: 'Paid' }, 'done', { amount: money }],
      [{ status: 'Pending' }, 'waiting', {}],
      [{ status: 'Declined', response_code: '20051' }, 'declined', { code: 'insufficient_funds', processor_code: '20051' }],
      [{ status: 'Returned' }, 'declined', { after_yes: true }],
      [{ status: 'Paid', amount: undefined }, 'unknown', {}],
      [{ id: 'pay_8', status: 'Paid' }, 'unknown', {}],
    ],
    more => rehearse(checkout.sync(about, payer), [replied(200, { ...found, ...more })]).outcome,
  )
  const listed = (...data: object[]) =>
    rehearse(checkout.sync({ ...about, reference: null }, payer), [replied(200, { total_count: data.length, data })]).outcome
  equal(listed({ ...found, status: 'Paid' }).is, 'done')
  equal(listed().is, 'unknown')
  equal(listed(found, { ...found, id: 'pay_8' }).is, 'unknown')
  const event = (type: string) => checkout.webhook.read(Buffer.from(JSON.stringify({ type, data: { id: 'pay_9', reference: 'REQ9' } })))[0]
  deepEqual(event('payment_paid'), {
    is: 'outcome',
    of: [
      { request_id: 'REQ9', verb: 'authorize' },
      { request_id: 'REQ9', verb: 'payout' },
    ],
    outcome: 'ask',
  })
})

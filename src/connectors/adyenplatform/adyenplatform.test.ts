import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { hmacValidator, type Types } from '@adyen/api-library'
import type { TransferNotificationRequest } from '@adyen/api-library/lib/src/typings/transferWebhooks/models.js'
import { accountAt, holds } from '../../../test/card-ask.ts'
import { exactly, type Plain } from '../../../test/exactly.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import { amountOf } from '../adyen/requests.ts'
import type { RequestOf, SyncRequest } from '../connector.ts'
import { adyenplatform } from './connector.ts'
import { cancelTransferBody, transferBody } from './requests.ts'

const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
const account = accountAt(
  'https://balanceplatform-api-test.adyen.com/btl/v4',
  { api_key: 'AQE_key' },
  { source_balance_account: 'BA3227C223222B5B9SCR82TMV' },
  HMAC_KEY,
)
const money = { amount: 1250, currency: 'EUR' } as const
const bank = {
  is: 'bank',
  type: 'sepa_bank_transfer',
  account: new Secret('NL91ABNA0417164300'),
  bank_code: null,
  bank_name: null,
  bic: null,
  tax_id: null,
  country: 'NL',
  holder: 'Zoë Müller',
} as const
const ask: RequestOf<'payout'> = {
  request_id: 'REQ1',
  money,
  recipient: bank,
  entity_type: 'Individual',
  priority: null,
  merchant_name: 'Chairs & Co_',
  description: null,
}
const transfer = {
  id: '1W1UG35U8A9J5ZLG',
  amount: { value: 1250, currency: 'EUR' },
  category: 'bank',
  reference: 'REQ1',
  reason: 'pending',
  status: 'received',
}

/** Gives the body of a transfer, checked against Adyen's own types: an unknown member does not compile. */
const bodyOf = (more: Partial<RequestOf<'payout'>> = {}) => {
  const body = transferBody({ ...ask, ...more }, amountOf({ ...money, ...more.money })!, account)
  return typeof body === 'string' ? body : exactly<Plain<Types.transfers.TransferInfo>>()(body)
}
exactly<Plain<Types.transfers.CancelTransfersRequest>>()(cancelTransferBody('1W1UG35U8A9J5ZLG'))

test('a transfer names the balance account, the recipient without accents, and our reference', () => {
  const { requests, outcome } = rehearse(adyenplatform.payout(ask, account), [replied(202, transfer)])
  deepEqual(outcome, { is: 'waiting', reference: '1W1UG35U8A9J5ZLG' })
  const [{ url, headers, body }] = requests as [(typeof requests)[0]]
  equal(url, 'https://balanceplatform-api-test.adyen.com/btl/v4/transfers')
  deepEqual([headers['x-api-key'], headers['idempotency-key']], ['AQE_key', 'REQ1'])
  deepEqual(JSON.parse(body!), {
    amount: { value: 1250, currency: 'EUR' },
    balanceAccountId: 'BA3227C223222B5B9SCR82TMV',
    category: 'bank',
    counterparty: {
      bankAccount: {
        accountHolder: { fullName: 'Zoe Muller', type: 'individual' },
        accountIdentification: { type: 'iban', iban: 'NL91ABNA0417164300' },
      },
    },
    priority: 'regular',
    reference: 'REQ1',
    description: 'Chairs Co',
  })
})

test('bank accounts are identified by the scheme of their country; unsupported recipients are refused by name', () => {
  const of = (more: object, rest: Partial<RequestOf<'payout'>> = {}) => {
    const body = bodyOf({ recipient: { ...bank, ...more } as RequestOf<'payout'>['recipient'], ...rest })
    return typeof body === 'string' ? body : body.counterparty.bankAccount
  }
  const named = { account: new Secret('123456'), bank_code: '060400' }
  deepEqual((of({ ...named, type: 'bacs' }) as { accountIdentification: object }).accountIdentification, {
    type: 'ukLocal',
    accountNumber: '00123456',
    sortCode: '060400',
  })
  deepEqual((of({ ...named, type: 'ach', bank_code: '011000138' }) as { accountIdentification: object }).accountIdentification, {
    type: 'usLocal',
    accountNumber: '123456',
    routingNumber: '011000138',
  })
  for (const type of ['pix', 'pix_key', 'pix_emv', 'trustly', 'open_banking']) match(String(of({ type })), new RegExp(type))
  match(String(of({ holder: null })), /name/)
  const address = { country: 'US', city: 'LA', line1: '274', line2: 'Brannan Street', zip: '94678', state: 'CA' } as const
  deepEqual(
    (of({}, { billing: { address }, entity_type: 'Company', priority: 'cross_border' }) as { accountHolder: object }).accountHolder,
    {
      fullName: 'Zoe Muller',
      type: 'organization',
      address: { country: 'US', line1: '274', line2: 'Brannan Street', postalCode: '94678', stateOrProvince: 'CA' },
    },
  )
  for (const [recipient, owner] of [
    [{ ...bank, type: 'pix' }, account],
    [bank, { ...account, metadata: {} }],
  ] as const) {
    const { requests, outcome } = rehearse(adyenplatform.payout({ ...ask, recipient }, owner), [])
    deepEqual([requests.length, outcome.is], [0, 'declined'])
  }
})

const refusal = (status: number, more: object = {}) => ({
  ...{ status, errorCode: '30_002', title: 'No', detail: 'No such account.', type: 'https://docs.adyen.com/errors/validation' },
  ...more,
})

test('only an error of Adyen’s API contract declines a payout; no response leaves it unknown', () => {
  const rows: [Parameters<typeof rehearse>[1][0], string][] = [
    [silence, 'unknown'],
    [notSent, 'not_sent'],
    [replied(500, refusal(500)), 'unknown'],
    [replied(422, refusal(422)), 'declined'],
    // The same request is under way, or was answered.
    [replied(422, refusal(422, { errorCode: '704' })), 'unknown'],
    [replied(403, refusal(403)), 'declined'],
    [replied(401, { status: 401, errorCode: '000', message: 'Unauthorized', errorType: 'security' }), 'declined'],
    [replied(429, refusal(429)), 'later'],
    [replied(404, refusal(404)), 'unknown'],
    [replied(202, { ...transfer, reference: 'REQ8' }), 'unknown'],
    [replied(202, { ...transfer, status: 'somethingNew' }), 'unknown'],
    [replied(202, { ...transfer, status: 'refused', reason: 'notEnoughBalance' }), 'declined'],
    [replied(202, { ...transfer, status: 'booked', amount: { value: 1250.5, currency: 'EUR' } }), 'unknown'],
  ]
  for (const [reply, is] of rows) equal(rehearse(adyenplatform.payout(ask, account), [reply]).outcome.is, is)
})

test('a short account number equal to the amount does not spoil the response, and is removed from the decline message', () => {
  const recipient = { ...bank, type: 'ach', account: new Secret('1250'), bank_code: '011000138' } as const
  const of = (reply: Parameters<typeof rehearse>[1][0]) => rehearse(adyenplatform.payout({ ...ask, recipient }, account), [reply]).outcome
  equal(of(replied(202, transfer)).is, 'waiting')
  const refused = of(replied(422, refusal(422, { detail: 'Account 1250 is closed' })))
  equal(refused.is === 'declined' && refused.message, 'Account [secret] is closed')
})

const about: SyncRequest = { verb: 'payout', request_id: 'REQ1', reference: transfer.id, money, authorization: null }
const booked = { events: [{ status: 'received' }, { status: 'booked' }] }

test('a booked transfer is paid; a failure or return after that reverses it, and a failure before that declines it', () => {
  holds(
    [
      [{ status: 'authorised' }, 'waiting', { reference: transfer.id }],
      [{ status: 'booked' }, 'done', { amount: money, request_id: 'REQ1' }],
      [{ status: 'credited' }, 'done', { amount: money }],
      [{ status: 'refused', reason: 'notEnoughBalance' }, 'declined', { code: 'insufficient_funds', processor_code: 'notEnoughBalance' }],
      [{ status: 'refused', reason: 'counterpartyAccountNotFound' }, 'declined', { code: 'recipient_ineligible' }],
      [{ status: 'failed', reason: 'somethingElse' }, 'declined', { code: 'payment_declined', after_yes: undefined }],
      [{ status: 'failed', ...booked }, 'declined', { after_yes: true }],
      [{ status: 'returned' }, 'declined', { after_yes: true }],
      [{ status: 'cancelled' }, 'declined', { code: 'cancelled' }],
      [{ status: 'undefined' }, 'unknown', { reference: transfer.id }],
      [{ id: 'ANOTHER', status: 'booked' }, 'unknown', {}],
    ],
    more => rehearse(adyenplatform.sync(about, account), [replied(200, { ...transfer, ...more })]).outcome,
  )
})

test('a payout without a reference is looked up by our request id, around the time of its creation', () => {
  const began = '2026-03-01T10:00:00.000Z'
  const look = (...data: object[]) => rehearse(adyenplatform.sync({ ...about, reference: null, began }, account), [replied(200, { data })])
  const { requests, outcome } = look({ ...transfer, status: 'booked' })
  equal(outcome.is, 'done')
  deepEqual(Object.fromEntries(new URL(requests[0]!.url).searchParams), {
    reference: 'REQ1',
    category: 'bank',
    createdSince: '2026-03-01T09:00:00.000Z',
    createdUntil: '2026-03-02T10:00:00.000Z',
    limit: '10',
    balanceAccountId: 'BA3227C223222B5B9SCR82TMV',
  })
  equal(look(transfer, { ...transfer, id: 'ANOTHER' }).outcome.is, 'unknown')
  deepEqual(look({ ...transfer, reference: 'REQ9' }).outcome, { is: 'not_found', lags_ms: 86_400_000 })
  equal(look({ ...transfer, amount: 'much' }).outcome.is, 'unknown')
})

test('a payout cancellation is only received; its outcome is read from the transfer', () => {
  const cancel = { request_id: 'REQ2', authorization: { reference: transfer.id, request_id: 'REQ1' }, money }
  const of = (more: object) =>
    rehearse(adyenplatform.cancel_payout(cancel, account), [replied(200, {}), replied(200, { ...transfer, ...more })])
  const { requests, outcome } = of({ status: 'cancelled' })
  deepEqual([requests[0]!.body, requests[0]!.headers['idempotency-key']], ['{"transferIds":["1W1UG35U8A9J5ZLG"]}', 'REQ2'])
  equal(outcome.is, 'done')
  deepEqual(
    [of({}).outcome.is, of({ status: 'booked' }).outcome.is, of({ status: 'undefined' }).outcome.is],
    ['waiting', 'declined', 'waiting'],
  )
  equal(rehearse(adyenplatform.cancel_payout(cancel, account), [replied(422, refusal(422))]).outcome.is, 'declined')
  equal(rehearse(adyenplatform.cancel_payout(cancel, account), [replied(200, {}), silence]).outcome.is, 'unknown')
  const asked = (reference: string | null, more: object) =>
    rehearse(adyenplatform.sync({ ...about, verb: 'cancel_payout', reference, authorization: cancel.authorization }, account), [
      replied(200, { ...transfer, ...more }),
    ]).outcome.is
  // A cancellation that Adyen has accepted may still happen; one that Adyen never answered was not received if its
  // transfer continues.
  deepEqual([asked(transfer.id, {}), asked(null, {}), asked(null, { status: 'cancelled' })], ['waiting', 'not_found', 'done'])
})

test('a webhook needs a valid signature, and only triggers a poll', () => {
  const notification: Plain<Omit<TransferNotificationRequest, 'data'>> & { data: object } = {
    data: { ...transfer, status: 'booked' },
    environment: 'test',
    type: 'balancePlatform.transfer.updated',
  }
  const raw = Buffer.from(JSON.stringify(notification))
  const hmacsignature = new hmacValidator().calculateHmacSignature(raw.toString(), HMAC_KEY)
  const verify = (bytes: Buffer, hmac: string, owner = account) => adyenplatform.webhook.verify(bytes, { hmacsignature: hmac }, owner)
  equal(verify(raw, hmacsignature), true)
  equal(verify(Buffer.concat([raw, Buffer.from(' ')]), hmacsignature), false)
  equal(
    verify(
      raw,
      hmacsignature.replace(/^./, first => (first === 'A' ? 'B' : 'A')),
    ),
    false,
  )
  equal(verify(raw, hmacsignature, { ...account, webhook_secret: null }), false)
  const of = [{ request_id: 'REQ1', verb: 'payout' }]
  deepEqual(adyenplatform.webhook.read(raw), [
    { is: 'outcome', of, outcome: { is: 'waiting', reference: transfer.id } },
    { is: 'outcome', of, outcome: 'ask' },
  ])
  const other = (more: object) => adyenplatform.webhook.read(Buffer.from(JSON.stringify({ ...notification, ...more })))
  deepEqual([other({ type: 'balancePlatform.payment.created' }), other({ data: { id: 'X' } })], [[], []])
})

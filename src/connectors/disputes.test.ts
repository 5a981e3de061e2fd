import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type * as adyen from '@adyen/api-library/lib/src/typings/disputes/models.js'
import type Stripe from 'stripe'
import fc from '../../test/fast-check.ts'
import { notSent, rehearse, replied, silence } from '../../test/rehearse.ts'
import { Secret } from '../base/secret.ts'
import type { Reply } from '../context.ts'
import { unwrapped as connectors } from './all.ts'
import type { Account, Connector, ContestRequest, Conversation, Outcome } from './connector.ts'
import { converse } from './converse.ts'
import type { EvidenceType } from './dispute.ts'
import { unscreened } from './port.ts'

/** Disputes at every connector that supports them: the requests, and the outcomes of the answers. */

const KEY = 'sk_unspeakable_83kd'
const account: Account = {
  base_url: 'https://processor.example',
  credentials: { api_key: new Secret(KEY), key1: new Secret('Shop') },
  webhook_secret: null,
  metadata: {},
}
const file = {
  type: 'receipt',
  name: 'receipt.pdf',
  content_type: 'application/pdf',
  bytes: Buffer.from('%PDF-1.7 \u0000\u00ff', 'latin1'),
} as const
const contest: ContestRequest = {
  request_id: 'REQ1',
  reference: 'dp_1',
  authorization: { reference: 'auth_1', request_id: 'REQ0' },
  money: { amount: 1250, currency: 'USD' },
  evidence: { texts: { product_description: 'Two chairs' }, uploaded: { receipt: 'file_1' }, files: [file] },
}

const phonypay = {
  object: 'dispute',
  id: 'dp_1',
  reference: 'REQ0',
  amount: 1250,
  currency: 'USD',
  stage: 'chargeback',
  status: 'needs_response',
  reason: 'fraudulent',
  network_code: '10.4',
  due_at: '2026-03-20T10:00:00.000Z',
  created_at: '2026-03-01T10:00:00.000Z',
  updated_at: '2026-03-01T10:00:00.000Z',
}
const stripe = {
  id: 'dp_1',
  object: 'dispute',
  status: 'needs_response' as string,
  amount: 1250,
  currency: 'usd',
  reason: 'fraudulent',
  created: 1772359200,
  evidence_details: { due_by: 1774000800, has_evidence: false, past_due: false, submission_count: 0 },
  payment_intent: { id: 'pi_1', object: 'payment_intent', metadata: { request_id: 'REQ0' } },
}
stripe satisfies Pick<Stripe.Dispute, 'amount' | 'currency' | 'reason' | 'created' | 'id'>

const yes = { disputeServiceResult: { success: true } } satisfies adyen.AcceptDisputeResponse
const document = (defenseDocumentTypeCode: string, requirementLevel = 'Required'): adyen.DefenseDocumentType => ({
  available: false,
  defenseDocumentTypeCode,
  requirementLevel,
})
const reason = (defenseReasonCode: string, ...defenseDocumentTypes: adyen.DefenseDocumentType[]): adyen.DefenseReason => ({
  defenseReasonCode,
  satisfied: false,
  defenseDocumentTypes,
})
/** The defense reasons of Adyen's published example. */
const notReturned = reason('GoodsNotReturned', document('TIDorInvoice', 'Optional'), document('GoodsNotReturned'))
const replaced = reason('GoodsRepairedOrReplaced', document('TIDorInvoice', 'Optional'), document('GoodsRepairedOrReplaced'))
const asDescribed = reason('GoodsWereAsDescribed', document('GoodsWereAsDescribed'), document('TIDorInvoice'))
const material = reason('SupplyDefenseMaterial', document('TIDorInvoice', 'Optional'), document('DefenseMaterial'))
const reasons = { ...yes, defenseReasons: [notReturned, replaced, asDescribed, material] } satisfies adyen.DefenseReasonsResponse

/** The good answers of each processor to an acceptance and to evidence. */
const good: Record<string, { accepted: object[]; contested: object[] }> = {
  phonypay: { accepted: [{ ...phonypay, status: 'accepted' }], contested: [{ ...phonypay, status: 'under_review' }] },
  stripe: { accepted: [{ ...stripe, status: 'lost' }], contested: [{ ...stripe, status: 'under_review' }] },
  adyen: { accepted: [yes], contested: [reasons, yes, yes] },
}
const verbs = (connector: Connector): [string, () => Conversation, object[]][] => [
  ['accept_dispute', () => connector.accept_dispute!(contest, account), good[connector.name]!.accepted],
  ['contest_dispute', () => connector.contest_dispute!(contest, account), good[connector.name]!.contested],
]

for (const name of Object.keys(good)) {
  const connector = connectors[name]!

  test(`${name}: a dispute is accepted and contested under our request id, and no API key is in a request body`, () => {
    for (const [verb, begin, answers] of verbs(connector)) {
      const { requests, outcome } = rehearse(
        begin(),
        answers.map(body => replied(200, body)),
      )
      ok(outcome.is === 'done', `${verb} ${JSON.stringify(outcome)}`)
      deepEqual([outcome.reference, outcome.amount], ['dp_1', contest.money])
      equal(requests.at(-1)!.headers['idempotency-key'], 'REQ1')
      for (const { body = '' } of requests) ok(!body.includes(KEY) && !/:(?:null|{})[,}]/.test(body), body)
    }
  })

  test(`${name}: no response to a dispute request is unknown, and an unsent request is not sent`, () => {
    for (const [, begin, answers] of verbs(connector)) {
      const before = answers.slice(0, -1).map(body => replied(200, body))
      equal(rehearse(begin(), [...before, silence]).outcome.is, 'unknown')
      equal(rehearse(begin(), [...before, notSent]).outcome.is, 'not_sent')
      equal(rehearse(begin(), [...before, replied(502, '<html>'), ...(name === 'stripe' ? [silence] : [])]).outcome.is, 'unknown')
    }
  })

  test(`${name}: an invalid response to a dispute request never succeeds, and no API key is in the outcome`, async () => {
    const bodies = [...good[name]!.accepted, ...good[name]!.contested]
    const junk = fc.oneof(fc.json({ maxDepth: 3 }), fc.string(), fc.constantFrom('{}', '[]', 'null', `{"error":{"message":"${KEY}"}}`))
    const spoilt = fc
      .tuple(fc.constantFrom(...bodies), fc.string(), fc.jsonValue())
      .map(([body, key, value]) => JSON.stringify({ ...body, object: key, disputeServiceResult: value }))
    const replies = fc.array(fc.tuple(fc.integer({ min: 200, max: 599 }), fc.oneof(junk, spoilt)), { minLength: 6, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(replies, async received => {
        for (const [, begin] of verbs(connector)) {
          let i = 0
          const send = async (): Promise<Reply> => replied(...received[i++]!)
          const outcome: Outcome = await converse(
            {
              send,
              token: async () => ({ is: 'refused', message: '' }),
              note: async () => true,
              screen: { digest: () => 'digest', isCard: () => true },
            },
            unscreened(begin()),
          )
          ok(outcome.is !== 'done', JSON.stringify(outcome))
          ok(!JSON.stringify(outcome).includes(KEY))
        }
      }),
    )
  })

  test(`${name}: a dispute is read, if the processor allows it, and is linked to its payment`, () => {
    if (!connector.read_dispute) return equal(name, 'adyen')
    const body = { phonypay, stripe }[name as 'stripe']
    const { outcome } = rehearse(connector.read_dispute('dp_1', account), [replied(200, body)])
    ok(outcome.is === 'dispute')
    deepEqual(outcome.of, [{ request_id: 'REQ0', verb: 'authorize' }])
    const { stage, status, amount, reason, respond_by } = outcome.dispute
    deepEqual(
      [stage, status, amount, reason, respond_by?.slice(0, 10)],
      ['dispute', 'dispute_opened', contest.money, 'fraudulent', '2026-03-20'],
    )
    equal(rehearse(connector.read_dispute('dp_2', account), [replied(200, body)]).outcome.is, 'unknown', 'another dispute')
    equal(rehearse(connector.read_dispute('dp_1', account), [silence]).outcome.is, 'unknown')
  })
}

test('requests to contest a dispute match the types of the Adyen library, and the file is sent complete', () => {
  const { requests } = rehearse(
    connectors.adyen!.contest_dispute!(contest, account),
    [reasons, yes, yes].map(body => replied(200, body)),
  )
  const bodies = requests.map(({ body }) => JSON.parse(body!) as unknown)
  const about = { merchantAccountCode: 'Shop', disputePspReference: 'dp_1' }
  const supplied = { content: file.bytes.toString('base64'), contentType: 'application/pdf', defenseDocumentTypeCode: 'DefenseMaterial' }
  deepEqual(bodies, [
    { ...about } satisfies adyen.DefenseReasonsRequest,
    { ...about, defenseDocuments: [supplied] } satisfies adyen.SupplyDefenseDocumentRequest,
    { ...about, defenseReasonCode: 'SupplyDefenseMaterial' } satisfies adyen.DefendDisputeRequest,
  ])
})

const delivered = reason(
  'GoodsOrServicesProvided',
  document('ProofOfAbilityToProvideServices', 'OneOrMore'),
  document('ProofOfGoodsOrServicesProvided', 'OneOrMore'),
)
const shipped = reason('MerchandiseReceived', document('DateMerchandiseShipped'), document('ProofOfGoodsOrServicesProvided'))
const recurring = reason('RecurringTransactionsCompellingMerchantEvidence', document('MerchantProofOfRecurringTransaction', 'Optional'))
const disclosed = reason('CreditOrCancellationPolicyProperlyDisclosed', document('DisclosureAtPointOfInteraction'))
const generic = { ...material, defenseDocumentTypes: [document('DefenseMaterial', 'AlternativeRequired'), document('TIDorInvoice')] }

// biome-ignore format: a table reads better in columns
const defended: [offered: adyen.DefenseReason[], files: EvidenceType[], reason: string, labels: string[]][] = [
  [[notReturned, replaced, asDescribed, material], ['receipt'], 'SupplyDefenseMaterial', ['DefenseMaterial']],
  [[notReturned, replaced, asDescribed, material], ['receipt', 'uncategorized_file'], 'SupplyDefenseMaterial', ['TIDorInvoice', 'DefenseMaterial']],
  [[material], ['customer_communication', 'invoice_showing_distinct_transactions'], 'SupplyDefenseMaterial', ['DefenseMaterial', 'TIDorInvoice']],
  [[material, delivered], ['shipping_documentation'], 'GoodsOrServicesProvided', ['ProofOfGoodsOrServicesProvided']],
  [[delivered, shipped], ['shipping_documentation', 'service_documentation'], 'MerchandiseReceived', ['DateMerchandiseShipped', 'ProofOfGoodsOrServicesProvided']],
  [[material, recurring], ['recurring_transaction_agreement'], 'RecurringTransactionsCompellingMerchantEvidence', ['MerchantProofOfRecurringTransaction']],
  [[material, disclosed], ['refund_policy'], 'CreditOrCancellationPolicyProperlyDisclosed', ['DisclosureAtPointOfInteraction']],
  [[generic], ['uncategorized_file', 'receipt'], 'SupplyDefenseMaterial', ['DefenseMaterial', 'TIDorInvoice']],
]
// biome-ignore format: a table reads better in columns
const refused: [offered: adyen.DefenseReason[], files: EvidenceType[], why: RegExp][] = [
  [[], ['receipt'], /no defense reason/],
  [[replaced], ['receipt'], /GoodsRepairedOrReplaced requires GoodsRepairedOrReplaced, which no evidence_type/],
  [[shipped], ['shipping_documentation'], /one file for each of DateMerchandiseShipped \(Required\), ProofOfGoodsOrServicesProvided/],
  [[shipped], ['receipt'], /MerchandiseReceived requires shipping_documentation and service_documentation or shipping_documentation/],
  [[disclosed], ['refund_policy', 'receipt'], /does not accept receipt/],
  [[disclosed], ['refund_policy', 'cancellation_policy'], /combine several in one PDF/],
  [[generic], ['receipt'], /one file for each of DefenseMaterial \(Required\), TIDorInvoice \(Required\)/],
  [[reason('New', document('TIDorInvoice'), document('DefenseMaterial', 'Whatever'))], ['receipt'], /New accepts one file for each/],
]

test('Adyen: files are submitted under their type for a reason whose requirements are met; otherwise nothing is submitted', () => {
  const contestWith = (defenseReasons: adyen.DefenseReason[], types: EvidenceType[], ...more: object[]) =>
    rehearse(
      connectors.adyen!.contest_dispute!(
        { ...contest, evidence: { texts: {}, uploaded: {}, files: types.map(type => ({ ...file, type })) } },
        account,
      ),
      [{ ...yes, defenseReasons }, ...more].map(body => replied(200, body)),
    )
  for (const [offered, types, defenseReasonCode, labels] of defended) {
    const { requests, outcome } = contestWith(offered, types, yes, yes)
    equal(outcome.is, 'done', String(types))
    const [, supply, defend] = requests.map(({ body }) => JSON.parse(body!))
    const handedIn = supply.defenseDocuments.map((one: adyen.DefenseDocument) => one.defenseDocumentTypeCode)
    deepEqual([defend.defenseReasonCode, handedIn], [defenseReasonCode, labels])
  }
  for (const [offered, types, why] of refused) {
    const { requests, outcome } = contestWith(offered, types)
    ok(outcome.is === 'declined', String(types))
    match(outcome.message, why)
    equal(requests.length, 1, 'the reasons were asked for, and nothing else')
  }
})

test('the request to contest a dispute matches the types of Stripe, and files are uploaded unchanged', () => {
  const [request] = rehearse(connectors.stripe!.contest_dispute!(contest, account), [
    replied(200, { ...stripe, status: 'under_review' }),
  ]).requests
  const asked = { evidence: { product_description: 'Two chairs', receipt: 'file_1' }, submit: true } satisfies Stripe.DisputeUpdateParams
  deepEqual(Object.fromEntries(new URLSearchParams(request!.body)), {
    'evidence[product_description]': asked.evidence.product_description,
    'evidence[receipt]': asked.evidence.receipt,
    submit: 'true',
  })
  const upload = connectors.stripe!.upload_evidence!({ ...file, request_id: 'REQ1' }, account)
  const { requests, outcome } = rehearse(upload, [replied(200, { id: 'file_1', object: 'file' })])
  deepEqual(outcome, { is: 'done', reference: 'file_1' })
  ok(requests[0]!.bytes!.includes(file.bytes))
})

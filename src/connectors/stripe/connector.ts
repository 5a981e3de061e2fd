import { DAY_MS } from '../../base/time.ts'
import type { Account, Connector, Conversation, CredentialsVerdict, Outcome, RequestOf } from '../connector.ts'
import { inProcessorUnits } from '../counting.ts'
import { declinedWith, doneWith, failedVerdict, firstHand, unknown } from '../kit/parse-reply.ts'
import { inPath } from '../kit/request.ts'
import { signedIn } from '../kit/signature.ts'
import { totals } from '../payment-report.ts'
import { channels } from '../purchase.ts'
import { openTalk, type Param, type Talk } from './api.ts'
import { authorize, setUp } from './authorize.ts'
import { counting } from './common.ts'
import { acceptDispute, contestDispute, readDispute, uploadEvidence } from './disputes.ts'
import { stripeFamilies, stripeOffers } from './offers.ts'
import * as outcomes from './outcomes.ts'
import { listChanges, readPayment } from './payment.ts'
import { type Intent, readIntent, readList, readRefund, readSetup, readStripeTransfer } from './replies.ts'
import { fetchStripeReport, listStripeReports, reportsSetting } from './reports.ts'
import * as params from './requests.ts'
import { reasons, type StripeTakes, transferTo } from './requests.ts'
import { afterFailure, lookForTransfer, nameOf, sync, syncIntent, syncRefund } from './sync.ts'
import { readWebhook } from './webhook.ts'

const ofAmount = <Ask extends RequestOf<'capture'> | RequestOf<'increment'>>(
  path: 'capture' | 'increment_authorization',
  paramsOf: (ask: Ask, amount: number) => { [name: string]: Param },
  outcomeOf: (intent: Intent, request_id: string) => Outcome,
) =>
  function* (ask: Ask, account: Account): Conversation {
    const amount = inProcessorUnits(counting, ask.money)
    if (typeof amount === 'string') return outcomes.notCounted(amount)
    const talk = openTalk(account)
    const id = yield* nameOf(talk, ask.authorization)
    if (id === null) return outcomes.withoutIntent
    return yield* change(talk, ask, `${inPath(id)}/${path}`, paramsOf(ask, amount), outcomeOf)
  }

const capture = ofAmount<RequestOf<'capture'>>('capture', params.capture, outcomes.capturedOutcome)
/** Only if the authorization requested it: `request_incremental_authorization`. */
const increment = ofAmount<RequestOf<'increment'>>('increment_authorization', params.increment, outcomes.incrementedOutcome)

/** If only a query can show whether the intent was changed, it is queried. */
function* change(
  talk: Talk,
  { request_id, authorization }: Pick<RequestOf<'void'>, 'request_id' | 'authorization'>,
  path: string,
  asked: { [name: string]: Param },
  outcomeOf: (intent: Intent, request_id: string) => Outcome,
): Conversation {
  const reply = yield* talk.say(talk.post(`/v1/payment_intents/${path}`, asked, request_id), readIntent)
  if (reply.is === 'answer') return firstHand(outcomeOf(reply.answer, request_id))
  return yield* afterFailure(reply, () => syncIntent(talk, authorization, intent => outcomeOf(intent, request_id)))
}

function* voidAuthorization(ask: RequestOf<'void'>, account: Account): Conversation {
  const talk = openTalk(account)
  const id = yield* nameOf(talk, ask.authorization)
  if (id === null) return outcomes.withoutIntent
  if (id.startsWith('seti_')) return yield* cancelSetup(talk, id, ask)
  const [how, asked] = ask.of === 'rest' ? ['capture', params.releaseRest(ask)] : ['cancel', params.cancellation(ask)]
  return yield* change(talk, ask, `${inPath(id)}/${how}`, asked, outcomes.voidedOutcome)
}

function* cancelSetup(talk: Talk, id: string, ask: RequestOf<'void'>): Conversation {
  const { request_id, money } = ask
  const reply = yield* talk.say(talk.post(`/v1/setup_intents/${inPath(id)}/cancel`, params.setupCancellation(ask), request_id), readSetup)
  if (reply.is !== 'answer') return outcomes.failedIntent(reply)
  if (reply.answer.status !== 'canceled') return unknown('not canceled')
  return doneWith(id, money)
}

function* refund(ask: RequestOf<'refund'>, account: Account): Conversation {
  const amount = inProcessorUnits(counting, ask.money)
  if (typeof amount === 'string') return outcomes.notCounted(amount)
  const talk = openTalk(account)
  const id = yield* nameOf(talk, ask.authorization)
  if (id === null) return outcomes.withoutIntent
  const reply = yield* talk.say(talk.post('/v1/refunds', params.refund(ask, amount, id), ask.request_id), readRefund)
  if (reply.is === 'answer') return outcomes.refundedOutcome(reply.answer)
  return yield* afterFailure(reply, () => syncRefund(talk, ask))
}

/** A transfer to a connected account (`passthrough`), made at once or not at all. Its payout to a bank is not ours. */
function* payout(ask: RequestOf<'payout'>, account: Account): Conversation {
  const { recipient, money, request_id } = ask
  const destination = recipient.is === 'passthrough' ? recipient.account.reveal() : ''
  if (!/^acct_\w{1,64}$/.test(destination))
    return declinedWith('invalid_request', '', 'Stripe pays out to connected accounts only: psp_token must be the id of one (acct_…).')
  const amount = inProcessorUnits(counting, money)
  if (typeof amount === 'string') return outcomes.notCounted(amount)
  const talk = openTalk(account)
  const request = talk.post('/v1/transfers', transferTo(ask, amount, destination), request_id)
  const reply = yield* talk.say(request, readStripeTransfer)
  if (reply.is === 'answer') return outcomes.transferredOutcome(reply.answer)
  return yield* afterFailure(reply, () => lookForTransfer(talk, request_id))
}

/** The least request that the key must allow. */
function* verifyAccount(account: Account): Conversation<CredentialsVerdict> {
  const reply = yield* openTalk(account).get('/v1/payment_intents?limit=1', body => readList(body, readIntent))
  return reply.is === 'answer' ? { is: 'good' } : failedVerdict(reply)
}

const verifyWebhook = signedIn('stripe-signature')

/**
 * Stripe. A card first becomes a payment method, by a request that moves no money; then one request authorizes the
 * payment. Every other verb is one request. Our request id is the Idempotency-Key of every request that moves money.
 * It is also in the metadata of the intent, of each capture and of each refund, by which they are found again: intents
 * by a search, which is behind by up to an hour; captures and refunds through their intent, at once.
 */
export const stripe = {
  name: 'stripe',
  sources: {
    documented:
      'Stripe’s API reference, and the types of its client library, to which every request is held; that library works against the same sandbox dialect',
    guessed:
      'Which currencies, amounts and payers Stripe takes of each payment method changes: what is newer than our table is refused too early, or declined by Stripe; nothing is charged by it. Whether every account may ask for a German account for transfers of euros, and that refunds of transfers wait for the customer’s confirmation, is inferred from Stripe’s guides',
  },
  baseUrl: { test: 'https://api.stripe.com', live: 'https://api.stripe.com' },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'], test: { api_key: /^[a-z]{2}_test_/ } },
  settings: {
    stripe_account: { pattern: /^acct_\w{1,64}$/, description: 'the id of the connected account to act on behalf of (acct_…)' },
    settlement_reports: reportsSetting,
    mit_exemption: {
      pattern: /^(true|false)$/,
      description:
        'true or false: whether Stripe has opened mit_exemption for the account, on request, so that it charges network transaction ids',
      of: 'payment_processor',
    },
  },
  accepts: {
    // Stripe requests exemptions by itself, and has no parameter for them.
    authentication: ['three_ds_result', 'challenge'],
    methods: ['card', 'stored_card', 'network_transaction_id', ...stripeFamilies],
    on_request: { network_transaction_id: 'mit_exemption' },
    offers: stripeOffers,
    capture: ['automatic', 'manual', 'manual_multiple'],
    channels,
    // Stripe promises to keep an idempotency key for at least a day, and no longer.
    idempotent_ms: 24 * 3_600_000,
    lookup: 'by request id',
    // The longest exchange (20 s), and a minute for a request that is still in progress at the processor.
    in_flight_ms: 80_000,
    counting,
    evidence: {
      files: { 'application/pdf': 5_000_000, 'image/jpeg': 5_000_000, 'image/png': 5_000_000 },
      texts: true,
      without: ['recurring_transaction_agreement'],
    },
    refund_reasons: reasons,
    recipients: ['passthrough'],
    splits: 'stripe',
    installments: true,
    // Stripe lists the events of the last 30 days.
    tells: { lookup: totals, webhooks: totals, changes: totals, changes_kept_ms: 30 * DAY_MS },
    reports:
      'The itemised payout reconciliation, or the balance changes and payouts by the setting `settlement_reports`, by the Reports API. A restricted key needs the permission to read report runs and report types',
  },
  authorize,
  setUp,
  capture,
  void: voidAuthorization,
  refund,
  increment,
  payout,
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  upload_evidence: uploadEvidence,
  read_dispute: readDispute,
  sync,
  read_payment: readPayment,
  list_changes: listChanges,
  list_reports: listStripeReports,
  fetch_report: fetchStripeReport,
  verify: verifyAccount,
  webhook: { largest: 262_144, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<StripeTakes>

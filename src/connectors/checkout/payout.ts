import type { Money } from '../../base/money.ts'
import type { Account, Conversation, Outcome, RequestOf, SyncRequest } from '../connector.ts'
import { inProcessorUnits } from '../counting.ts'
import type { Recipient } from '../instrument.ts'
import { declinedWith, doneWith, failedLookup, failedOutcome, failedQuestion, readerOf, unknown, without } from '../kit/parse-reply.ts'
import { isOneOf, isRecord, optional } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import { codesOfRecipient, secretsOfRecipient } from '../kit/secrets.ts'
import { shortened } from '../kit/text.ts'
import { settingOf } from '../settings.ts'
import { responseCodes } from './declines.ts'
import { amountIn, isCheckoutId, listOf, parse, readReference, readRefused, whyRefused } from './replies.ts'
import { checkoutKeysOf, counting, get, post, processingChannelOf } from './requests.ts'

/** Payments with a destination: only accepted at first (202), and paid, declined or returned later. */

type Paid = { is: 'card' | 'bank' }
type CheckoutRecipient = Extract<Recipient, Paid>

const statuses = ['Pending', 'Paid', 'Declined', 'Returned'] as const
type CheckoutPayout = {
  id: string
  status: (typeof statuses)[number]
  money: Money | null
  request_id: string | null
  code: string
  message: string
}

function readPayout(body: unknown): CheckoutPayout | null {
  if (!isRecord(body) || !isCheckoutId(body.id) || !isOneOf(statuses, body.status)) return null
  const request_id = optional(body.reference, readReference)
  const hasAmount = body.amount !== undefined
  const money = hasAmount ? amountIn(body.currency, body.amount) : null
  if (request_id === undefined || (hasAmount && money === null)) return null
  return { id: body.id, status: body.status, money, request_id, ...whyRefused(body, 'The payout was not made.') }
}

const takenReply = readerOf(readPayout, readRefused, [202])
const askedReply = readerOf(readPayout, readRefused)
const listReply = readerOf(listOf(readPayout), readRefused)

function outcomeOf({ id, status, money, request_id, code, message }: CheckoutPayout): Outcome {
  switch (status) {
    case 'Pending':
      return { is: 'waiting', reference: id }
    case 'Paid':
      return money === null ? { ...unknown('the payout has no amount'), reference: id } : doneWith(id, money, { request_id })
    case 'Declined':
      return declinedWith(responseCodes[code] ?? 'payment_declined', code, message, id)
    case 'Returned':
      return { ...declinedWith('payment_declined', status, 'The bank returned the payout.', id), after_yes: true }
  }
}

export function* payout(ask: RequestOf<'payout'>, account: Account): Conversation {
  const { recipient, request_id, money } = ask
  const amount = inProcessorUnits(counting, money)
  if (typeof amount === 'string') return { is: 'not_sent', why: amount }
  const body = payoutBody(ask, amount, account)
  if (typeof body === 'string') return declinedWith('invalid_request', '', body)
  const secrets = [...checkoutKeysOf(account), ...secretsOfRecipient(recipient)]
  const reply = parse(yield post(account, '/payments', body, request_id), secrets, takenReply)
  if (reply.is !== 'answer') return without(failedOutcome(reply), codesOfRecipient(recipient))
  const { id, status, request_id: echoed } = reply.answer
  if (echoed !== null && echoed !== request_id) return { ...unknown('the response is for another payout'), reference: id }
  // A response without an amount only confirms the receipt.
  return status === 'Paid' && reply.answer.money === null ? { is: 'waiting', reference: id } : outcomeOf(reply.answer)
}

/** No document says that lists contain payouts: one that is not found may exist all the same. */
export function* syncCheckoutPayout({ reference, request_id }: SyncRequest, account: Account): Conversation {
  if (reference === null) {
    const reply = parse(yield get(account, `/payments?limit=10&reference=${inPath(request_id)}`), checkoutKeysOf(account), listReply)
    if (reply.is !== 'answer') return failedQuestion(reply)
    const [found, ...others] = reply.answer.filter(one => one.request_id === request_id)
    if (others.length > 0) return unknown('several payouts have this reference')
    return found ? outcomeOf(found) : unknown('no list has the payout')
  }
  const reply = parse(yield get(account, `/payments/${inPath(reference)}`), checkoutKeysOf(account), askedReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  return reply.answer.id === reference ? outcomeOf(reply.answer) : unknown('the response is for another payout')
}

/** Or a sentence that says why it cannot be sent. */
function payoutBody(ask: RequestOf<'payout'>, amount: number, account: Account) {
  const { recipient, money, request_id, description, merchant_name } = ask
  const from = settingOf(account, 'currency_account')
  if (from === undefined) return 'The connector account has no currency_account, which payouts are made from.'
  if (recipient.is !== 'card' && recipient.is !== 'bank') return 'Checkout.com pays out to cards and bank accounts only.'
  const destination = destinationOf(recipient, ask.entity_type)
  if (typeof destination === 'string') return destination
  const instruction = instructionOf(ask, recipient, account)
  return {
    source: { type: 'currency_account', id: from },
    destination,
    amount,
    currency: money.currency,
    reference: request_id,
    // The text on the recipient's statement.
    billing_descriptor: { reference: shortened(description ?? merchant_name, 35) },
    ...(Object.keys(instruction).length > 0 && { instruction }),
    processing_channel_id: processingChannelOf(account),
  }
}

const persons: readonly RequestOf<'payout'>['entity_type'][] = ['Individual', 'NaturalPerson', 'Personal', 'lowercase']

function destinationOf(recipient: CheckoutRecipient, entity: RequestOf<'payout'>['entity_type']) {
  const account_holder = holderOf(recipient.holder, entity)
  if (typeof account_holder === 'string') return account_holder
  if (recipient.is === 'card') {
    const { number, exp_month: expiry_month, exp_year: expiry_year } = recipient
    return { type: 'card', number: number.reveal(), expiry_month, expiry_year, account_holder } as const
  }
  const account = recipient.account.reveal()
  const at = { ...(recipient.bic !== null && { swift_bic: recipient.bic }), account_holder }
  switch (recipient.type) {
    case 'sepa_bank_transfer':
      return { type: 'bank_account', iban: account, country: recipient.country ?? account.slice(0, 2), ...at } as const
    case 'bacs':
    case 'ach':
      return {
        type: 'bank_account',
        account_number: account,
        ...(recipient.bank_code !== null && { bank_code: recipient.bank_code }),
        country: recipient.country ?? (recipient.type === 'bacs' ? 'GB' : 'US'),
        ...at,
      } as const
    default:
      return `Checkout.com does not pay out by ${recipient.type}.`
  }
}

function holderOf(holder: string | null, entity: RequestOf<'payout'>['entity_type']) {
  if (holder === null) return 'Checkout.com requires the name of the recipient.'
  if (!persons.includes(entity)) return { type: 'corporate', company_name: holder } as const
  const [first_name = '', ...others] = holder.trim().split(/\s+/)
  if (others.length === 0) return 'Checkout.com requires the first and the last name of the recipient.'
  return { type: 'individual', first_name, last_name: others.join(' ') } as const
}

const schemes: Readonly<Partial<Record<NonNullable<RequestOf<'payout'>['priority']>, string>>> = {
  instant: 'instant',
  regular: 'local',
  wire: 'swift',
  cross_border: 'swift',
}

function instructionOf({ priority, description }: RequestOf<'payout'>, recipient: CheckoutRecipient, account: Account) {
  if (recipient.is === 'card') {
    const funds_transfer_type = settingOf(account, 'funds_transfer_type')
    return funds_transfer_type === undefined ? {} : { funds_transfer_type }
  }
  const scheme = priority === null ? undefined : schemes[priority]
  return { ...(description !== null && { purpose: shortened(description, 35) }), ...(scheme !== undefined && { scheme }) }
}

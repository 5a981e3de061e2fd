import type { Request } from '../../context.ts'
import type { Account, Conversation, Outcome } from '../connector.ts'
import { whyNotCounted } from '../counting.ts'
import { isOther } from '../instrument.ts'
import { boughtBy, customerThere } from '../kit/buyer.ts'
import { credentialsOf } from '../kit/credentials.ts'
import {
  beforeMoney,
  declinedWith,
  doneWith,
  failedOutcome,
  firstHand,
  type ParsedReply,
  parseReply,
  readerOf,
  without,
} from '../kit/parse-reply.ts'
import { inPath } from '../kit/request.ts'
import { codesOf, dataOf, secretsOf } from '../kit/secrets.ts'
import { nameIn } from '../kit/text.ts'
import type { Purchase } from '../purchase.ts'
import { type MollieDetails, rowNamed } from './offers.ts'
import * as wire from './replies.ts'
import { readRefused } from './replies.ts'
import * as ask from './requests.ts'

const notTaken = (why: string): Outcome => declinedWith('not_supported', 'payment_method', why)

/** An amount of 0 sets a method up. Customer and mandate are created before, which moves no money. */
export function* authorize(asked: ask.MollieAsk, account: Account): Conversation {
  const { instrument, money } = asked
  const why = whyNotCounted(ask.counting, money)
  if (why !== null) return { is: 'not_sent', why }
  if (!isOther(instrument)) return yield* charge(asked, instrument.customer, instrument.reference, account)
  const row = rowNamed(instrument.type)
  const way = row && Object.hasOwn(row.ways, instrument.way) ? row.ways[instrument.way] : undefined
  const details = dataOf(instrument)
  const paying = way?.(details) ?? null
  if (!row || !paying) return notTaken(`payment_method_type ${instrument.type} is not supported as ${instrument.way} with this data`)
  const { purchase, reference } = yield* boughtBy(asked.purchase, ask.isToBeKept(asked) ? 'reference' : 'buyer')
  if (row.debits) return yield* debit(asked, details, purchase, reference, account)
  const customer = ask.isToBeKept(asked) ? yield* customerOf(asked, purchase, reference, account) : null
  if (customer !== null && typeof customer !== 'string') return customer
  const request = ask.post(account, '/payments', ask.molliePaymentBody(asked, row, paying, purchase, customer, account), asked.request_id)
  return without(paymentOutcome(yield* sendToMollie(account, request, wire.readPayment, secretsOf(instrument))), codesOf(instrument))
}

const paymentOutcome = (reply: ParsedReply<wire.MolliePayment>): Outcome =>
  reply.is === 'answer' ? firstHand(wire.outcomeOf(reply.answer)) : failedOutcome(reply)

function* charge(asked: ask.MollieAsk, customer: string | null, mandate: string, account: Account): Conversation {
  if (customer === null) return { is: 'not_sent', why: 'the customer at the processor is not known' }
  const request = ask.post(account, '/payments', ask.chargeBody(asked, customer, mandate, account), asked.request_id)
  return paymentOutcome(yield* sendToMollie(account, request, wire.readPayment))
}

/** Created when a payment method is first saved, and again if it was deleted at Mollie. */
function* customerOf(
  asked: ask.MollieAsk,
  purchase: Purchase | undefined,
  reference: string | null,
  account: Account,
): Conversation<string | Outcome> {
  const ours = asked.stored_credential?.customer ?? null
  const body = ask.customerBody(ours, purchase?.buyer)
  const customer = yield* customerThere(
    reference,
    known => sendToMollie(account, ask.get(account, `/customers/${inPath(known)}`), wire.readMollieCustomer),
    () => sendToMollie(account, ask.post(account, '/customers', body, asked.request_id, '-customer'), wire.readMollieCustomer),
    ours !== null,
  )
  return customer.is === 'answer' ? customer.answer : beforeMoney(customer)
}

/** Customer and mandate are created, then the mandate is charged. */
function* debit(
  asked: ask.MollieAsk,
  details: MollieDetails,
  purchase: Purchase | undefined,
  reference: string | null,
  account: Account,
): Conversation {
  const customer = yield* customerOf(asked, purchase, reference, account)
  if (typeof customer !== 'string') return customer
  const payer = (purchase?.billing && nameIn(purchase.billing)) ?? purchase?.buyer?.name ?? ''
  const path = `/customers/${inPath(customer)}/mandates`
  const request = ask.post(account, path, ask.mandateBody(asked, details, payer), asked.request_id, '-mandate')
  const mandate = yield* sendToMollie(account, request, wire.readMandate, isOther(asked.instrument) ? secretsOf(asked.instrument) : [])
  if (mandate.is !== 'answer') return beforeMoney(mandate)
  const { id, isGood } = mandate.answer
  if (!isGood) return declinedWith('payment_declined', 'invalid_mandate', 'The mandate for debits is not valid.')
  if (asked.money.amount > 0) return yield* charge(asked, customer, id, account)
  const facts = { connector_mandate_id: id, connector_customer_id: customer }
  return doneWith(id, asked.money, { facts })
}

/** A request that creates an object may have status 201. */
export function* sendToMollie<Answer>(
  account: Account,
  request: Request,
  read: (body: unknown) => Answer | null,
  secrets: Parameters<typeof parseReply>[1] = [],
): Generator<Request, ParsedReply<Answer>, Parameters<typeof parseReply>[0]> {
  const good = request.method === 'POST' ? [200, 201] : [200]
  return parseReply(yield request, [...credentialsOf(account), ...secrets], readerOf(read, readRefused, good))
}

import { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { Account, AuthorizeRequest, Conversation, Outcome } from '../connector.ts'
import { noting } from '../conversation.ts'
import { credentialsOf } from '../kit/credentials.ts'
import { majorNumberOf } from '../kit/decimal.ts'
import { beforeMoney, failedOutcome, parseReply, unknown, without } from '../kit/parse-reply.ts'
import { bearerOf, jsonRequest } from '../kit/request.ts'
import { codesOf } from '../kit/secrets.ts'
import { settingOf } from '../settings.ts'
import { checkoutOf, createdReply, invoiceReply, invoiceRequest } from './api.ts'
import { outcomeOf } from './outcomes.ts'
import { look } from './sync.ts'

export function* authorize(ask: AuthorizeRequest<'card'>, account: Account): Conversation {
  const { number, exp_month, exp_year, cvc, holder } = ask.instrument
  const known = [...credentialsOf(account), number]
  const created = parseReply(yield createInvoice(ask, account), known, createdReply)
  if (created.is !== 'answer') return without(beforeMoney(created), codesOf(ask.instrument))
  const { id, token, reference_id } = created.answer
  if (reference_id !== ask.request_id || token === null) return { is: 'not_sent', why: 'the invoice cannot be paid', reference: id }
  yield* noting(id)
  const opened = new Secret(token)
  const sale = yield jsonRequest('POST', `${checkoutOf(account)}/payment/sale`, bearerOf(opened), {
    card_number: number.reveal(),
    ...(cvc && { cvv: cvc.reveal() }),
    exp_month: String(exp_month).padStart(2, '0'),
    exp_year: String(exp_year).slice(-2),
    ...(holder !== null && { cardholder: holder }),
  })
  const reply = parseReply(sale, [...known, opened], invoiceReply)
  // The format of the checkout's response is uncertain: if it cannot be read, the invoice is retrieved.
  const outcome =
    reply.is === 'answer'
      ? outcomeOf(reply.answer)
      : reply.is === 'unknown' && sale.is === 'reply'
        ? yield* look(id, account)
        : failedOutcome(reply)
  return without(named(certain(outcome), id), codesOf(ask.instrument))
}

/** Turns "not found" into unknown: an invoice that is not paid yet says nothing about a sale that is on its way. */
const certain = (outcome: Outcome): Outcome => (outcome.is === 'not_found' ? unknown('the sale is not visible yet') : outcome)

const named = (outcome: Outcome, reference: string): Outcome => (outcome.is === 'unknown' ? { ...outcome, reference } : outcome)

const createInvoice = (ask: AuthorizeRequest<'card'>, account: Account): Request =>
  invoiceRequest('payment-invoices', account, {
    reference_id: ask.request_id,
    amount: majorNumberOf(ask.money),
    currency: ask.money.currency,
    service: settingOf(account, 'service') ?? `payment_card_${ask.money.currency.toLowerCase()}_hpp`,
    description: ask.statement_descriptor ?? ask.merchant_name,
    return_url: ask.return_url,
  })

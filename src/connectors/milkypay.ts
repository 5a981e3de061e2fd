import { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../context.ts'
import type { Account, AuthorizeRequest, Connector, Conversation, News, Outcome, PayoutRequest, SyncRequest } from './connector.ts'
import { noting } from './conversation.ts'
import { majorNumberOf } from './decimal.ts'
import { type Invoice, type InvoiceKind, readInvoice, readRefused } from './milkypay-wire.ts'
import { declinedWith, outcomeOfNo, outcomeOfNoAnswer, type ParsedReply, parseReply, unknown, whatLacks, without } from './parse-reply.ts'
import { readJson } from './wire.ts'

const PAY = 'https://pay.pay-gate.io'
const CHECKOUT = 'https://checkout.pay-gate.io'

/**
 * MilkyPay, reached through the engine at pay-gate.io. An invoice is made, which moves nothing; its name is written
 * down; then its checkout is told the card. What became of it the invoice says. Its callbacks are not signed: they
 * only say where to look.
 */
export const milkypay = {
  name: 'milkypay',
  founded: {
    documented: 'invoices, also of payouts, and their states: the pages of the engine (Corefy), not of MilkyPay',
    second_hand: 'hosts, the two calls of a card payment, members and the reason of a failure: one public client',
    guessed:
      'that a payout names its card in fields.card_number, and is looked up as other invoices are (a payout whose answer is lost ends with a person); that the customer’s challenge stands in flow_data.action (otherwise the payment is unknown until it is decided); that nothing happened where an error repeats its own status (otherwise it is unknown). No refund is known: there is none here',
  },
  baseUrl: { test: PAY, live: PAY },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'] },
  settings: {
    payout_service: { pattern: /^[a-z0-9_]{1,64}$/, says: 'the milkypay service for payouts, for example payment_card_eur' },
    service: { pattern: /^[a-z0-9_]{1,64}$/, says: 'the milkypay service for payments, for example payment_card_eur_hpp' },
    checkout_url: {
      pattern: /^https:\/\/[^/?#\\\s@]+$/,
      says: 'the URL to send card numbers to, if it differs from the vendor’s standard host',
      host: 'address',
    },
    test_mode: { pattern: /^(true|false)$/, says: 'true or false: whether invoices are only for testing', test: /^true$/ },
  },
  accepts: {
    methods: ['card'],
    capture: ['automatic'],
    idempotent_ms: 0,
    lookup: 'by reference',
    in_flight_ms: 80_000,
    recipients: ['card'],
  },
  authorize,
  payout,
  sync,
  webhook: { byReference: [], verify: () => true, read: readNews },
} satisfies Connector<'card'>

const checkoutOf = ({ base_url, metadata }: Account): string =>
  typeof metadata.checkout_url === 'string' ? metadata.checkout_url : base_url === PAY ? CHECKOUT : base_url

function* authorize(ask: AuthorizeRequest<'card'>, account: Account): Conversation {
  const lacks = whatLacks(account, milkypay.credentials.members)
  if (lacks) return lacks
  const { number, exp_month, exp_year, cvc, holder } = ask.means
  const created = heardInvoice(yield createInvoice(ask, account), keysOf(account), [200, 201])
  if (created.is !== 'answer') return without(beforeMoney(outcomeOfNo(created)), cvc)
  const { id, token, reference_id } = created.answer
  if (reference_id !== ask.request_id || token === null) return { is: 'not_sent', why: 'the invoice cannot be paid', reference: id }
  yield* noting(id)
  const opened = new Secret(token)
  const sale = yield {
    method: 'POST',
    url: `${checkoutOf(account)}/payment/sale`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      card_number: number.reveal(),
      ...(cvc && { cvv: cvc.reveal() }),
      exp_month: String(exp_month).padStart(2, '0'),
      exp_year: String(exp_year).slice(-2),
      ...(holder !== null && { cardholder: holder }),
    }),
  }
  const secrets = [...keysOf(account), number, opened]
  const said = heardInvoice(sale, secrets)
  // What the checkout answers is not known surely: the invoice says what became of it.
  const outcome =
    said.is === 'answer'
      ? outcomeOf(said.answer)
      : said.is === 'unknown' && sale.is === 'reply'
        ? yield* look(id, account)
        : outcomeOfNo(said)
  return without(named(certain(outcome), id), cvc)
}

/** One request, that names no more than the card: what became of it only its invoice says, if its name is known. */
function* payout({ request_id, money, recipient, merchant_name, description }: PayoutRequest, account: Account): Conversation {
  const lacks = whatLacks(account, milkypay.credentials.members)
  if (lacks) return lacks
  if (recipient.is !== 'card') return declinedWith('not_supported', '', 'This connector supports payouts to cards only.')
  const request = signed(account, {
    method: 'POST',
    url: `${account.base_url}/payout-invoices`,
    body: JSON.stringify({
      data: {
        type: 'payout-invoices',
        attributes: {
          reference_id: request_id,
          amount: majorNumberOf(money),
          currency: money.currency,
          service: account.metadata.payout_service ?? `payment_card_${money.currency.toLowerCase()}`,
          description: description ?? merchant_name,
          fields: { card_number: recipient.number.reveal() },
          options: { auto_process: true },
          ...(account.webhook_url !== undefined && { callback_url: account.webhook_url }),
          ...(typeof account.metadata.test_mode === 'string' && { test_mode: account.metadata.test_mode === 'true' }),
        },
      },
    }),
  })
  const heard = heardInvoice(yield request, [...keysOf(account), recipient.number], [200, 201], 'payout-invoices')
  if (heard.is !== 'answer') return outcomeOfNo(heard)
  return heard.answer.reference_id === request_id ? paidOutOf(heard.answer) : unknown('the response is for another invoice')
}

/** One that is made, and not yet processed, is on its way. */
function paidOutOf(invoice: Invoice): Outcome {
  const outcome = outcomeOf(invoice)
  if (outcome.is === 'done') return { ...outcome, captured: null }
  if (outcome.is === 'declined') return { ...outcome, code: 'operation_declined' }
  return { is: 'waiting', reference: invoice.id }
}

/** An invoice that was not made has moved nothing. */
const beforeMoney = (outcome: Outcome): Outcome => (outcome.is === 'unknown' ? { is: 'not_sent', why: outcome.why } : outcome)

/** An invoice that nobody has paid yet says nothing of a sale that is on its way. */
const certain = (outcome: Outcome): Outcome => (outcome.is === 'not_found' ? unknown('the sale is not visible yet') : outcome)

const named = (outcome: Outcome, reference: string): Outcome => (outcome.is === 'unknown' ? { ...outcome, reference } : outcome)

const createInvoice = (ask: AuthorizeRequest<'card'>, account: Account): Request =>
  signed(account, {
    method: 'POST',
    url: `${account.base_url}/payment-invoices`,
    body: JSON.stringify({
      data: {
        type: 'payment-invoices',
        attributes: {
          reference_id: ask.request_id,
          amount: majorNumberOf(ask.money),
          currency: ask.money.currency,
          service: account.metadata.service ?? `payment_card_${ask.money.currency.toLowerCase()}_hpp`,
          description: ask.statement_descriptor ?? ask.merchant_name,
          return_url: ask.return_url,
          ...(account.webhook_url !== undefined && { callback_url: account.webhook_url }),
          ...(typeof account.metadata.test_mode === 'string' && { test_mode: account.metadata.test_mode === 'true' }),
        },
      },
    }),
  })

function* sync({ verb, reference }: SyncRequest, account: Account): Conversation {
  if (whatLacks(account, milkypay.credentials.members)) return unknown('the connector account is missing credentials or settings')
  // Its name is noted before the card is sent: a payment that has none has moved nothing. A payout is one request.
  if (reference === null)
    return verb === 'payout' ? unknown('the payout has no processor reference and cannot be synced') : { is: 'not_found' }
  if (verb === 'payout') return yield* lookAtPayout(reference, account)
  const outcome = yield* look(reference, account)
  return verb === 'authorize' ? outcome : unknown('only payments and payouts can be synced')
}

function* look(id: string, account: Account): Conversation {
  const heard = heardInvoice(
    yield signed(account, { method: 'GET', url: `${account.base_url}/payment-invoices/${encodeURIComponent(id)}` }),
    keysOf(account),
  )
  if (heard.is !== 'answer') return outcomeOfNoAnswer(heard)
  return heard.answer.id === id ? outcomeOf(heard.answer) : unknown('the response is for another invoice')
}

function* lookAtPayout(id: string, account: Account): Conversation {
  const request = signed(account, { method: 'GET', url: `${account.base_url}/payout-invoices/${encodeURIComponent(id)}` })
  const heard = heardInvoice(yield request, keysOf(account), [200], 'payout-invoices')
  // That an address which is only guessed finds nothing says nothing.
  if (heard.is === 'refused') return unknown(`the status request was refused (${heard.code})`)
  if (heard.is !== 'answer') return unknown(heard.why)
  return heard.answer.id === id ? paidOutOf(heard.answer) : unknown('the response is for another invoice')
}

function outcomeOf({ id, reference_id, status, money, url, said }: Invoice): Outcome {
  switch (status) {
    case 'created':
      return { is: 'not_found', reference: id }
    case 'process_pending':
      return { is: 'waiting', reference: id, ...(url !== null && { next_action: { type: 'redirect_to_url', url } }) }
    case 'processed':
      return { is: 'done', reference: id, request_id: reference_id, amount: money, captured: money, facts: {} }
    case 'process_failed':
      return declinedWith('card_declined', status, said, id)
  }
}

const keysOf = ({ credentials }: Account): Secret[] => Object.values(credentials)

const signed = ({ credentials }: Account, request: Omit<Request, 'headers'>): Request => ({
  ...request,
  headers: {
    authorization: `Basic ${Buffer.from(`${credentials.api_key!.reveal()}:${credentials.key1!.reveal()}`).toString('base64')}`,
    'content-type': 'application/json',
  },
})

const heardInvoice = (
  reply: Reply,
  secrets: readonly Secret[],
  good: readonly number[] = [200],
  kind: InvoiceKind = 'payment-invoices',
): ParsedReply<Invoice> =>
  parseReply(reply, secrets, (status, body) => {
    if (!good.includes(status)) return readRefused(status, body)
    const answer = readInvoice(body, kind)
    return answer && { is: 'answer', answer }
  })

/** Nobody has signed it: whatever it says, the processor is asked. */
function readNews(raw: Buffer): News[] {
  const body = readJson(raw.toString())
  const invoice = readInvoice(body) ?? readInvoice(body, 'payout-invoices')
  return invoice ? [{ of: [{ request_id: invoice.reference_id }], outcome: 'ask' }] : []
}

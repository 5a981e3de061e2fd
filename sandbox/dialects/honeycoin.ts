// HoneyCoin over the sandbox's ledger, under /honeycoin: tokens, charges by mobile money and bank transfer, payouts,
// look-ups. Amounts are in major units.

import { draw } from '../context.ts'
import { doneAs } from '../methods.ts'
import { payOut, readPayout } from '../payouts.ts'
import { authorize, type Effect } from '../processor.ts'
import type { Document, Method } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isMissing, readMatch, readUrl } from '../requests.ts'
import { minorOf } from '../units.ts'
import { show } from './honeycoin-show.ts'
import { type ApiCall, bearer, type CallResult, cardFault, type Language } from './language.ts'

type Token = Document & { object: 'honeycoin_token'; at: number }

/** The time for which a token is valid, in milliseconds. */
const life = 2 * 3600_000

const referenceIn = (body: Body) => readMatch(body, 'externalReference', /^[\w-]{1,64}$/, '1 to 64 letters, digits, _ or -')
const sends = ({ body }: { body: Body }) => ({ reference: String(body.externalReference), fault: cardFault(() => ({ name: meant(body) })) })

/** Returns the test card as which a telephone or account number behaves. */
const meant = ({ phone, payoutMethod }: Body) =>
  doneAs({ number: String(phone ?? (payoutMethod as Body | undefined)?.accountNumber ?? '') })

export const honeycoin: Language = {
  prefix: '/honeycoin',
  // A token begins with the account's name. A caller without a token sends the API key.
  key: headers => {
    const token = bearer(headers)
    return token === undefined ? (headers['api-key'] as string | undefined) : `sandbox_${/^([\w-]+)\./.exec(token)?.[1] ?? 'invalid'}`
  },
  errorResponse: ({ status, message }) => ({ status, body: { success: false, message } }),
  calls: [
    { method: 'POST', path: '/auth/generate-bearer-token', call: null, act: grant },
    {
      method: 'POST',
      path: '/fiat/charge/momo',
      call: 'authorize',
      sends,
      act: asked => charge(asked, { family: 'mobile_payment', way: 'direct_carrier_billing' }),
    },
    {
      method: 'POST',
      path: '/fiat/charge/bank',
      call: 'authorize',
      sends,
      act: asked => charge(asked, { family: 'bank_transfer', way: 'local_bank_transfer' }),
    },
    { method: 'POST', path: '/fiat/payout', call: 'payout', sends, act: pay },
    { method: 'GET', path: '/transactions/:reference', call: 'lookup', act: look },
  ],
}

function grant({ account, turn, body }: ApiCall): CallResult {
  readMatch(body, 'publicKey', /^.{1,255}$/s, 'a key')
  const token: Token = { id: `${account.name}.${draw(turn.context, 20)}`, object: 'honeycoin_token', at: turn.at }
  return { change: { documents: [token] }, body: { success: true, token: token.id, expiresAt: new Date(turn.at + life).toISOString() } }
}

function enter({ account, headers, turn }: ApiCall): void {
  const token = account.documents.get(bearer(headers) ?? '') as Token | undefined
  if (token?.object !== 'honeycoin_token' || turn.at - token.at > life)
    throw new Refusal('unauthorized', 'The token is not valid or has expired')
}

function charge(asked: ApiCall, method: Method): CallResult {
  enter(asked)
  const { turn, body } = asked
  if (method.family === 'mobile_payment') readMatch(body, 'phone', /^\d{6,15}$/, 'a phone number of 6 to 15 digits')
  const currency = readMatch(body, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals')
  return made(
    asked,
    authorize(
      {
        reference: unused(asked),
        amount: minorOf(body.amount, currency),
        currency,
        capture: 'automatic',
        method,
        card: { name: meant(body), masked: method.way, cvc: 'missing', expires: '9999-12' },
        three_ds: 'request',
        return_url: isMissing(body.successRedirectUrl) ? null : readUrl(body, 'successRedirectUrl'),
        allow_partial: false,
      },
      turn,
    ),
  )
}

function pay(asked: ApiCall): CallResult {
  enter(asked)
  const { body, turn } = asked
  const currency = readMatch(body, 'currency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals')
  const { accountNumber } = (body.payoutMethod ?? {}) as Body
  const to = { type: body.destination === 'MoMo' ? 'wallet' : 'bank', account: accountNumber }
  return made(asked, payOut(readPayout({ reference: unused(asked), amount: minorOf(body.amount, currency), currency, to }), turn))
}

function unused({ account, body }: ApiCall): string {
  const reference = referenceIn(body)
  if (account.references.has(reference)) throw new Refusal('invalid_request', 'This externalReference is already in use')
  return reference
}

function made({ account, url }: ApiCall, effect: Effect): CallResult {
  const payment = { ...effect.payment, dialect: 'honeycoin' }
  const now = { ...account, payments: new Map(account.payments).set(payment.id, payment) }
  return { change: { ...effect, payment }, body: { success: true, data: show(now, effect.operations[0], url) } }
}

function look(asked: ApiCall): CallResult {
  enter(asked)
  const { account, params, url } = asked
  const operation = account.operations.get(account.references.get(params.reference!) ?? '')
  if (operation === undefined) throw new Refusal('not_found', 'No such transaction')
  return { body: { success: true, data: show(account, operation, url) } }
}

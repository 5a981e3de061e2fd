// 54Pay over the sandbox's ledger, under /fiftyfourpay: collections and look-ups. Amounts are in major units. Both
// variants of the authentication headers are accepted, if complete. Under /fiftyfourpay/payouts an adapter makes
// payouts through the bridge.

import { doneAs } from '../methods.ts'
import { authorize } from '../processor.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isMissing, readMatch, readUrl } from '../requests.ts'
import { minorOf } from '../units.ts'
import { bridge } from './bridge.ts'
import { show } from './fiftyfourpay-show.ts'
import { type ApiCall, type CallResult, cardFault, type Language } from './language.ts'

const clear = (text: unknown): string => Buffer.from(String(text ?? ''), 'base64').toString()
const meant = ({ customerNumber }: Body) => doneAs({ number: String(customerNumber ?? '') })

export const fiftyfourpay: Language = {
  prefix: '/fiftyfourpay',
  key: headers => (headers['x-app'] === 'api' && headers['x-business'] ? clear(headers['x-business']) : undefined),
  // The format of 54Pay's errors is not known, so the sandbox uses one that no connector expects.
  errorResponse: ({ status, message }) => ({ status, body: { fault: message } }),
  calls: [
    {
      method: 'POST',
      path: '/collection/v1/payin',
      call: 'authorize',
      sends: ({ body }) => ({ reference: String(body.transactionReference), fault: cardFault(() => ({ name: meant(body) })) }),
      act: collect,
    },
    {
      method: 'GET',
      path: '/collection/v1/status/:reference',
      call: 'lookup',
      act({ account, params, url }) {
        const operation = account.operations.get(account.references.get(params.reference!) ?? '')
        if (operation === undefined) throw new Refusal('not_found', 'No such collection')
        return { body: show(account, operation, url) }
      },
    },
  ],
}

/** The adapter for payouts: the bridge, limited to payouts. */
export const fiftyfourpayPayouts: Language = {
  ...bridge,
  prefix: '/fiftyfourpay/payouts',
  calls: bridge.calls.map(call => ({
    ...call,
    act(asked) {
      if (call.sends && asked.body.type !== 'payout') throw new Refusal('invalid_request', 'Only payouts are supported', 'type')
      return call.act(asked)
    },
  })),
}

/** Checks the authentication headers. They prove no identity, but the values they repeat must match the body. */
function checkHeaders({ headers, body }: ApiCall): void {
  const { transactionAmount, transactionReference, customerNumber = '' } = body
  const known =
    headers['x-api-key'] === undefined
      ? clear(headers['x-module']) === `${transactionAmount}${transactionReference}${customerNumber}`
      : headers['x-api-key'] === headers['x-business']
  if (!known) throw new Refusal('unauthorized', 'The authentication headers are not valid')
}

function collect(asked: ApiCall): CallResult {
  checkHeaders(asked)
  const { account, turn, body, url } = asked
  const reference = readMatch(body, 'transactionReference', /^[\w-]{1,64}$/, '1 to 64 letters, digits, _ or -')
  if (account.references.has(reference)) throw new Refusal('invalid_request', 'This reference is already in use')
  const currency = readMatch(body, 'transactionCurrency', /^[A-Z]{3}$/, 'a three-letter ISO 4217 code in capitals')
  const isMobile = !isMissing(body.customerNumber)
  const method = isMobile
    ? { family: 'mobile_payment', way: 'direct_carrier_billing' }
    : { family: 'bank_transfer', way: 'local_bank_transfer' }
  const effect = authorize(
    {
      reference,
      amount: minorOf(body.transactionAmount, currency),
      currency,
      capture: 'automatic',
      method,
      card: { name: meant(body), masked: method.way, cvc: 'missing', expires: '9999-12' },
      three_ds: 'request',
      return_url: isMissing(body.successUrl) ? null : readUrl(body, 'successUrl'),
      allow_partial: false,
    },
    turn,
  )
  const payment = { ...effect.payment, dialect: 'fiftyfourpay' }
  const now = { ...account, payments: new Map(account.payments).set(payment.id, payment) }
  return { change: { ...effect, payment }, body: show(now, effect.operations[0], url) }
}

import { deepEqual, doesNotMatch } from 'node:assert/strict'
import { test } from 'node:test'
import type { Types } from '@adyen/api-library'
import { accountAt } from '../../../test/card-ask.ts'
import { exactly, type Plain } from '../../../test/exactly.ts'
import { replied } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import type { Reply, Request } from '../../context.ts'
import type { BalanceRequest } from '../connector.ts'
import { balanceBody, readBalance } from './connector.ts'
import { offered } from './find-offer.ts'

/** Adyen's answers about a gift card's balance, and the connector's outcomes. */

const account = accountAt('https://checkout-test.adyen.com/v71', { api_key: 'api_key_1', key1: 'Shop' })
const ask: BalanceRequest = {
  request_id: 'REQ1',
  money: { amount: 1250, currency: 'EUR' },
  instrument: {
    ...{ is: 'gift_card', type: 'givex', way: 'givex', open: {} },
    secrets: { number: new Secret('6036280000000000000'), cvc: new Secret('1234') },
  },
}

/** Gives the request, and the outcome of this reply to it. */
function run(reply: Reply) {
  const talk = readBalance(ask, account)
  const { value: request } = talk.next()
  return { request: request as Request, value: talk.next(reply).value }
}
const answered = (body: unknown, status = 200): Reply => replied(status, body)

test('a gift card is sent to the balance endpoint in the format of Adyen', () => {
  const { request } = run(answered({}))
  deepEqual(
    [request.url, JSON.parse(request.body as string)],
    [
      'https://checkout-test.adyen.com/v71/paymentMethods/balance',
      {
        merchantAccount: 'Shop',
        amount: { value: 1250, currency: 'EUR' },
        paymentMethod: { type: 'giftcard', brand: 'givex', number: '6036280000000000000', cvc: '1234' },
      },
    ],
  )
  const amount = { value: 1250, currency: 'EUR' } as const
  exactly<Plain<Omit<Types.checkout.BalanceCheckRequest, 'paymentMethod'> & { paymentMethod: { type: string } }>>()(
    balanceBody(offered(ask.instrument, undefined)!, amount, account),
  )
})

test('a gift card balance is read in its own currency, and a response without a balance gives an unknown outcome', () => {
  const holds = (value: number, currency: string) => ({ balance: { value, currency }, pspReference: 'PSP1' })
  deepEqual(run(answered({ ...holds(5000, 'EUR'), resultCode: 'Success' })).value, { is: 'done', money: { amount: 5000, currency: 'EUR' } })
  const short = run(answered({ ...holds(1000, 'CLP'), resultCode: 'NotEnoughBalance' }))
  deepEqual(short.value, { is: 'done', money: { amount: 10, currency: 'CLP' } })
  const failed = run(answered({ ...holds(0, 'EUR'), resultCode: 'Failed', refusalReason: 'Invalid PIN' }))
  deepEqual(failed.value, { is: 'refused', code: 'Failed', message: 'The balance check failed.' })
  for (const reply of [
    answered({}),
    answered({ resultCode: 'Success' }),
    answered({ resultCode: 'Maybe', ...holds(1, 'EUR') }),
    answered('x', 500),
  ])
    deepEqual((run(reply).value as { is: string }).is, 'unknown')
})

test('no outcome contains the gift card number or its PIN', () => {
  const { value } = run(answered({ resultCode: 'Failed', refusalReason: 'Card 6036280000000000000 with PIN 1234 is unknown' }))
  doesNotMatch(JSON.stringify(value), /6036280000000000000|1234/)
})

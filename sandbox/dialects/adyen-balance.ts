// Adyen's balance check of gift cards. A gift card that ends like the test card with insufficient funds holds half of
// the requested amount; the balance of one that ends like a declined card cannot be read.

import { behaviourOf } from '../cards.ts'
import type { ApiCall, CallResult } from './adyen-calls.ts'
import { methodOfPayment } from './adyen-methods.ts'
import { amountOf, merchantAccountOf, only, part } from './adyen-read.ts'
import { AdyenRefusal } from './adyen-refusals.ts'

const PLENTY = 100_000_00

export function checkBalance({ body }: ApiCall): CallResult {
  only(body, ['merchantAccount', 'amount', 'paymentMethod', 'reference'], 'BalanceCheckRequest')
  merchantAccountOf(body)
  const { value, currency } = amountOf(body)
  const paid = part(body, 'paymentMethod').type === 'giftcard' ? methodOfPayment(body, currency) : null
  if (paid === null) throw new AdyenRefusal(422, '902', 'Invalid request: only gift cards have a balance')
  const ends = behaviourOf(paid.card.name).authorize
  const isShort = ends === 'insufficient_funds'
  const failed = ends !== undefined && !isShort
  const holds = isShort ? Math.floor(value / 2) : PLENTY
  return {
    change: {},
    status: 200,
    body: failed
      ? { balance: { value: 0, currency }, resultCode: 'Failed', refusalReason: 'Invalid Card Number' }
      : { balance: { value: holds, currency }, resultCode: isShort ? 'NotEnoughBalance' : 'Success' },
  }
}

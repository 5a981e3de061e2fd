import Type, { type TObject } from 'typebox'
import { oneOf } from '../base/shapes.ts'
import { last4, partsOf } from './masked-parts.ts'
import { familyOfWays } from './other.ts'
import { accountNumber, masked, need, never, way } from './way.ts'

const number = need(masked(undefined, { read: accountNumber }), 'user_gift_card_number')
const pin = need(never(), 'user_gift_card_pin')
const nothing = Type.Object({})

export const giftCard = familyOfWays(
  'gift_card',
  {
    givex: way('givex', { number, cvc: pin }, { experience: 'one_click', shows: seen => ({ givex: { last4: last4(seen.number) } }) }),
    bhn_card_network: way(
      'bhn_card_network',
      { account_number: number, pin, cvv2: need(never(), 'text'), expiration_date: need(never(), 'text') },
      { experience: 'one_click', shows: () => ({ bhn_card_network: {} }) },
    ),
    pay_safe_card: way('pay_safe_card'),
  },
  oneOf('GiftCardSeen', [
    Type.Object({ givex: partsOf('last4') }),
    Type.Object({ bhn_card_network: nothing }),
    Type.Object({ pay_safe_card: nothing }),
  ]) as TObject,
)

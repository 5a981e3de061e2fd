import { randomUUID } from 'node:crypto'
import { type Body, http, type Shop } from '../shop.ts'
import type { CaseName, Traits } from './outside-tests.ts'

/** What tells the processors apart, for the tests of money that is moved at their dashboards. */

export const mollieCard = {
  payment_method: 'card_redirect',
  payment_method_type: 'card_redirect',
  payment_method_data: { card_redirect: { card_redirect: {} } },
}

/** The customer pays at Mollie's page, and returns. */
export async function paidAtMollie(shop: Shop, begun: Body): Promise<Body> {
  const page = (await http('GET', begun.next_action.redirect_to_url)).headers.location as string
  const back = (await http('POST', `${page}/accept`, '')).headers.location as string
  await http('GET', back)
  await shop.wait('1 second')
  return shop.get(begun.payment_id)
}

/** Adyen cannot be asked: what no webhook tells is told by its settlement report only. */
const adyen = {
  connector: 'adyen',
  heard: ['by webhook', 'by a webhook that is late', 'by the same webhook three times'],
  asks: false,
} as const

const severalAtAdyen: CaseName[] = [
  'a capture of a part, before one of ours',
  'a capture of a part, after one of ours of the same amount',
  'a void of what is left after a capture of ours',
  'a cancel of ours after a capture of a part there, which keeps the rest, keeps what was captured',
  'a capture of ours of the rest is made after one of more than a capture there has left',
  'a capture of a part by us and one there of the same amount are both made',
]

const braintreeVoids = 'a void of a transaction that is submitted for settlement is made, and gives the money back'

export const outsideTraits: Record<string, Traits> = {
  stripe: { connector: 'stripe' },
  checkout: { connector: 'checkout' },
  phonypay: { connector: 'phonypay' },
  bridge: { connector: 'bridge' },
  paypal: { connector: 'paypal', without: { 'a raised hold': 'PayPal raises no holds' } },
  mollie: {
    connector: 'mollie',
    pay: mollieCard,
    paid: paidAtMollie,
    slow: '2 days',
    without: {
      'a raised hold': 'Mollie raises no holds',
      'a hold whose answer is lost, and of which a part was captured there, is paid': 'no lost answer leads to a page',
      'a refund of ours and one there of the same amount are both made': 'Mollie refuses the second of them within an hour',
    },
  },
  adyen: { ...adyen, several: false },
  // A merchant account for which Adyen has turned multiple partial captures on.
  'adyen with partial captures': {
    ...adyen,
    only: severalAtAdyen,
    shop: () => ({ sandboxKey: `sandbox_multi_${randomUUID()}` }),
  },
  // Braintree announces neither refunds nor captures nor voids of cards, ours or others': it is asked.
  braintree: {
    connector: 'braintree',
    heard: ['without a webhook'],
    several: false,
    slow: '26 hours',
    paid: async (shop, begun) => {
      await shop.wait('26 hours')
      return begun
    },
    without: {
      'a cancel of ours after a capture there is refused and says so, and the payment is paid': braintreeVoids,
      'a cancel of ours after a capture of a part there keeps what was captured': braintreeVoids,
      'a cancel of ours finds the hold captured there': braintreeVoids,
      'a cancel of ours finds a part captured there': braintreeVoids,
    },
  },
}

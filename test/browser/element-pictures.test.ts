import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { cards } from '../shop.ts'
import { type Checkout, lampShop, openCheckout, order, settled } from './element.ts'
import { compare, whyNot } from './pictures.ts'
import { phone, visit } from './visit.ts'

// The checkout looks as it did when a person last looked at it: in a shop's page, and on the page of a link.
// `npm test -- test/browser/element-pictures.test.ts --renew` takes new pictures; a person must look at them
// before they are committed.

const narrow = { width: 320, height: 800 }
const wide = { width: 1000, height: 760 }
const small = { width: 800, height: 700 }
const still = { reducedMotion: 'reduce' } as const
const saving = { customer_id: 'grace', setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } }
const ways = { allowed_payment_method_types: ['credit', 'debit', 'ideal', 'klarna'] }

type Shot = {
  order?: object
  asks?: Record<string, string>
  size?: typeof phone
  before?: (shop: Awaited<ReturnType<typeof lampShop>>) => Promise<unknown>
  /** The part of the page that is compared; by default the whole page. */
  part?: string
  does?: (checkout: Checkout) => Promise<unknown>
}
const shown = async ({ page, frame }: Checkout) => {
  await frame.getByRole('radio').first().waitFor()
  await settled(page)
}

const shots: Record<string, Shot> = {
  light: { order: ways, does: shown },
  dark: { order: ways, asks: { dark: '1', appearance: '{"theme":"dark"}' }, does: shown },
  'own-colours': {
    order: ways,
    asks: { appearance: '{"accent":"#0f766e","radius":"2px","labels":"floating","layout":"tabs"}' },
    does: shown,
  },
  narrow: { order: { ...ways, surcharge_details: { surcharge_amount: 150 } }, size: narrow, does: shown },
  'right-to-left': { order: ways, asks: { locale: 'ar' }, size: phone, does: shown },
  'error-at-its-field': {
    order: { allowed_payment_method_types: ['credit', 'debit'] },
    size: phone,
    async does(checkout) {
      await checkout.type('4242424242424241')
      await checkout.pay()
      await checkout.result()
    },
  },
  saved: {
    order: { customer_id: 'grace', allowed_payment_method_types: ['credit', 'debit'] },
    size: phone,
    before: shop => shop.pay({ ...saving, card: cards.approves }),
    does: shown,
  },
  challenge: {
    order: { authentication_type: 'three_ds', allowed_payment_method_types: ['credit', 'debit'] },
    size: phone,
    part: 'dialog',
    async does(checkout) {
      await checkout.type(cards.challenges)
      await checkout.pay()
      await checkout.bank.getByRole('button', { name: /accept/i }).waitFor()
      await checkout.action.locator('#bank.loaded').waitFor()
      // The bank's page does not belong to this service, so the picture leaves it empty.
      await checkout.bank.locator('body').evaluate(body => body.replaceChildren())
    },
  },
}

test('screenshots of the element match: light, dark, own colours, narrow, right to left, with an error, saved cards, a challenge', async t => {
  const wrong: (string | null)[] = []
  for (const [name, { order: more, asks, size = small, before, part = 'body', does }] of Object.entries(shots)) {
    const shop = await lampShop()
    await before?.(shop)
    const checkout = await openCheckout(shop, await order(shop, more), asks, size, still)
    const { page } = checkout
    await does?.(checkout)
    const why = await whyNot(page)
    if (why !== null) return t.skip(why)
    wrong.push(await compare(page, `element-${name}`, part))
  }
  deepEqual(
    wrong.filter(one => one !== null),
    [],
  )
})

test('screenshots of the payment link page match: light and dark, wide and narrow', async t => {
  const wrong: (string | null)[] = []
  const shop = await lampShop()
  const details = [{ product_name: 'Desk lamp', quantity: 2, amount: 12_450 }]
  for (const [colorScheme, size, name] of [
    ['light', wide, 'wide'],
    ['dark', narrow, 'narrow-dark'],
  ] as const) {
    const { payment_link } = await order(shop, { ...ways, payment_link: true, order_details: details })
    const { page } = await visit(shop.url, payment_link.link.slice(shop.url.length), size, { ...still, colorScheme })
    await page.getByRole('radio').first().waitFor()
    const why = await whyNot(page)
    if (why !== null) return t.skip(why)
    wrong.push(await compare(page, `link-${name}`, 'body'))
  }
  deepEqual(
    wrong.filter(one => one !== null),
    [],
  )
})

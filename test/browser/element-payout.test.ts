import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { ends, ibanEnding, openPayoutShop, type PayoutShop } from '../payout-shop.ts'
import type { Body } from '../shop.ts'
import { barriersOf, openCheckout, seriousOf } from './element.ts'
import { isNotWider, see } from './look.ts'
import { desktop, phone } from './visit.ts'

// A recipient enters a payout method in the shop's own page.

const open = { payout_type: undefined, payout_method_data: undefined, confirm: false, customer_id: 'grace' }
const refund = (shop: PayoutShop, more: Body = {}): Promise<Body> =>
  shop.payOut({ ...open, description: 'Two oak chairs returned', ...more })

/** Opens the shop's page with the element of a payout. */
async function openPayout(shop: PayoutShop, payout: Body, asks: Record<string, string> = {}, size = desktop) {
  const opened = await openCheckout(shop, payout, { element: 'payout', ...asks }, size)
  const { page, frame } = opened
  const visible = (label: string | RegExp) => frame.getByLabel(label).filter({ visible: true })
  return {
    ...opened,
    visible,
    button: frame.locator('#submit'),
    async typeIban(end: string) {
      await frame.getByRole('radio', { name: 'Bank account (IBAN)' }).check()
      await visible('IBAN').last().fill(ibanEnding(end))
    },
    events: async (name: string): Promise<Body[]> =>
      ((await page.evaluate('log')) as [string, Body][]).filter(([is]) => is === name).map(([, data]) => data),
  }
}

test('a payout is paid once in the merchant’s own page, even if the recipient double-clicks', async () => {
  const shop = await openPayoutShop()
  const payout = await refund(shop)
  const { page, frame, button, typeIban, events, problems } = await openPayout(shop, payout)
  await frame.getByText('€99.00', { exact: true }).waitFor()
  equal(await button.innerText(), 'Receive €99.00')
  await see(page, 'payout-element')
  deepEqual(await barriersOf(page), [])
  await typeIban(ends.approves)
  await see(page, 'payout-element-bank')
  await button.dblclick()
  await frame.getByRole('heading', { name: 'The money was sent' }).waitFor()
  await frame.getByText('*4242').waitFor()
  await see(page, 'payout-element-paid')
  deepEqual(await barriersOf(page), [])
  equal((await shop.paidOut()).length, 1)
  const [event, ...more] = await events('payout')
  deepEqual(event!.payout, { payout_id: payout.payout_id, status: 'success', amount: 9_900, currency: 'EUR', payout_type: 'bank' })
  deepEqual([more.length, (await events('error')).length, (await events('ready')).length], [0, 0, 1])
  ok((await events('change')).some(({ complete }) => complete))
  ok(!((await page.evaluate('JSON.stringify([log, document.documentElement.outerHTML])')) as string).includes('4242'))
  await page.reload()
  await frame.getByRole('heading', { name: 'The money was sent' }).waitFor()
  deepEqual(seriousOf(problems), [])
})

test('a confirm whose response is lost is looked up, and one that did not arrive can be sent again', async () => {
  const shop = await openPayoutShop()
  const lost = await openPayout(shop, await refund(shop))
  let sent = 0
  await lost.page.route('**/confirm', async route => {
    sent++
    await route.fetch()
    await route.abort()
  })
  await lost.typeIban(ends.approves)
  await lost.button.click()
  await lost.frame.getByRole('heading', { name: 'The money was sent' }).waitFor()
  deepEqual([sent, (await shop.paidOut()).length], [1, 1])

  const cut = await openPayout(shop, await refund(shop))
  await cut.typeIban(ends.approves)
  await cut.page.route('**/confirm', route => route.abort())
  await cut.button.click()
  await cut.frame.getByRole('alert').getByText('The service cannot be reached right now.').waitFor()
  equal((await cut.events('error')).at(-1)!.error.code, 'not_received')
  await cut.page.unroute('**/confirm')
  await cut.button.click()
  await cut.frame.getByRole('heading', { name: 'The money was sent' }).waitFor()
  equal((await shop.paidOut()).length, 2)
})

test('a payout open in two tabs is paid once', async () => {
  const shop = await openPayoutShop()
  const payout = await refund(shop)
  const [first, second] = [await openPayout(shop, payout), await openPayout(shop, payout)]
  for (const one of [first, second]) await one.typeIban(ends.approves)
  await first.button.click()
  await first.frame.getByRole('heading', { name: 'The money was sent' }).waitFor()
  await second.button.click()
  await second.frame.getByRole('heading', { name: 'The money was sent' }).waitFor()
  equal((await shop.paidOut()).length, 1)
})

test('an input error is shown at its field, and a payout in progress is followed until it succeeds', async () => {
  const shop = await openPayoutShop()
  const payout = await refund(shop)
  const { page, frame, button, visible, typeIban, events, problems } = await openPayout(shop, payout, {}, phone)
  await frame.getByRole('radio', { name: 'Bank account (IBAN)' }).check()
  await button.click()
  await frame.getByText('Please fill this in').waitFor()
  await visible('IBAN').last().fill('DE00370400440532013000')
  await button.click()
  await frame.getByText('This is not right. Please check it.').waitFor()
  deepEqual(await barriersOf(page), [])
  equal((await events('error')).at(-1)!.error.type, 'request_error')
  await typeIban(ends.approvesLater)
  await button.click()
  await frame.getByRole('heading', { name: 'Payout in progress' }).waitFor()
  await see(page, 'payout-element-open')
  await shop.wait('1 minute')
  await shop.syncPayout(payout.payout_id)
  await frame.getByRole('heading', { name: 'The money was sent' }).waitFor()
  deepEqual(
    (await events('payout')).map(one => one.payout.status),
    ['initiated', 'success'],
  )
  deepEqual(
    seriousOf(problems).filter(one => !/status of 422/.test(one)),
    [],
  )
})

test('an expired payout is shown as expired, in an element opened before and in one opened later', async () => {
  const shop = await openPayoutShop()
  const payout = await refund(shop)
  const early = await openPayout(shop, payout)
  await early.typeIban(ends.approves)
  await shop.wait('16 minutes')
  await early.button.click()
  await early.frame.getByRole('heading', { name: 'The time for this payout has expired' }).waitFor()
  equal((await early.events('error')).at(-1)!.error.code, 'session_expired')
  const late = await openPayout(shop, payout, {}, phone)
  await late.frame.getByRole('heading', { name: 'The time for this payout has expired' }).waitFor()
  deepEqual(await barriersOf(late.page), [])
  deepEqual([(await late.events('error')).at(-1)!.error.code, await shop.paidOut()], ['session_expired', []])
})

test('a payout of another merchant, or a wrong client_secret, shows no details of the payout', async () => {
  const [shop, other] = [await openPayoutShop(), await openPayoutShop()]
  const payout = await refund(other)
  for (const client_secret of [payout.client_secret, `${(await refund(shop)).client_secret}x`]) {
    const { frame, page } = await openPayout(shop, { client_secret })
    await frame.getByRole('heading', { name: 'The time for this payout has expired' }).waitFor()
    equal(await frame.getByText('99').count(), 0)
    await page.context().close()
  }
})

test('a payout account that the merchant already sent need not be entered again', async () => {
  const shop = await openPayoutShop()
  const payout = await shop.payOut({ confirm: false, customer_id: 'grace' })
  const { page, frame, button } = await openPayout(shop, payout)
  await frame.getByRole('radio', { name: 'The account already on file' }).waitFor()
  await see(page, 'payout-element-known')
  await button.click()
  await frame.getByRole('heading', { name: 'The money was sent' }).waitFor()
  equal((await shop.paidOut()).length, 1)
})

for (const [name, asks, size] of [
  ['in German, dark, in the shop’s colour', { locale: 'de-DE', dark: '1', appearance: '{"theme":"dark","accent":"#7c5cff"}' }, phone],
  ['in Arabic, from right to left, on the narrowest telephone', { locale: 'ar' }, { width: 320, height: 800 }],
] as const)
  test(`a recipient can enter a bank account by keyboard alone: ${name}`, async () => {
    const shop = await openPayoutShop()
    const only = { enabled_payment_methods: [{ payment_method: 'bank_transfer', payment_method_types: ['sepa'] }] }
    const payout = await refund(shop, { payout_link: true, payout_link_config: only })
    const { page, frame, problems } = await openPayout(shop, payout, asks, size)
    await frame.getByPlaceholder(/^DE/).waitFor()
    await see(page, `payout-${asks.locale}`)
    deepEqual(await barriersOf(page), [])
    await isNotWider(page, size.width)
    await page.keyboard.press('Tab')
    await page.keyboard.type(ibanEnding(ends.approves))
    await page.keyboard.press('Enter')
    await frame.locator('.outcome.good').waitFor()
    equal((await shop.paidOut()).length, 1)
    deepEqual(seriousOf(problems), [])
  })

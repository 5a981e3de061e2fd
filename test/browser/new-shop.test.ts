import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openNewShop } from '../../packages/cli/test/new-shop.ts'
import { eventually } from '../eventually.ts'
import { cards } from '../shop.ts'
import { barriersOf, checkoutOn, seriousOf } from './element.ts'
import { isNotWider, see } from './look.ts'
import { phone, visit } from './visit.ts'

// Shops as `switchyard init` writes them (those of Express and Fastify have the same page), installed from the
// registry.

const sandbox = process.env.TEST_SANDBOX_URL!

for (const framework of ['express', 'next'])
  test(`a customer pays on the page of a new ${framework} shop, and its server receives the webhook`, { timeout: 600_000 }, async () => {
    const { merchant, address, ask } = await openNewShop(framework)
    const { page, problems } = await visit(address, '/', phone, { mayAsk: [merchant.url, sandbox] })
    const { type, frame } = checkoutOn(page)
    await type(cards.declines)
    await page.getByRole('button', { name: /^Pay € 89\.00/ }).click()
    await frame.getByRole('alert').getByText('The payment was declined').waitFor()
    await page.getByRole('button', { name: /^Pay € 89\.00/, disabled: false }).waitFor()
    equal(await page.locator('#says').innerText(), '', 'the sentence stands in the element, and only there')
    await type(cards.approves)
    await see(page, `new-shop-${framework}`)
    deepEqual(await barriersOf(page), [])
    await isNotWider(page, phone.width)
    await page.getByRole('button', { name: /^Pay € 89\.00/ }).click()
    await page.getByText('Paid. Thank you!').waitFor()
    const [charge, ...more] = await merchant.processor.charges()
    deepEqual([charge!.amount, more.length], [8900, 0])
    const [{ payment_id }] = (await merchant.query('select payment_id from payments where merchant_id = $1', [merchant.merchant_id])) as [
      { payment_id: string },
    ]
    const paid = async () => ((await (await ask(`/orders/${payment_id}`)).json()) as { paid: boolean }).paid
    await eventually(paid, 'the webhook arrives')
    // After the return from a bank, the page shows the status of the order.
    await page.goto(`${address}/?payment_id=${payment_id}`)
    await page.getByText('Paid. Thank you!').waitFor()
    equal((await merchant.processor.charges()).length, 1)
    deepEqual(seriousOf(problems), [])
  })

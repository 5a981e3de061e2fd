import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { ends, openPayoutShop, recipients } from '../../test/payout-shop.ts'

test('deleting a customer erases the personal data and accounts of its payouts; the payouts remain', async () => {
  const shop = await openPayoutShop()
  const customer_id = 'cus_grace'
  const grace = {
    customer_id,
    name: 'Grace Hopper',
    email: 'grace@example.com',
    billing: { address: { last_name: 'Hopper', country: 'US' } },
  }
  const to = { bank: { ...recipients.bank().bank, account_holder_name: 'Grace Hopper' } }
  const { payout_id } = await shop.payOut({ ...grace, to })
  const draft = await shop.payOut({ ...grace, to, confirm: false })
  await shop.post(`/payouts/${draft.payout_id}`, { name: 'Grace Murray' })
  await shop.payOut({ ...grace, to, recurring: true })
  const underWay = await shop.payOut({ ...grace, to: recipients.bank(ends.paysAndResets) })
  equal(underWay.status, 'pending')
  equal((await shop.call('DELETE', `/customers/${customer_id}`)).status, 200)
  await shop.wait('5 minutes')
  await shop.wait('5 minutes')
  const found: string[] = []
  for (const name of ['payouts', 'changes', 'announcements', 'customers', 'payment_methods'])
    for (const { row } of await shop.query(`select t::text as row from ${name} t where merchant_id = $1`, [shop.merchant_id]))
      for (const word of ['Hopper', 'grace@', 'Murray', '4242']) if (row.includes(word)) found.push(`${name}: ${word}`)
  deepEqual(found, [])
  equal((await shop.query('select * from vault_records where merchant_id = $1', [shop.merchant_id])).length, 0)
  const paid = await shop.getPayout(payout_id)
  deepEqual([paid.status, paid.amount, paid.name, paid.billing.address.country], ['success', 9_900, 'Redacted', 'US'])
  equal((await shop.confirmPayout(draft.payout_id)).status, 400)
})

import { deepEqual, equal } from 'node:assert/strict'
import test from 'node:test'
import { openPayoutShop, payOutBody, recipients } from '../../payout-shop.ts'
import { isUnharmed } from './afterwards.ts'
import { attacks, clientOf, count, judgeUnknownMember, rowsOf, shapeOf, unknownMember, unknownMembers } from './attacks.ts'
import { at, bodyWith } from './fields.ts'
import { each, judge, openComplaints, same } from './knock.ts'

/** Bad input in every field of the body that creates a payout. No payout is confirmed, so no money is paid out. */

test('creating a payout: a hostile value is shown as it was sent or refused by name, and a refused payout leaves no row', async t => {
  const shop = await openPayoutShop()
  const knock = clientOf(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createPayout')
  const list = [...attacks(shape, 1), ...unknownMembers(shape).map(field => ({ field, hostile: unknownMember }))]
  let made = 0
  await each(list, async ({ field, hostile }) => {
    const type = field.path[0] === 'payout_method_data' ? String(field.path[1]) : 'bank'
    const to = recipients[type as keyof typeof recipients]?.() ?? recipients.bank()
    // A payout link is for a recipient who is a customer of the merchant, and its settings need a link.
    const link = String(field.path[0]).startsWith('payout_link') && { customer_id: 'cus_grace', payout_link: true }
    const { confirm: _not, payout_type: _followed, ...body } = { ...payOutBody({ to }), ...link }
    const answer = await knock('POST', '/payouts/create', bodyWith(shape, body, field.path, hostile.raw))
    if (answer.status === 200) made++
    if (field.path.at(-1) === 'stranger') return judgeUnknownMember(complaints, field, answer)
    // A member of a payout method that this request does not choose, or of a routing rule, is refused because of the
    // members beside it.
    const [top, ...inside] = field.path
    if (top === 'routing' || (top === 'payout_method_data' && at(body, field.path) === undefined && inside.length > 0)) {
      if (answer.status >= 500 || (answer.status !== 200 && answer.body?.error === undefined))
        complaints.about(field.path, hostile, answer, 'is no refusal')
      return
    }
    const verdict = judge(complaints, field, hostile, answer)
    if (verdict.is !== 'accepted') return
    const seen = (await knock('GET', `/payouts/${answer.body.payout_id}`)).body
    if (!same(seen, answer.body)) complaints.about(field.path, hostile, answer, 'is shown otherwise a moment later')
    const name = String(field.path[0])
    const asSent = ['amount', 'currency', 'metadata', 'description', 'merchant_order_reference_id', 'billing', 'return_url', 'priority']
    if (asSent.includes(name) && verdict.sent !== undefined && !same(at(seen, field.path), verdict.sent))
      complaints.about(field.path, hostile, answer, 'is shown otherwise')
  })
  count(t, list.length, made)
  complaints.none()
  equal(await rowsOf(shop, 'payouts'), made, 'a refused payout leaves no row')
  deepEqual((await shop.paidOut()).length, await paid(shop))
})

/** Gives the number of payouts that a hostile value has confirmed. */
const paid = async (shop: Awaited<ReturnType<typeof openPayoutShop>>): Promise<number> =>
  (await shop.query("select * from payouts where merchant_id = $1 and status = 'success'", [shop.merchant_id])).length

test('after the hostile input the service takes a payment, has logged no error, and its heap has not grown', isUnharmed)

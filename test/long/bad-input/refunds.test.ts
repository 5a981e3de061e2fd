import { equal } from 'node:assert/strict'
import test from 'node:test'
import { openShop } from '../../shop.ts'
import { isUnharmed } from './afterwards.ts'
import { attacks, clientOf, count, judgeUnknownMember, rowsOf, shapeOf, unknownMember, unknownMembers } from './attacks.ts'
import { at, bodyWith } from './fields.ts'
import { bringing } from './good-payments.ts'
import { each, judge, openComplaints, same } from './knock.ts'

/** Bad input in every field of the body that creates a refund. */

test('creating a refund: a hostile value is shown as it was sent or refused by name, and a refused refund moves no money', async t => {
  const sandboxKey = `sandbox_refunds_${process.pid}`
  const shop = await openShop({ sandboxKey })
  const brought = bringing(sandboxKey)
  const { merchant_connector_details } = brought
  const knock = clientOf(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createRefund')
  const paid: { payment_id: string; refunds: number }[] = []
  const list = [...attacks(shape, 1), ...unknownMembers(shape).map(field => ({ field, hostile: unknownMember }))]
  let refunded = 0
  await each(list, async ({ field, hostile }) => {
    const from = paid.pop() ?? { payment_id: (await shop.pay({ amount: 5000, ...brought })).payment_id, refunds: 0 }
    // A refund may contain only the credentials that came with its payment.
    const host = {
      payment_id: from.payment_id,
      amount: 100,
      ...(field.path[0] === 'merchant_connector_details' && { merchant_connector_details }),
    }
    const answer = await knock('POST', '/refunds', bodyWith(shape, host, field.path, hostile.raw))
    const whole = field.path[0] === 'amount'
    if (answer.status === 200) refunded++
    if (answer.status !== 200 || (++from.refunds < 10 && !whole)) paid.push(from)
    if (field.path.at(-1) === 'stranger') return judgeUnknownMember(complaints, field, answer)
    const verdict = judge(complaints, field, hostile, answer)
    if (verdict.is !== 'accepted') return
    const seen = (await knock('GET', `/refunds/${answer.body.refund_id}`)).body
    const name = field.path[0]!
    const shown = Object.hasOwn(seen, name) && !(verdict.sent === undefined && ['amount', 'refund_id'].includes(name))
    // The processor's raw answer is shown once, in the answer to the request that asked for it.
    if (name !== 'all_keys_required' && !same(seen, answer.body))
      complaints.about(field.path, hostile, answer, 'is shown otherwise a moment later')
    if (shown && !same(at(seen, field.path), verdict.sent)) complaints.about(field.path, hostile, answer, 'is shown otherwise')
  })
  count(t, list.length, refunded)
  complaints.none()
  equal(await rowsOf(shop, 'refunds'), refunded, 'a refused refund leaves no row')
  const total = (await shop.processor.charges()).reduce((sum, charge) => sum + charge.refunded, 0)
  const [{ back }] = await shop.query('select sum(amount_refunded) as back from payments where merchant_id = $1', [shop.merchant_id])
  equal(Number(back), total, 'the processor and we agree on what was given back')
})

test('after the hostile input the service takes a payment, has logged no error, and its heap has not grown', isUnharmed)

import { deepEqual, equal, ok } from 'node:assert/strict'
import test from 'node:test'
import { openShop } from '../../shop.ts'
import { isUnharmed } from './afterwards.ts'
import { attacks, clientOf, count, judgeUnknownMember, neverTaken, shapeOf, unknownMember, unknownMembers } from './attacks.ts'
import { at, bodyWith, type Field, nameOf } from './fields.ts'
import { bringing, hostOf } from './good-payments.ts'
import type { Hostile } from './hostile.ts'
import { asKept, each, faultOfRefusal, judge, openComplaints, type RawAnswer, same } from './knock.ts'
import { faultOfShown, keptAs, keptOfCredentials } from './shown-payments.ts'

/** Bad input in every field of the bodies that create, confirm, capture and cancel a payment. */

test('creating a payment: a hostile value in any field is stored and shown as it was sent, or refused by name', async t => {
  const shop = await openShop()
  const knock = clientOf(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createPayment')
  const expected = new Map<string, { field: Field; hostile: Hostile; sent: unknown }>()
  const taken = new Map<string, number>()
  let created = 0
  let confirmed = 0
  let proven = 0
  const list = [...attacks(shape), ...unknownMembers(shape).map(field => ({ field, hostile: unknownMember }))].filter(isNoRepeat)
  await each(list, async ({ field, hostile }) => {
    const answer = await knock('POST', '/payments', bodyWith(shape, hostOf(field.path, false), field.path, hostile.raw))
    if (answer.status === 200) created++
    // The result of an authentication (`three_ds_data`) comes together with a confirmation.
    if (answer.body?.status === 'requires_capture') field.path[0] === 'three_ds_data' ? proven++ : confirmed++
    const verdict = judge(complaints, field, hostile, answer)
    if (field.path.at(-1) === 'stranger') return judgeUnknownMember(complaints, field, answer)
    taken.set(nameOf(field.path), (taken.get(nameOf(field.path)) ?? 0) + (verdict.is === 'accepted' ? 1 : 0))
    if (verdict.is !== 'accepted') return
    const seen = await knock('GET', `/payments/${answer.body.payment_id}`)
    // The processor's raw answer is shown once, in the answer to the request that asked for it.
    if (field.path[0] !== 'all_keys_required' && !same(seen.body, answer.body))
      complaints.about(field.path, hostile, seen, 'is shown otherwise a moment later')
    const fault = faultOfShown(field.path, verdict.sent, seen.body)
    if (fault) complaints.about(field.path, hostile, answer, fault)
    expected.set(answer.body.payment_id, { field, hostile, sent: verdict.sent })
  })
  const rows = await shop.query('select payment_id, request from payments where merchant_id = $1', [shop.merchant_id])
  const accounts = await shop.query('select merchant_connector_id, details from connector_accounts where merchant_id = $1', [
    shop.merchant_id,
  ])
  for (const { payment_id, request } of rows) {
    const one = expected.get(payment_id)
    if (one?.field.path[0] === 'merchant_connector_details' && one.sent !== undefined) {
      const its = accounts.find(({ merchant_connector_id }) => merchant_connector_id === request.brought_account)
      const kept = asKept(keptOfCredentials(one.field.path, its?.details, one.sent), false)
      if (!same(kept, one.sent)) complaints.about(one.field.path, one.hostile, null, `is kept as ${JSON.stringify(kept)?.slice(0, 120)}`)
    }
    const where = one && keptAs(one.field.path)
    if (one && where && one.sent !== undefined && !same(at(request, where), one.sent))
      complaints.about(one.field.path, one.hostile, null, `is kept as ${JSON.stringify(at(request, where))?.slice(0, 120)}`)
  }
  count(t, list.length, created)
  neverTaken(complaints, taken)
  complaints.none()
  equal(rows.length, created, 'a refused payment leaves no row')
  equal(confirmed, 1, 'only `confirm: true` itself confirms')
  equal((await shop.processor.operations()).length, confirmed + proven, 'what was refused never reached the processor')
})

test('confirming a payment: a hostile value is accepted or refused by name, and a refused confirm leaves the payment unchanged', async t => {
  const shop = await openShop()
  const knock = clientOf(shop)
  const complaints = openComplaints()
  const shape = shapeOf('confirmPayment')
  const target = await shop.create({ capture_method: 'manual' })
  const taken = new Map<string, number>()
  // The shop has no account at this connector: a confirm that passes all checks ends here (IR_39), before anything is
  // written.
  const noAccount = ['stripe']
  const good: { field: Field; hostile: Hostile; sent: unknown }[] = []
  const list = [...attacks(shape, 30), ...unknownMembers(shape).map(field => ({ field, hostile: unknownMember }))].filter(isNoRepeat)
  await each(list, async ({ field, hostile }) => {
    // A field that itself names the connector or account may lead to a confirmation.
    const goes = ['connector', 'merchant_connector_details'].includes(field.path[0]!)
    const host = { connector: noAccount, ...hostOf(field.path, true) }
    const { payment_id } = goes ? await shop.create({ capture_method: 'manual' }) : target
    const answer = await knock('POST', `/payments/${payment_id}/confirm`, bodyWith(shape, host, field.path, hostile.raw))
    if (answer.status === 200 && !goes) complaints.about(field.path, hostile, answer, 'confirmed at nobody')
    if (field.path.at(-1) === 'stranger')
      return judgeUnknownMember(complaints, field, answer, answer => (goes && answer.status === 200) || hasNoConnector(answer))
    const verdict = judge(complaints, field, hostile, answer, answer => answer.status === 200 || hasNoConnector(answer))
    taken.set(nameOf(field.path), (taken.get(nameOf(field.path)) ?? 0) + (verdict.is === 'accepted' ? 1 : 0))
    if (verdict.is === 'accepted') good.push({ field, hostile, sent: verdict.sent })
  })
  neverTaken(complaints, taken)
  deepEqual((await shop.get(target.payment_id)).status, 'requires_confirmation')
  const charged = (await shop.processor.charges()).length

  // The longest few of the accepted values of each field go all the way to the processor.
  const chosen = Object.values(Object.groupBy(good, one => nameOf(one.field.path))).flatMap(ones =>
    ones!.sort((a, b) => String(b.hostile.raw).length - String(a.hostile.raw).length).filter((_, i) => i === 0 || i === 3),
  )
  let confirmed = 0
  await each(chosen, async ({ field, hostile, sent }) => {
    if (
      field.path[0] === 'connector' ||
      (field.path[0] === 'payment_method_data' && field.path[1] !== 'card' && field.path[1] !== 'billing')
    )
      return
    const { payment_id } = await shop.create({ capture_method: 'manual' })
    const body = bodyWith(shape, hostOf(field.path, true), field.path, hostile.raw)
    const answer = await knock('POST', `/payments/${payment_id}/confirm`, body, { 'idempotency-key': payment_id })
    if (answer.status !== 200) {
      if (faultOfRefusal(answer) || !hasNoConnector(answer)) complaints.about(field.path, hostile, answer, 'is refused at last')
      return
    }
    confirmed++
    const seen = (await knock('GET', `/payments/${payment_id}`)).body
    // The processor's raw answer is shown once, in the answer to the request that asked for it.
    if (field.path[0] !== 'all_keys_required' && !same(seen, answer.body))
      complaints.about(field.path, hostile, answer, 'is shown otherwise a moment later')
    const fault = faultOfShown(field.path, sent, seen)
    if (fault && sent !== undefined) complaints.about(field.path, hostile, answer, fault)
    const again = await knock('POST', `/payments/${payment_id}/confirm`, body, { 'idempotency-key': payment_id })
    if (again.text !== answer.text) complaints.about(field.path, hostile, again, 'is answered otherwise under the same key')
  })
  count(t, list.length + chosen.length, confirmed)
  complaints.none()
  const charges = await shop.processor.charges()
  equal(new Set(charges.map(charge => charge.reference)).size, charges.length)
  ok(charges.length - charged <= confirmed, `${charges.length} charges for ${confirmed} confirmed payments`)
})

const hasNoConnector = (answer: RawAnswer): boolean => answer.status === 400 && answer.body?.error?.code === 'IR_39'

/** Whether the field is not of `recurring_details`, which needs a body of its own: below. */
const isNoRepeat = ({ field }: { field: Field }): boolean => field.path[0] !== 'recurring_details'

test('charging off-session: a hostile value in recurring_details is charged once or refused', async t => {
  const shop = await openShop()
  const knock = clientOf(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createPayment')
  const data = { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2040', network_transaction_id: '123456789012345' }
  const { payment_method_data: _card, ...body } = hostOf([], false)
  const host = {
    ...body,
    confirm: true,
    off_session: true,
    customer_id: 'cus_grace',
    recurring_details: { type: 'network_transaction_id_and_card_details', data },
  }
  const list = attacks(shape).filter(({ field }) => !isNoRepeat({ field }))
  let charged = 0
  await each(list, async ({ field, hostile }) => {
    const answer = await knock('POST', '/payments', bodyWith(shape, host, field.path, hostile.raw))
    if (answer.status === 200) charged++
    else if (faultOfRefusal(answer)) complaints.about(field.path, hostile, answer, faultOfRefusal(answer)!)
  })
  count(t, list.length, charged)
  complaints.none()
  equal((await shop.processor.charges()).length, charged)
})

test('capturing and cancelling: a hostile value is accepted or refused by name, and a refused request moves no money', async t => {
  const sandboxKey = `sandbox_captures_${process.pid}`
  const shop = await openShop({ sandboxKey })
  const brought = bringing(sandboxKey)
  const { merchant_connector_details } = brought
  // A later request of a payment may contain only the credentials that came with the payment.
  const its = ({ path }: Field) => path[0] === 'merchant_connector_details' && { merchant_connector_details }
  const knock = clientOf(shop)
  const complaints = openComplaints()
  const captureShape = shapeOf('capturePayment')
  const holds: { payment_id: string; captured: number }[] = []
  const captures = [...attacks(captureShape, 1), ...unknownMembers(captureShape).map(field => ({ field, hostile: unknownMember }))]
  let captured = 0
  await each(captures, async ({ field, hostile }) => {
    const { payment_id } = holds.pop() ?? (await shop.hold({ amount: 2_000_000_000, capture_method: 'manual_multiple', ...brought }))
    const before = await shop.get(payment_id)
    const answer = await knock(
      'POST',
      `/payments/${payment_id}/capture`,
      bodyWith(captureShape, { amount_to_capture: 2, ...its(field) }, field.path, hostile.raw),
    )
    if (field.path.at(-1) === 'stranger') judgeUnknownMember(complaints, field, answer)
    else {
      const verdict = judge(complaints, field, hostile, answer)
      const amount = field.path[0] === 'amount_to_capture' && verdict.is === 'accepted' ? verdict.sent : 2
      const now = await shop.get(payment_id)
      const moved = (now.amount_received ?? 0) - (before.amount_received ?? 0)
      if (moved !== (answer.status === 200 ? amount : 0)) complaints.about(field.path, hostile, answer, `moved ${moved}`)
    }
    if (answer.status === 200) captured++
    // A final capture releases the rest of its hold.
    if (answer.status !== 200 || field.path[0] !== 'final_capture') holds.push({ payment_id, captured })
  })
  count(t, captures.length, captured)

  const cancelShape = shapeOf('cancelPayment')
  const cancels = [...attacks(cancelShape, 1), ...unknownMembers(cancelShape).map(field => ({ field, hostile: unknownMember }))]
  const open: string[] = []
  let cancelled = 0
  await each(cancels, async ({ field, hostile }) => {
    const payment_id = open.pop() ?? (await shop.create(brought)).payment_id
    const answer = await knock('POST', `/payments/${payment_id}/cancel`, bodyWith(cancelShape, { ...its(field) }, field.path, hostile.raw))
    const seen = await shop.get(payment_id)
    equal(seen.status, answer.status === 200 ? 'cancelled' : 'requires_confirmation')
    if (answer.status !== 200) open.push(payment_id)
    else cancelled++
    if (field.path.at(-1) === 'stranger') return judgeUnknownMember(complaints, field, answer)
    const verdict = judge(complaints, field, hostile, answer)
    if (verdict.is !== 'accepted' || field.path[0] !== 'cancellation_reason') return
    if (!same(seen.cancellation_reason, verdict.sent))
      complaints.about(field.path, hostile, answer, `is shown as ${seen.cancellation_reason}`)
  })
  count(t, cancels.length, cancelled)
  complaints.none()
  const total = (await shop.processor.charges()).reduce((sum, charge) => sum + charge.captured, 0)
  const [{ received }] = await shop.query('select sum(amount_received) as received from payments where merchant_id = $1', [
    shop.merchant_id,
  ])
  equal(Number(received), total, 'the processor and we agree on what was captured')
})

test('after the hostile input the service takes a payment, has logged no error, and its heap has not grown', isUnharmed)

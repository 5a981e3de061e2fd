import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import {
  attach,
  disputeEvents,
  disputesOf,
  dispute as disputeThere,
  files,
  getDispute,
  hasNoGap,
  kept,
  openDisputedShop,
  stands,
} from '../../test/disputes.ts'
import { isRefused } from '../../test/refused.ts'
import { openShop } from '../../test/shop.ts'
import { disputeStages, disputeStatuses } from '../connectors/dispute.ts'
import { isAllowed, isKept, mayGo, type Standing } from './lifecycle.ts'

/** Disputes that merchants record themselves, and the requests that a dispute allows in its status. */

const recorded = async (shop: Awaited<ReturnType<typeof openShop>>, payment_id: string, more: object = {}) => {
  const answer = await shop.post('/disputes', { payment_id, amount: 600, ...more })
  equal(answer.status, 200, answer.text)
  return answer.body
}

test('a dispute can be recorded and updated manually, and counts like any other', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const dispute = await recorded(shop, payment_id, {
    connector_reason: 'not_received',
    connector_reason_code: '13.1',
    challenge_required_by: '2046-01-01T00:00:00+01:00',
  })
  deepEqual(
    [
      stands(dispute),
      dispute.amount,
      dispute.is_manual,
      dispute.connector_reason,
      dispute.connector_reason_code,
      dispute.challenge_required_by,
    ],
    ['dispute dispute_opened', '600', true, 'not_received', '13.1', '2045-12-31T23:00:00.000Z'],
  )
  match(dispute.connector_dispute_id, /^dp_\w{20}$/)
  equal(await kept(shop, payment_id), 600)
  const move = (body: object) => shop.call('PUT', `/disputes/${dispute.dispute_id}/update-status`, body)
  const moved = await move({ dispute_status: 'dispute_challenged', transition_reason: 'by fax' })
  deepEqual(moved.body, {
    dispute_id: dispute.dispute_id,
    payment_id,
    dispute_stage: 'dispute',
    dispute_status: 'dispute_challenged',
    transition_reason: 'by fax',
  })
  isRefused(await move({ dispute_status: 'dispute_opened' }), 400, 'HE_03', /cannot become dispute_opened/)
  equal((await move({ dispute_status: 'dispute_won' })).body.transition_reason, null)
  equal(await kept(shop, payment_id), 0)
  equal((await move({ dispute_status: 'dispute_opened', dispute_stage: 'pre_arbitration' })).status, 200)
  equal(await kept(shop, payment_id), 600)
  equal((await move({ dispute_status: 'dispute_lost' })).status, 200)
  deepEqual(await disputeEvents(shop, payment_id), [
    'dispute_opened',
    'dispute_challenged',
    'dispute_won',
    'dispute_opened',
    'dispute_lost',
  ])
  equal((await shop.get(payment_id)).state_metadata.total_disputed_amount, 600)
  await hasNoGap(shop, payment_id)
  isRefused(await shop.post(`/disputes/accept/${dispute.dispute_id}`, {}), 400, 'HE_03')
})

test('an invalid dispute is refused with the name of the field', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const held = await shop.hold()
  const body = { payment_id, amount: 600 }
  isRefused(await shop.post('/disputes', { ...body, payment_id: 'pay_none' }), 404, 'HE_02')
  isRefused(await shop.post('/disputes', { ...body, payment_id: held.payment_id }), 400, 'IR_16', /none of its amount was captured/)
  isRefused(await shop.post('/disputes', { ...body, amount: 1251 }), 400, 'IR_16', /1250/)
  isRefused(await shop.post('/disputes', { ...body, amount: 0 }), 400, 'IR_06', /amount/)
  isRefused(await shop.post('/disputes', { ...body, challenge_required_by: 'soon' }), 422, 'IR_05', /challenge_required_by/)
  isRefused(await shop.post('/disputes', { ...body, dispute_status: 'dispute_won' }), 400, 'IR_06', /dispute_status/)
  await recorded(shop, payment_id, { connector_dispute_id: 'CB1' })
  isRefused(await shop.post('/disputes', { ...body, connector_dispute_id: 'CB1' }), 400, 'HE_01')
  isRefused(await shop.call('PUT', '/disputes/dp_none/update-status', { dispute_status: 'dispute_won' }), 404, 'HE_04')
})

test('a dispute reported by a processor cannot be updated manually, and evidence for a recorded one cannot be submitted', async () => {
  const shop = await openDisputedShop()
  const { payment_id } = await shop.pay()
  await shop.wait('1 minute')
  const { dispute_id, remote } = await disputeThere(shop, payment_id)
  const shown = await getDispute(shop, dispute_id)
  equal(shown.is_manual, false)
  isRefused(await shop.call('PUT', `/disputes/${dispute_id}/update-status`, { dispute_status: 'dispute_won' }), 400, 'HE_03')
  const other = await shop.pay()
  const by = await recorded(shop, other.payment_id, { connector_dispute_id: 'theirs' })
  isRefused(
    await shop.post('/disputes/evidence', { dispute_id: by.dispute_id, uncategorized_text: 'x' }),
    400,
    'HE_03',
    /recorded manually/,
  )
  equal((await attach(shop, { dispute_id: by.dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf })).status, 200)
  equal(typeof remote.id, 'string')
  equal((await disputesOf(shop, other.payment_id)).length, 1)
})

test('each operation is refused in every stage and status that does not allow it, and so is every manual move that is not allowed', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const { dispute_id } = await recorded(shop, payment_id)
  const key = [shop.merchant_id, dispute_id]
  const row = async () => (await shop.query('select * from disputes where merchant_id = $1 and dispute_id = $2', key))[0]!
  const stand = ({ dispute_stage, dispute_status }: Standing, manual: boolean) =>
    shop.query(
      'with d as (update disputes set dispute_stage = $3, dispute_status = $4, is_manual = $5, kept = $6 where merchant_id = $1 and dispute_id = $2 returning payment_id) update payments p set amount_disputed = $6 from d where p.merchant_id = $1 and p.payment_id = d.payment_id',
      [...key, dispute_stage, dispute_status, manual, isKept({ dispute_stage, dispute_status }) ? 600 : 0],
    )
  const all = disputeStages.flatMap(dispute_stage => disputeStatuses.map(dispute_status => ({ dispute_stage, dispute_status })))
  const asks = {
    accept: () => shop.post(`/disputes/accept/${dispute_id}`, {}),
    contest: () => shop.post('/disputes/evidence', { dispute_id, uncategorized_text: 'x' }),
    attach: () => attach(shop, { dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf }),
  }
  let refused = 0
  for (const from of all) {
    await stand(from, false)
    const before = await row()
    for (const [name, ask] of Object.entries(asks)) {
      if (isAllowed(name as keyof typeof asks, from)) continue
      isRefused(await ask(), 400, 'HE_03', /This dispute cannot be/)
      refused++
    }
    deepEqual(await row(), before)
    for (const to of all) {
      await stand(from, true)
      const answer = await shop.call('PUT', `/disputes/${dispute_id}/update-status`, to)
      if (!mayGo(from, to)) isRefused(answer, 400, 'HE_03')
      else {
        equal(answer.status, 200, answer.text)
        const now = await row()
        deepEqual([now.dispute_stage, now.dispute_status, Number(now.kept)], [to.dispute_stage, to.dispute_status, isKept(to) ? 600 : 0])
        equal(await kept(shop, payment_id), isKept(to) ? 600 : 0)
      }
    }
  }
  equal(refused, 35 * 3 - 4 * (2 + 2 + 1))
})

import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import {
  attach,
  decide,
  dispute,
  disputed,
  disputeEvents,
  disputesOf,
  files,
  getDispute,
  hasNoGap,
  kept,
  openDisputedShop,
  sendForm,
  stands,
} from '../../test/disputes.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, processors } from '../../test/shop.ts'

/** Each processor's words for a new dispute and for an accepted one. */
const terms = {
  phonypay: { new: 'needs_response', accepted: 'accepted', reason: 'fraudulent' },
  stripe: { new: 'needs_response', accepted: 'lost', reason: 'fraudulent' },
  adyen: { new: 'Undefended', accepted: 'Undefended', reason: 'fraudulent' },
  paypal: { new: 'WAITING_FOR_SELLER_RESPONSE', accepted: 'WAITING_FOR_SELLER_RESPONSE', reason: 'UNAUTHORISED' },
} as const

for (const connector of processors) {
  test(`${connector}: a dispute reported by the processor is listed, reserves its amount, and is part of its payment`, async () => {
    const shop = await openDisputedShop(connector)
    const { payment, dispute, dispute_id, remote } = await disputed(shop, { amount: 800 })
    match(dispute_id, /^dp_\w{20}$/)
    equal(stands(dispute), 'dispute dispute_opened')
    deepEqual(
      [dispute.amount, dispute.currency, dispute.connector_dispute_id, dispute.connector, dispute.attempt_id, dispute.is_manual],
      ['800', 'USD', remote.id, connector, `${payment.payment_id}_1`, false],
    )
    deepEqual([dispute.connector_status, dispute.connector_reason], [terms[connector].new, terms[connector].reason])
    match(dispute.challenge_required_by, /^\d{4}-/)
    equal(dispute.is_already_refunded, false)
    const [shown] = await disputesOf(shop, payment.payment_id)
    deepEqual([shown!.dispute_id, shown!.amount, shown!.currency, shown!.payment_id], [dispute_id, '800', 'USD', undefined])
    equal(await kept(shop, payment.payment_id), 800)
    isRefused(await shop.refund(payment.payment_id, 451), 400, 'IR_13', /left to refund: 450/)
    equal((await shop.get(payment.payment_id)).status, 'succeeded')
    await hasNoGap(shop, payment.payment_id)
  })

  test(`${connector}: evidence is attached, listed, deleted and submitted, and a won dispute releases its amount`, async () => {
    const shop = await openDisputedShop(connector)
    const { payment, dispute_id, remote } = await disputed(shop)
    const about = { dispute_id, evidence_type: 'receipt' }
    const first = await attach(shop, about, { bytes: files.pdf })
    equal(first.status, 200, first.text)
    equal(
      (await attach(shop, { ...about, evidence_type: 'shipping_documentation' }, { bytes: files.jpeg, name: 'parcel.jpeg' })).status,
      200,
    )
    const download = (as: Record<string, string>) => fetch(`${shop.url}/files/${first.body.file_id}`, { headers: as })
    const file = await download({ 'api-key': shop.api_key })
    deepEqual(
      [file.status, file.headers.get('content-type'), file.headers.get('content-disposition'), file.headers.get('x-content-type-options')],
      [200, 'application/pdf', `attachment; filename="${first.body.file_id}.pdf"`, 'nosniff'],
    )
    deepEqual(Buffer.from(await file.arrayBuffer()), files.pdf)
    equal((await shop.call('GET', `/files/${first.body.file_id}`)).status, 200)
    isRefused(await shop.call('GET', `/files/${first.body.file_id}x`), 404, 'HE_04')
    isRefused(await shop.call('GET', '/files/..%2F..%2Fx'), 404, 'HE_04')
    equal((await download({})).status, 401)
    const list = async () => (await shop.call('GET', `/disputes/evidence/${dispute_id}`)).body
    deepEqual(
      (await list()).map((one: { evidence_type: string; file_metadata_response: object }) => [
        one.evidence_type,
        one.file_metadata_response,
      ]),
      [
        [
          'receipt',
          { ...first.body, file_name: 'receipt.pdf', file_size: files.pdf.length, file_type: 'application/pdf', available: true },
        ],
        [
          'shipping_documentation',
          {
            file_id: (await list())[1].file_metadata_response.file_id,
            file_name: 'parcel.jpg',
            file_size: files.jpeg.length,
            file_type: 'image/jpeg',
            available: true,
          },
        ],
      ],
    )
    const gone = await shop.call('DELETE', '/disputes/evidence', { dispute_id, evidence_type: 'shipping_documentation' })
    deepEqual([gone.status, gone.text], [200, ''])
    isRefused(await shop.call('DELETE', '/disputes/evidence', { dispute_id, evidence_type: 'shipping_documentation' }), 404, 'HE_04')
    const texts = connector === 'adyen' ? {} : { product_description: 'two chairs', shipping_tracking_number: 'RR12' }
    isRefused(await shop.post('/disputes/evidence', { dispute_id, receipt: 'file_none', ...texts }), 404, 'HE_04', /file_none/)
    const submitted = await shop.post('/disputes/evidence', { dispute_id, receipt: first.body.file_id, ...texts })
    equal(submitted.status, 200, submitted.text)
    equal(stands(submitted.body), 'dispute dispute_challenged')
    equal(await kept(shop, payment.payment_id), 1250)
    await shop.wait('1 minute')
    isRefused(await attach(shop, about, { bytes: files.pdf }), 400, 'HE_03', /dispute_challenged/)
    await decide(shop, remote, { status: 'won' })
    const won = await getDispute(shop, dispute_id)
    equal(stands(won), 'dispute dispute_won')
    equal(await kept(shop, payment.payment_id), 0)
    isRefused(await shop.post('/disputes/evidence', { dispute_id, receipt: first.body.file_id }), 400, 'HE_03')
    isRefused(await shop.post(`/disputes/accept/${dispute_id}`, {}), 400, 'HE_03', /dispute_won/)
    equal((await shop.refund(payment.payment_id)).status, 200)
    deepEqual((await disputeEvents(shop, payment.payment_id)).slice(-2), ['dispute_challenged', 'dispute_won'])
    await hasNoGap(shop, payment.payment_id)
  })

  test(`${connector}: an accepted dispute keeps its status and its reserved amount`, async () => {
    const shop = await openDisputedShop(connector)
    const { payment, dispute_id } = await disputed(shop)
    const answer = await shop.post(`/disputes/accept/${dispute_id}`, {})
    equal(answer.status, 200, answer.text)
    deepEqual([stands(answer.body), answer.body.connector_status], ['dispute dispute_accepted', terms[connector].accepted])
    await shop.wait('1 minute')
    equal(stands(await getDispute(shop, dispute_id, '?force_sync=true')), 'dispute dispute_accepted')
    equal(await kept(shop, payment.payment_id), 1250)
    isRefused(await shop.refund(payment.payment_id, 100), 400, 'IR_13')
    isRefused(await shop.post(`/disputes/accept/${dispute_id}`, {}), 400, 'HE_03')
    await hasNoGap(shop, payment.payment_id)
  })

  test(`${connector}: a lost dispute counts in the payment, and an inquiry reserves nothing`, async () => {
    const shop = await openDisputedShop(connector)
    const { payment, remote } = await disputed(shop, { amount: 1000 })
    // PayPal's first decision may be appealed.
    await decide(shop, remote, connector === 'paypal' ? { stage: 'second_chargeback', status: 'lost' } : { status: 'lost' })
    const lost = await shop.get(payment.payment_id)
    equal(lost.state_metadata.total_disputed_amount, 1000)
    equal(lost.disputes[0].dispute_status, 'dispute_lost')
    const asked = await disputed(shop, { stage: 'inquiry' })
    equal(stands(asked.dispute), 'pre_dispute dispute_opened')
    equal(await kept(shop, asked.payment.payment_id), 0)
    equal((await shop.refund(asked.payment.payment_id, 100)).status, 200)
  })

  test(`${connector}: a decision of which no webhook came is found by a sync of the payment, where the processor allows it`, async () => {
    const shop = await openDisputedShop(connector)
    const { payment, dispute_id, remote } = await disputed(shop)
    await shop.processor.account({ webhooks: 'lose' })
    await decide(shop, remote, { status: 'won' })
    await shop.sync(payment.payment_id)
    equal(stands(await getDispute(shop, dispute_id)), `dispute ${connector === 'adyen' ? 'dispute_opened' : 'dispute_won'}`)
    equal(await kept(shop, payment.payment_id), connector === 'adyen' ? 1250 : 0)
  })

  test(`${connector}: a missed webhook is made up for by a poll, where the processor allows it`, async () => {
    const shop = await openDisputedShop(connector)
    const { dispute_id, remote } = await disputed(shop)
    await shop.processor.account({ webhooks: 'hold' })
    await decide(shop, remote, { status: 'won' })
    equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_opened')
    const answer = await shop.call('GET', `/disputes/${dispute_id}?force_sync=true`)
    const expected = connector === 'adyen' ? ['dispute_opened', 'adyen'] : ['dispute_won', undefined]
    deepEqual([answer.body.dispute_status, answer.headers['force-sync-unanswered']], expected)
    await shop.processor.account({ webhooks: 'send' })
    await shop.processor.flushWebhooks()
    equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_won')
  })
}

test('a payment with the test card for disputes is disputed at once', async () => {
  const shop = await openDisputedShop()
  const { payment_id } = await shop.pay({ card: cards.isDisputed })
  await shop.wait('1 minute')
  const [dispute] = await disputesOf(shop, payment_id)
  equal(stands(dispute!), 'dispute dispute_opened')
  deepEqual(await disputeEvents(shop, payment_id), ['dispute_opened'])
})

test('a payment refunded before its dispute shows that more was returned than captured', async () => {
  const shop = await openDisputedShop()
  const payment = await shop.pay({ amount: 1250 })
  equal((await shop.refund(payment.payment_id, 1250)).body.status, 'succeeded')
  const { dispute_id, remote } = await dispute(shop, payment.payment_id)
  equal((await getDispute(shop, dispute_id)).is_already_refunded, false, 'not lost yet')
  await decide(shop, remote, { status: 'lost' })
  equal((await getDispute(shop, dispute_id)).is_already_refunded, true)
  const { state_metadata } = await shop.get(payment.payment_id)
  deepEqual([state_metadata.total_refunded_amount, state_metadata.total_disputed_amount], [1250, 1250])
})

test('a dispute of an unknown payment waits, and is matched when the payment is found', async () => {
  const shop = await openDisputedShop()
  const payment = await shop.pay()
  // The service temporarily does not know its request for the payment.
  const row = [shop.merchant_id, payment.payment_id]
  await shop.query("update processor_operations set request_id = 'X' || request_id where merchant_id = $1 and object_id = $2", row)
  const [charge] = await shop.processor.charges()
  await shop.processor.call('POST', `/control/payments/${charge!.payment}/dispute`, {})
  await shop.processor.advance(0)
  equal((await disputesOf(shop, payment.payment_id)).length, 0)
  await shop.query('update processor_operations set request_id = substr(request_id, 2) where merchant_id = $1 and object_id = $2', row)
  await shop.wait('2 minutes')
  equal((await disputesOf(shop, payment.payment_id)).length, 1)
  equal((await shop.query('select * from unmatched_disputes where merchant_id = $1', [shop.merchant_id])).length, 0)
})

test('a dispute that matches no payment is deleted after a week', async () => {
  const shop = await openDisputedShop()
  const foreign = await shop.processor.call('POST', '/v1/payments', {
    reference: 'somebody_elses',
    amount: 700,
    currency: 'USD',
    capture: 'automatic',
    card: { number: cards.approves, exp_month: 12, exp_year: 2040, cvc: '737' },
    three_ds: 'skip',
  })
  await shop.processor.call('POST', `/control/payments/${foreign.id}/dispute`, {})
  await shop.processor.advance(0)
  const unmatched = () => shop.query('select * from unmatched_disputes where merchant_id = $1', [shop.merchant_id])
  equal((await unmatched()).length, 1)
  await shop.wait('4 days')
  equal((await unmatched()).length, 1)
  for (let day = 0; day < 4; day++) await shop.wait('1 day')
  equal((await unmatched()).length, 0)
})

test('a deadline for evidence is announced twice; afterwards the processor is polled and no evidence is accepted', async () => {
  const shop = await openDisputedShop()
  const { payment, dispute_id } = await disputed(shop)
  await shop.wait('5 days')
  deepEqual(await disputeEvents(shop, payment.payment_id), ['dispute_opened'])
  await shop.wait('2 days')
  deepEqual(await disputeEvents(shop, payment.payment_id), ['dispute_opened', 'dispute_challenge_due'])
  await shop.wait('1 day')
  deepEqual(await disputeEvents(shop, payment.payment_id), ['dispute_opened', 'dispute_challenge_due', 'dispute_challenge_due'])
  await shop.processor.account({ webhooks: 'hold' })
  await shop.wait('1 day')
  equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_expired')
  equal(await kept(shop, payment.payment_id), 1250)
  isRefused(await attach(shop, { dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf }), 400, 'HE_03')
  await hasNoGap(shop, payment.payment_id)
})

for (const connector of ['phonypay', 'stripe', 'checkout'])
  test(`${connector}: a decision that is made after the deadline, and of which no webhook arrives, is found within a day`, async () => {
    const shop = await openDisputedShop(connector)
    const { payment, dispute_id, remote } = await disputed(shop)
    await attach(shop, { dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf })
    equal((await shop.post('/disputes/evidence', { dispute_id })).status, 200)
    await shop.processor.account({ webhooks: 'hold' })
    await shop.wait('40 days')
    equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_challenged')
    await decide(shop, remote, { status: 'lost' })
    await shop.wait('1 day')
    equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_lost')
    equal(await kept(shop, payment.payment_id), 1250)
  })

test('a dispute takes no evidence after its deadline, even if the processor has reported nothing', async () => {
  const shop = await openDisputedShop('adyen')
  const { dispute_id } = await disputed(shop)
  equal((await attach(shop, { dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf })).status, 200)
  await shop.processor.account({ webhooks: 'hold' })
  await shop.wait('10 days')
  equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_opened', 'nobody can be asked, and nothing is made up')
  isRefused(await attach(shop, { dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf }), 400, 'HE_03', /deadline for evidence/)
  isRefused(await shop.post('/disputes/evidence', { dispute_id }), 400, 'HE_03', /deadline for evidence/)
})

test('an answer whose response was lost is polled, and meanwhile no other request is sent', async () => {
  const shop = await openDisputedShop()
  const { payment, dispute_id } = await disputed(shop)
  await shop.processor.fault('dispute', 'reset_after')
  await shop.processor.account({ webhooks: 'hold' })
  const answer = await shop.post(`/disputes/accept/${dispute_id}`, {})
  deepEqual([answer.status, answer.body.dispute_status], [200, 'dispute_opened'])
  isRefused(await shop.post(`/disputes/accept/${dispute_id}`, {}), 422, 'HE_00')
  await shop.wait('1 minute')
  equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_accepted')
  await hasNoGap(shop, payment.payment_id)
})

test('evidence that did not reach the processor can be submitted again', async () => {
  const shop = await openDisputedShop()
  const { dispute_id } = await disputed(shop)
  await shop.processor.fault('dispute', 'reset_before')
  equal(
    (await shop.post('/disputes/evidence', { dispute_id, uncategorized_text: 'winning_evidence' })).body.dispute_status,
    'dispute_opened',
  )
  await shop.wait('2 minutes')
  const again = await shop.post('/disputes/evidence', { dispute_id })
  equal(stands(again.body), 'dispute dispute_won', again.text)
})

test('an answer that the processor refuses is an error, and brings what the processor has decided', async () => {
  const shop = await openDisputedShop('stripe')
  const { dispute_id, remote } = await disputed(shop)
  await shop.processor.account({ webhooks: 'hold' })
  await decide(shop, remote, { status: 'won' })
  isRefused(await shop.post(`/disputes/accept/${dispute_id}`, {}), 400, 'CE_00', /dispute_closed/)
  equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_won')
})

test("a file's type is read from its first bytes; unsupported, too large and missing files are refused by name", async () => {
  const shop = await openDisputedShop()
  const { dispute_id } = await disputed(shop)
  const about = { dispute_id, evidence_type: 'receipt' }
  isRefused(await attach(shop, about), 400, 'IR_33')
  isRefused(await attach(shop, about, { bytes: Buffer.alloc(0) }), 400, 'IR_33')
  isRefused(await attach(shop, { evidence_type: 'receipt' }, { bytes: files.pdf }), 400, 'IR_34')
  isRefused(await attach(shop, { dispute_id }, { bytes: files.pdf }), 400, 'IR_35')
  isRefused(await attach(shop, { ...about, evidence_type: 'photograph' }, { bytes: files.pdf }), 400, 'IR_06', /evidence_type/)
  isRefused(await attach(shop, { ...about, dispute_id: 'dp_none' }, { bytes: files.pdf }), 404, 'HE_04')
  isRefused(await attach(shop, about, { bytes: Buffer.from('<svg onload="x">'), type: 'application/pdf' }), 400, 'HE_03', /PDF|pdf/)
  isRefused(await attach(shop, about, { bytes: files.pdf, type: 'image/png' }), 400, 'HE_03', /says that it is image\/png/)
  const large = Buffer.concat([files.pdf, Buffer.alloc(5_000_000)])
  isRefused(await attach(shop, about, { bytes: large }), 400, 'HE_03', /5000000/)
  const { body } = await attach(shop, about, { bytes: files.png, name: '../../etc/passwd.pdf' })
  const [seen] = (await shop.call('GET', `/disputes/evidence/${dispute_id}`)).body
  deepEqual(
    [seen.file_metadata_response.file_id, seen.file_metadata_response.file_name, seen.file_metadata_response.file_type],
    [body.file_id, '.._.._etc_passwd.png', 'image/png'],
  )
})

test('a file can be uploaded first, assigned to evidence later, and deleted by its id', async () => {
  const shop = await openDisputedShop()
  const { dispute_id } = await disputed(shop)
  const upload = (fields: Record<string, string>, bytes = files.pdf) => sendForm(shop, 'POST', '/files', fields, { bytes })
  const form = { purpose: 'dispute_evidence', dispute_id }
  const [first, second, third] = [await upload(form), await upload(form, files.png), await upload({ ...form, evidence_type: 'receipt' })]
  const evidence = async () =>
    (await shop.call('GET', `/disputes/evidence/${dispute_id}`)).body.map((one: Body) => [
      one.evidence_type,
      one.file_metadata_response.file_id,
    ])
  deepEqual(await evidence(), [['receipt', third!.body.file_id]])
  equal((await shop.call('GET', `/files/${first!.body.file_id}`)).status, 200)
  for (const { body } of [second!, third!]) {
    equal((await shop.call('DELETE', `/files/${body.file_id}`)).status, 200)
    isRefused(await shop.call('GET', `/files/${body.file_id}`), 404, 'HE_04')
    isRefused(await shop.call('DELETE', `/files/${body.file_id}`), 404, 'HE_04')
  }
  isRefused(await shop.call('DELETE', '/files/file_none'), 404, 'HE_04')
  isRefused(await upload({ purpose: 'dispute_evidence' }), 400, 'IR_34')
  isRefused(await upload({ ...form, purpose: 'logo' }), 400, 'IR_06', /purpose/)
  isRefused(await upload({ ...form, dispute_id: 'dp_none' }), 404, 'HE_04')
  isRefused(await shop.post('/files', form), 400, 'IR_04', /multipart/)
  isRefused(await shop.call('PUT', '/disputes/evidence', form), 400, 'IR_04', /multipart/)
  const submitted = await shop.post('/disputes/evidence', { dispute_id, receipt: first!.body.file_id })
  equal(submitted.status, 200, submitted.text)
  deepEqual(await evidence(), [['receipt', first!.body.file_id]])
  isRefused(await upload(form), 400, 'HE_03')
  isRefused(await shop.call('DELETE', `/files/${first!.body.file_id}`), 400, 'HE_03')
})

test('evidence for an unknown dispute is refused with 404, and an unknown member of evidence by its name', async () => {
  const shop = await openDisputedShop()
  const { dispute_id } = await disputed(shop)
  isRefused(await shop.post('/disputes/evidence', { dispute_id: 'dp_none', colour: 'red' }), 404, 'HE_04')
  isRefused(await shop.post('/disputes/evidence', { dispute_id, colour: 'red' }), 400, 'IR_06', /colour/)
})

test('the disputes of a period are fetched from the processor', async () => {
  const shop = await openDisputedShop()
  const { dispute_id, remote, dispute } = await disputed(shop)
  await shop.processor.account({ webhooks: 'hold' })
  await decide(shop, remote, { status: 'won' })
  const fetched = (of: string, query: string) => shop.call('GET', `/disputes/${of}/fetch${query}`)
  const [from, till] = [shop.service.context.now().slice(0, 10), dispute.created_at]
  const within = `?fetch_from=${from}T00:00:00Z&fetch_till=${till}`
  for (const which of [shop.merchant_connector_id, 'phonypay']) {
    const { body } = await fetched(which, within)
    deepEqual(
      body.map((one: Body) => [one.dispute_id, stands(one)]),
      [[dispute_id, 'dispute dispute_won']],
    )
  }
  deepEqual((await fetched('phonypay', '?fetch_from=2020-01-01T00:00:00Z&fetch_till=2020-02-01T00:00:00Z')).body, [])
  isRefused(await fetched('phonypay', ''), 400, 'IR_21', /fetch_from/)
  isRefused(await fetched('phonypay', `?fetch_till=${till}`), 400, 'IR_04', /fetch_from/)
  isRefused(await fetched('mca_none', within), 400, 'IR_07', /connector_id/)
})

test('evidence that a processor does not support is refused by name', async () => {
  const stripe = await openDisputedShop('stripe')
  const one = await disputed(stripe)
  const agreement = { dispute_id: one.dispute_id, evidence_type: 'recurring_transaction_agreement' }
  isRefused(await attach(stripe, agreement, { bytes: files.pdf }), 400, 'HE_03', /stripe does not accept/)
  const adyen = await openDisputedShop('adyen')
  const two = await disputed(adyen)
  isRefused(
    await attach(adyen, { dispute_id: two.dispute_id, evidence_type: 'receipt' }, { bytes: files.png }),
    400,
    'HE_03',
    /application\/pdf, image\/jpeg/,
  )
  isRefused(
    await adyen.post('/disputes/evidence', { dispute_id: two.dispute_id, product_description: 'x' }),
    400,
    'IR_19',
    /product_description/,
  )
  isRefused(await adyen.post('/disputes/evidence', { dispute_id: two.dispute_id }), 400, 'IR_16', /no evidence/)
})

test('adyen: evidence is submitted as the document types of its defense reason; evidence that fits no reason is refused by name', async () => {
  const shop = await openDisputedShop('adyen')
  const { dispute_id, remote } = await disputed(shop, { reason: 'product_unacceptable' })
  const give = (evidence_type: string) => attach(shop, { dispute_id, evidence_type }, { bytes: files.pdf })
  const handedIn = async () => ((await shop.processor.ledger()) as Body).disputes.find((one: Body) => one.id === remote.id).evidence
  await give('receipt')
  await give('customer_signature')
  await give('uncategorized_file')
  isRefused(await shop.post('/disputes/evidence', { dispute_id }), 400, 'CE_00', /SupplyDefenseMaterial accepts one file for each/)
  deepEqual([await handedIn(), stands(await getDispute(shop, dispute_id))], [{}, 'dispute dispute_opened'])
  await shop.call('DELETE', '/disputes/evidence', { dispute_id, evidence_type: 'customer_signature' })
  equal(stands((await shop.post('/disputes/evidence', { dispute_id })).body), 'dispute dispute_challenged')
  const bytes = `${files.pdf.length} bytes`
  deepEqual(await handedIn(), { TIDorInvoice: bytes, DefenseMaterial: bytes })

  const missing = await disputed(shop, { reason: 'product_not_received' })
  const { body } = await attach(shop, { dispute_id: missing.dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf })
  const answer = await shop.post('/disputes/evidence', { dispute_id: missing.dispute_id })
  isRefused(answer, 400, 'CE_00', /GoodsOrServicesProvided requires service_documentation or shipping_documentation/)
  await shop.service.context.files.delete(`${shop.merchant_id}/${body.file_id}`)
  const gone = await shop.post('/disputes/evidence', { dispute_id: missing.dispute_id })
  isRefused(gone, 404, 'HE_04', new RegExp(body.file_id))
})

test('an Idempotency-Key whose response was lost in a crash returns the existing dispute', async () => {
  const shop = await openDisputedShop()
  const { payment, dispute_id } = await disputed(shop)
  const key = { 'idempotency-key': `accept-${dispute_id}` }
  const accepted = await shop.post(`/disputes/accept/${dispute_id}`, {}, key)
  equal(accepted.status, 200, accepted.text)
  const recording = { payment_id: payment.payment_id, amount: 100, connector_dispute_id: 'CB-1' }
  const recordingKey = { 'idempotency-key': `record-${dispute_id}` }
  const recorded = await shop.post('/disputes', recording, recordingKey)
  equal(recorded.status, 200, recorded.text)
  await shop.query(
    "update idempotency_keys set answer = null, status = null, claimed_at = claimed_at - interval '10 minutes' where merchant_id = $1",
    [shop.merchant_id],
  )
  const again = await shop.post(`/disputes/accept/${dispute_id}`, {}, key)
  deepEqual([again.status, again.body.dispute_id], [200, dispute_id])
  const recordedAgain = await shop.post('/disputes', recording, recordingKey)
  deepEqual([recordedAgain.status, recordedAgain.body.dispute_id], [200, recorded.body.dispute_id])
})

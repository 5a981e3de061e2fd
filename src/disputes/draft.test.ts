import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { disputed, openDisputedShop } from '../../test/disputes.ts'
import { isRefused } from '../../test/refused.ts'
import { http, openShop, type Shop } from '../../test/shop.ts'

const draftOf = async (shop: Shop, id: string) => (await shop.call('GET', `/disputes/${id}/draft`)).body
const save = (shop: Shop, id: string, texts: object) => shop.call('PUT', `/disputes/${id}/draft`, texts)
const lamps = { product_description: 'Three pendant lamps in brass', customer_name: 'Ada Lovelace' }

test('drafted texts are stored encrypted apart from the payment, and deleted when submitted', async () => {
  const shop = await openDisputedShop()
  const { payment, dispute_id } = await disputed(shop)
  const none = { dispute_id, texts: {}, updated_by: null, updated_at: null }
  deepEqual(await draftOf(shop, dispute_id), none)
  const events = (await shop.events(payment.payment_id)).length
  const saved = await save(shop, dispute_id, lamps)
  deepEqual([saved.status, saved.body.texts], [200, lamps])
  match(saved.body.updated_by, /^secret_key /)
  const { product_description } = lamps
  await save(shop, dispute_id, { product_description, shipping_carrier: 'Bring' })
  const { texts } = await draftOf(shop, dispute_id)
  deepEqual(texts, { product_description, shipping_carrier: 'Bring' }, 'what is not sent is gone')
  equal((await shop.events(payment.payment_id)).length, events, 'a draft is no news')
  const [row] = await shop.query('select * from dispute_drafts where dispute_id = $1', [dispute_id])
  ok(!Buffer.from(row!.sealed).includes('lamps'))
  deepEqual((await shop.call('GET', `/disputes/evidence/${dispute_id}`)).body, [], 'nothing is evidence yet')
  const submitted = await shop.post('/disputes/evidence', { dispute_id, ...texts })
  equal(submitted.body.dispute_status, 'dispute_challenged')
  deepEqual(await draftOf(shop, dispute_id), none)
  isRefused(await save(shop, dispute_id, lamps), 400, 'HE_03', /dispute_challenged/)
})

test('saving an empty draft clears it, and accepting the dispute deletes it', async () => {
  const shop = await openDisputedShop()
  const { dispute_id } = await disputed(shop)
  await save(shop, dispute_id, lamps)
  deepEqual((await save(shop, dispute_id, {})).body, { dispute_id, texts: {}, updated_by: null, updated_at: null })
  await save(shop, dispute_id, lamps)
  equal((await shop.post(`/disputes/accept/${dispute_id}`, {})).status, 200)
  deepEqual((await draftOf(shop, dispute_id)).texts, {})
})

test('an abandoned draft is deleted after half a year', async () => {
  const shop = await openDisputedShop()
  const { dispute_id } = await disputed(shop)
  await save(shop, dispute_id, lamps)
  await shop.wait('181 days')
  deepEqual((await draftOf(shop, dispute_id)).texts, {})
})

test('a draft is accessible only to its merchant, and takes only texts that the processor accepts', async () => {
  const shop = await openDisputedShop()
  const { dispute_id } = await disputed(shop)
  const other = await openShop()
  isRefused(await other.call('GET', `/disputes/${dispute_id}/draft`), 404, 'HE_04')
  isRefused(await save(other, dispute_id, lamps), 404, 'HE_04')
  isRefused(await save(shop, dispute_id, { colour: 'brass' }), 400, 'IR_06', /colour/)
  isRefused(await save(shop, dispute_id, { product_description: 'x'.repeat(20_001) }), 422, 'IR_06', /product_description/)
  for (const method of ['GET', 'PUT'])
    isRefused(
      await http(method, `${shop.url}/disputes/${dispute_id}/draft`, method === 'PUT' ? lamps : undefined, {
        'api-key': shop.publishable_key,
      }),
      403,
      'IR_22',
    )
  const adyens = await openDisputedShop('adyen')
  const adyenDispute = await disputed(adyens)
  isRefused(await save(adyens, adyenDispute.dispute_id, lamps), 400, 'IR_19', /accepts only files/)
})

import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { settlementFile } from '../../test/settlement-file.ts'
import { cards, openShop, type Shop } from '../../test/shop.ts'
import { prove } from './prove.ts'
import { reconcile } from './reconcile.ts'
import { readSettlement, usualColumns } from './settlement.ts'

/** A processor's settlement file, compared with our ledger: movement by movement. */

const columns = { ...usualColumns, request_id: 'merchant_reference', reference: 'transaction', amounts: 'minor' as const }

const scopeOf = ({ merchant_id, merchant_connector_id }: Shop) => ({ merchant_id, merchant_connector_id, from: null, to: null })
const report = async (shop: Shop, file: string) => reconcile(shop.service.context, scopeOf(shop), await readSettlement(file, columns))

/**
 * Makes sales of all kinds: captured at once, in parts, refunded, cancelled afterwards, reversed by the service, and
 * one whose answer was lost.
 */
async function busyDay(shop: Shop): Promise<void> {
  const { payment_id } = await shop.pay({ amount: 5000 })
  await shop.refund(payment_id, 1500)
  const held = await shop.hold({ amount: 3000, capture_method: 'manual_multiple' })
  await shop.capture(held.payment_id, 1000)
  await shop.capture(held.payment_id, 700)
  const undone = await shop.pay({ amount: 900, currency: 'EUR' })
  await shop.post(`/payments/${undone.payment_id}/cancel_post_capture`, {})
  await shop.tryToPay({ amount: 1000, card: cards.approvesHalf })
  await shop.tryToPay({ card: cards.declines })
  await shop.tryToPay({ amount: 400, card: cards.chargesAndResets })
  await shop.wait('10 minutes')
}

test('after a day with all kinds of payments every ledger movement matches the settlement file', async () => {
  const shop = await openShop()
  await busyDay(shop)
  const { agreed, exceptions } = await report(shop, await settlementFile(shop))
  deepEqual(exceptions, [])
  equal(agreed, 9)
})

test('after any sequence of operations the ledger balances, and matches the payments and the settlement file', async () => {
  const some = <T>(from: readonly T[]) => fc.constantFrom(...from)
  const deed = fc.record({
    does: some(['pay', 'hold', 'capture', 'refund', 'cancel', 'undo', 'wait', 'tick'] as const),
    which: fc.nat(3),
    amount: fc.integer({ min: 100, max: 3000 }),
    card: some([
      cards.approves,
      cards.approves,
      cards.approvesHalf,
      cards.refundsFailLater,
      cards.capturesLater,
      cards.chargesAndResets,
      cards.approvesLater,
      cards.declines,
    ]),
    currency: some(['USD', 'JPY']),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 3, maxLength: 12 }), async deeds => {
      const shop = await openShop({ webhooks: 'on' })
      const ids: string[] = []
      for (const { does, which, amount, card, currency } of deeds) {
        const id = ids[which % Math.max(ids.length, 1)] ?? 'pay_none'
        if (does === 'pay' || does === 'hold') {
          const more = does === 'hold' && { capture_method: 'manual_multiple' }
          const { body } = await shop.tryToPay({ amount, card, currency, ...more })
          if (body.payment_id) ids.push(body.payment_id)
        } else if (does === 'capture') await shop.capture(id, Math.ceil(amount / 2))
        else if (does === 'refund') await shop.refund(id, amount)
        else if (does === 'cancel') await shop.cancel(id)
        else if (does === 'undo') await shop.post(`/payments/${id}/cancel_post_capture`, {})
        else if (does === 'wait') await shop.wait('1 hour')
        else await shop.service.tick()
      }
      await shop.wait('8 days')
      deepEqual(await prove(shop.service.context, shop.merchant_id), [])
      deepEqual((await report(shop, await settlementFile(shop))).exceptions, [])
    }),
    { numRuns: 25, seed: 20261122, endOnFailure: true },
  )
})

test('a settlement movement that differs or is missing on one side is reported', async () => {
  const shop = await openShop()
  const first = await shop.pay({ amount: 1000 })
  const second = await shop.pay({ amount: 2000 })
  const lines = (await settlementFile(shop)).split('\n')
  const [ours, theirs] = [lines[1]!.split(','), lines[2]!.split(',')]
  const altered = [
    lines[0],
    [...ours.slice(0, 4), '999', '0', '999', ours[7]].join(','),
    'tx_1,ref_nobody_sent,capture,USD,50,0,50,x',
  ].join('\n')
  const { agreed, exceptions } = await report(shop, altered)
  equal(agreed, 0)
  deepEqual(
    exceptions.map(({ is, object_id, request_id, ours, theirs }) => ({ is, object_id, request_id, ours, theirs })),
    [
      { is: 'differs', object_id: first.payment_id, request_id: ours[1], ours: '1000 USD', theirs: '999 USD' },
      { is: 'missing here', object_id: null, request_id: 'ref_nobody_sent', ours: null, theirs: '50 USD' },
      { is: 'missing there', object_id: second.payment_id, request_id: theirs[1], ours: '2000 USD', theirs: null },
    ],
  )
  const byReference = await reconcile(
    shop.service.context,
    scopeOf(shop),
    await readSettlement(await settlementFile(shop), { ...columns, request_id: 'none' }),
  )
  deepEqual(byReference, { agreed: 2, exceptions: [] })
})

test('settlement amounts are read with the decimals of their currency, and are never rounded', async () => {
  const read = async (currency: string, gross: string) =>
    (await readSettlement(`reference,currency,gross\nx,${currency},${gross}`))[0]!.gross
  deepEqual(
    await Promise.all([read('USD', '12.5'), read('JPY', '1250'), read('KWD', '1.250'), read('EUR', '-0.05'), read('usd', '3.1000')]),
    [1250, 1250, 1250, -5, 310],
  )
  await rejects(() => read('USD', '1.005'), /line 2: an amount is not valid in USD/)
  await rejects(() => read('JPY', '1.5'), /line 2: an amount is not valid in JPY/)
  await rejects(() => read('XXX', '1'), /line 2: XXX is not a currency/)
  await rejects(() => readSettlement('reference,currency,gross,fee,net\nx,USD,10,1,8'), /line 2: net must be gross minus fee/)
  await rejects(() => readSettlement('reference,currency\nx,USD'), /no column gross/)
  await rejects(() => readSettlement('currency,gross\nUSD,1'), /no column request_id, nor reference/)
})

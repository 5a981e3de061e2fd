import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../../test/receiver.ts'
import { openShop, type Shop } from '../../test/shop.ts'
import { openSettings } from '../accounts/settings.ts'
import { openClock } from '../base/clock.ts'
import type { Context, Row, Statement } from '../context.ts'
import { openDeliverer } from './deliverer.ts'
import { openDispatch } from './dispatch-outbox.ts'

/** Counts the queries while changes are dispatched, by statement. */
function openCounted({ service: { context } }: Shop) {
  const asked: Record<string, number> = {}
  const counted: Context = {
    ...context,
    query<T extends Row>(statement: Statement, values: unknown[]) {
      asked[statement.name] = (asked[statement.name] ?? 0) + 1
      return context.query<T>(statement, values)
    },
  }
  // The settings are those of another process: they do not learn of writes here.
  const settings = openSettings(counted, { mode: 'test', publicUrl: '', baseUrls: {} }, openClock(context.log))
  return { counted, settings, asked }
}

test('the settings are read again before a batch only if some were written', async () => {
  const receiver = await openReceiver()
  const shop = await openShop()
  const { counted, settings, asked } = openCounted(shop)
  const placeNext = openDispatch(counted, settings, () => shop.url, false)
  await settings.refresh()
  await settings.listeners(shop.merchant_id)
  await shop.pay()
  asked.settings_version = 0
  equal(await placeNext(), 1)
  equal(asked.settings_version, 0, 'nothing was written since')
  equal(asked.drop_outbox_rows, 1, 'nobody listens')
  await shop.post('/webhook_endpoints', { url: receiver.url })
  await shop.pay()
  equal(await placeNext(), 1)
  equal(asked.settings_version, 1, 'an endpoint was made')
  equal(asked.place_deliveries, 1, 'and hears of what happened after it was made')
})

test('the deliverer waits 250 ms before it looks for work again', async () => {
  const shop = await openShop()
  const { counted, settings } = openCounted(shop)
  const pauses: number[] = []
  const [quiet, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const waiting: Context = {
    ...counted,
    wait(ms) {
      // Both searches are over: the one that found a payment, and the one for deliveries that found none.
      if (pauses.push(ms) === 2) quiet.resolve()
      return over.promise
    },
  }
  await shop.pay()
  const deliverer = openDeliverer(
    waiting,
    settings,
    () => shop.url,
    () => performance.now(),
  )
  deliverer.run()
  await quiet.promise
  const closing = deliverer.close()
  over.resolve()
  await closing
  deepEqual(pauses, [250, 250])
})

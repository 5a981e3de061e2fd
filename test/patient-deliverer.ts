import type { Context, Reply } from '../src/context.ts'
import { openDeliverer } from '../src/events/deliverer.ts'
import type { Shop } from './shop.ts'

/**
 * Opens a deliverer whose time passes when the test says so: endpoints in `silent` do not answer, and their
 * connections end when their time is over.
 */
export function openPatientDeliverer(shop: Shop, silent: ReadonlySet<string>) {
  let now = 0
  let closed = false
  const held = new Set<{ endpoint_id: string; until: number; within_ms: number | undefined; hangUp(): void }>()
  const context: Context = {
    ...shop.service.context,
    wait: () => new Promise(resolve => setImmediate(resolve)),
    deliver(request, sender) {
      const endpoint_id = sender.merchant_connector_id
      if (!silent.has(endpoint_id)) return shop.service.context.deliver(request, sender)
      return new Promise<Reply>(resolve => {
        const { within_ms } = request
        const hangUp = () => resolve({ is: 'silence', why: 'response timeout' })
        // A delivery that was claimed before the close is sent after it.
        if (closed) return hangUp()
        held.add({ endpoint_id, until: now + (within_ms ?? 15_000), within_ms, hangUp })
      })
    },
  }
  const deliverer = openDeliverer(
    context,
    shop.service.settings,
    () => shop.url,
    () => now,
  )
  return {
    held,
    run: deliverer.run,
    pass(ms: number): void {
      now += ms
      for (const one of held) if (one.until <= now && held.delete(one)) one.hangUp()
    },
    async close(): Promise<void> {
      closed = true
      const closing = deliverer.close()
      for (const one of held) one.hangUp()
      await closing
    },
  }
}

import { later } from '../../src/base/time.ts'
import { readConfig } from '../../src/config.ts'
import { connectors } from '../../src/connectors/all.ts'
import { start } from '../../src/service.ts'
import { http } from '../call.ts'
import { type ClientAnswer, printOf } from './clients.ts'
import type { Stage } from './stage.ts'

/** The processors whose list of changes does not contain refunds. */
const askedOneByOne = Object.values(connectors)
  .filter(({ read_payment, accepts }) => read_payment && !accepts.tells?.changes?.includes('refunded'))
  .map(({ name }) => name)

const units: Record<string, number> = { minute: 60, hour: 3600, day: 86_400 }

/**
 * Opens the service after a storm, in this process and at the address of the first one, with a clock of its own, so
 * that days pass in seconds.
 */
export async function openLastDays({
  services,
  shops,
  query,
  complaints,
  ahead: reportAhead = () => {},
}: Pick<Stage, 'shops' | 'query' | 'complaints'> & {
  services: { url: string; settings: Record<string, string> }[]
  ahead?: ((ms: number) => unknown) | undefined
}) {
  let ahead = 0
  const line = (level: number) => (facts: object, message: string) => {
    const why = (facts as { err?: Error }).err?.stack ?? ''
    if (level >= 40) complaints.push({ who: 'the last service', level, message, why, line: `${message} ${JSON.stringify(facts)} ${why}` })
  }
  // The last service is alone, so it also does the workers' part.
  const service = await start(readConfig({ ...services[0]!.settings, ROLE: 'all' }), {
    log: { info: line(30), warn: line(40), error: line(50) },
    scheduler: 'by hand',
    wrap: context => ({ ...context, now: () => later(context.now(), ahead) }),
  })

  // The other services are gone for good: no process would receive the webhooks sent to them.
  try {
    for (const { processor, webhook_path } of shops.flatMap(({ all }) => all))
      await processor.account({ webhook_url: services[0]!.url + webhook_path })
  } catch (error) {
    await service.close()
    throw error
  }

  return {
    /** Lets time pass for the service, for the processor, and for all jobs that become due. */
    async wait(duration: string): Promise<void> {
      const [number, unit] = duration.split(' ')
      const seconds = Number(number) * units[unit!.replace(/s$/, '')]!
      ahead += seconds * 1000
      await reportAhead(ahead)
      for (const { all, payer } of shops)
        for (const processor of [...all.map(one => one.processor), payer]) await processor.advance(seconds)
      while ((await service.tick()) > 0);
    },
    /**
     * Retrieves the payments that the merchants still hold, because not all processors report that a hold has lapsed,
     * and those that only a look at each tells of: the watch looks at some each hour.
     */
    async lookAtHolds(): Promise<void> {
      for (const { api_key, merchant_id } of shops) {
        const held = `select payment_id from payments where merchant_id = $1 and (status in ('requires_capture', 'partially_captured_and_capturable')
          or (connector = any($2) and status in ('succeeded', 'partially_captured')))`
        for (const { payment_id } of await query(held, [merchant_id, askedOneByOne]))
          await http('GET', `${services[0]!.url}/payments/${payment_id}?force_sync=true`, undefined, { 'api-key': api_key })
      }
    },
    due: async (): Promise<number> =>
      Number((await query("select count(*) as n from processor_operations where state <= 'unknown'", []))[0].n),
    /**
     * Repeats the requests under keys that were answered. Gives a description of each answer that differs from the
     * first one.
     */
    async askAgain(received: ClientAnswer[][]): Promise<string[]> {
      const found: string[] = []
      for (const [i, { api_key }] of shops.entries()) {
        const keyed = [...new Map(received[i]!.filter(({ order, yes }) => order.key && yes).map(one => [one.order.key!, one])).values()]
        for (let at = 0; at < keyed.length; at += 50) {
          await Promise.all(
            keyed.slice(at, at + 50).map(async ({ order, print }) => {
              const headers = { 'api-key': api_key, 'idempotency-key': order.key! }
              const { status, text } = await http('POST', services[0]!.url + order.path, order.body, headers)
              if (status !== 200 || printOf(text) !== print) found.push(`${order.key} is now answered ${status} ${text}`)
            }),
          )
        }
      }
      return found
    },
    close: () => service.close(),
  }
}

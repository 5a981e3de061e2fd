import { deepEqual, equal } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Context, Reply, Request } from '../../src/context.ts'
import { type Answer, type Body, http, type Shop } from '../shop.ts'

/** What a processor sends: its type, and what it is about. */
export type News = { type: string; operation?: Body; dispute?: Body }

/**
 * What a processor announces of one object, told in every order: a flow makes the object and six pieces of news of it,
 * the harness tells them, and in every order the end is the same. Another resource is another flow.
 */
export type Flow<S extends Shop = Shop> = {
  name: string
  open(): Promise<S>
  /** Makes the object: `make` does all but the last thing that is asked of the processor, `last` asks for that. */
  make(shop: S): Promise<Body>
  last(shop: S, made: Body): Promise<Answer>
  /** What the processor then has to tell of each of these, in the order in which it came to be. */
  news(shop: S, made: readonly Body[]): Promise<News[][]>
  /** Which of the shop's accounts is told; the one that is paid by, unless said otherwise. */
  account?(shop: S): string
  /** What must be the same in the end. `booked`: how often money was booked for the news. */
  end(shop: S, made: Body): Promise<{ booked: number }>
  booked: number
}

/** Every order of so many things. */
export function orders(many: number): number[][] {
  if (many === 0) return [[]]
  return orders(many - 1).flatMap(rest => Array.from({ length: many }, (_, i) => [...rest.slice(0, i), many - 1, ...rest.slice(i)]))
}

/** Some of them, evenly spread: so many as ORDERS says, others for each ORDERS_SEED. */
export function someOf<T>(all: readonly T[], { ORDERS = '30', ORDERS_SEED = '0' }: Record<string, string | undefined>): T[] {
  const step = Math.max(1, Math.floor(all.length / Number(ORDERS)))
  return all.filter((_, i) => i % step === Number(ORDERS_SEED) % step)
}

/** A processor's answers, some of which are kept back: they are on their way while announcements overtake them. */
export function openGate() {
  let held: { wanted(request: Request): boolean; reached: () => void; open: Promise<void> } | null = null
  return {
    wrap: (context: Context): Context => ({
      ...context,
      async send(request, sender): Promise<Reply> {
        const mine = held?.wanted(request) ? held : null
        const reply = await context.send(request, sender)
        mine?.reached()
        await mine?.open
        return reply
      },
    }),
    /** Keeps back the answers that a test wants kept. `there`: so many of them have been given by the processor. */
    hold(wanted: (request: Request) => boolean, many: number) {
      const [there, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let left = many
      held = { wanted, reached: () => --left === 0 && there.resolve(), open: open.promise }
      return {
        there: there.promise,
        letGo() {
          held = null
          open.resolve()
        },
      }
    },
  }
}

/** Sends one piece of news to one of the shop's accounts, as the processor signs it. */
function announce(shop: Shop, account: string, news: News): Promise<Answer> {
  const subject = news.operation ?? news.dispute!
  const body = JSON.stringify({ id: `evt_${subject.id}_${subject.status}`, created_at: new Date().toISOString(), ...news })
  const t = Math.floor((Date.now() + shop.clock.ahead) / 1000)
  const v1 = createHmac('sha256', shop.webhook_secret).update(`${t}.${body}`).digest('hex')
  return http('POST', `${shop.url}/webhooks/${shop.merchant_id}/${account}`, body, { 'x-sandbox-signature': `t=${t},v1=${v1}` })
}

/** How often a processor tries. */
const TRIES = 20

/**
 * Announces until it is taken, as processors do: a service that cannot reach its database, on a machine that is too
 * busy, says 503.
 */
export async function deliver(shop: Shop, account: string, news: News): Promise<void> {
  let answer = await announce(shop, account, news)
  for (let i = 1; i < TRIES && answer.status === 503; i++) answer = await announce(shop, account, news)
  equal(answer.status, 200, answer.text)
}

/** Tells one object's news in this order, each ten times at once. */
async function tellInOrder(shop: Shop, account: string, all: readonly News[], order: readonly number[]): Promise<void> {
  for (const i of order) await Promise.all(Array.from({ length: 10 }, () => deliver(shop, account, all[i]!)))
}

/** How the last operation's answer comes: before the announcements, or after them. */
export type Answering = 'answered' | 'not answered'

/**
 * Plays a flow once for each of these orders, side by side in one shop, and gives how each ended. What the alarms ask
 * later changes nothing of it.
 */
export async function play<S extends Shop>(
  shop: S,
  flow: Flow<S>,
  some: readonly (readonly number[])[],
  answering: Answering,
  gate: ReturnType<typeof openGate>,
): Promise<{ booked: number }[]> {
  const made = await Promise.all(some.map(() => flow.make(shop)))
  const held = answering === 'answered' ? null : gate.hold(({ method }) => method === 'POST', some.length)
  const answers = Promise.all(made.map(one => flow.last(shop, one)))
  try {
    await (held ? Promise.race([held.there, answers]) : answers)
    const news = await flow.news(shop, made)
    const account = flow.account?.(shop) ?? shop.merchant_connector_id
    await Promise.all(some.map((order, i) => tellInOrder(shop, account, news[i]!, order)))
  } finally {
    held?.letGo()
  }
  for (const { status, text } of await answers) equal(status, 200, text)
  const ends = await Promise.all(made.map(one => flow.end(shop, one)))
  await shop.wait('10 minutes')
  deepEqual(await Promise.all(made.map(one => flow.end(shop, one))), ends, 'whoever asks later hears nothing new')
  return ends
}

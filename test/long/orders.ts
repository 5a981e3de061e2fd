import { deepEqual, equal } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Context, Reply, Request } from '../../src/context.ts'
import { isSample, seed } from '../sample.ts'
import { type Answer, type Body, http, type Shop } from '../shop.ts'

/** A webhook of a processor: its type, and the operation or the dispute that it is about. */
export type ProcessorWebhook = { type: string; operation?: Body; dispute?: Body }

/**
 * A flow of webhooks that are sent in every order: a flow makes an object and six webhooks about it, `play` sends
 * them, and in every order the result must be the same. Each resource has a flow of its own.
 */
export type Flow<S extends Shop = Shop> = {
  name: string
  open(): Promise<S>
  /** Makes the object: `make` sends all requests to the processor but the last, which `last` sends. */
  make(shop: S): Promise<Body>
  last(shop: S, made: Body): Promise<Answer>
  /** Gives the processor's webhooks about each of these objects, in the order in which they arose. */
  webhooks(shop: S, made: readonly Body[]): Promise<ProcessorWebhook[][]>
  /** Gives the connector account that receives the webhooks; by default the shop's payment account. */
  account?(shop: S): string
  /**
   * Gives the result, which must be the same for every order. `booked`: how often money was booked because of the
   * webhooks.
   */
  end(shop: S, made: Body): Promise<{ booked: number }>
  booked: number
}

/** Gives every permutation of the numbers below `many`. */
export function orders(many: number): number[][] {
  if (many === 0) return [[]]
  return orders(many - 1).flatMap(rest => Array.from({ length: many }, (_, i) => [...rest.slice(0, i), many - 1, ...rest.slice(i)]))
}

/** Gives some of the permutations, evenly spread: as many as `--count` says, others for each `--seed`. */
export function someOf<T>(
  all: readonly T[],
  { COUNT = isSample ? '6' : '30', SEED = isSample ? seed : '0' }: Record<string, string | undefined>,
): T[] {
  const step = Math.max(1, Math.floor(all.length / Number(COUNT)))
  return all.filter((_, i) => i % step === Number(SEED) % step)
}

/** Opens a gate for a processor's answers: it holds some back, while webhooks overtake them. */
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
    /**
     * Holds back the answers to the requests that a test wants. `there`: resolves when the processor has given `many`
     * of them.
     */
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

/** Sends one webhook to one of the shop's accounts, signed as by the processor. */
function announce(shop: Shop, account: string, webhook: ProcessorWebhook): Promise<Answer> {
  const subject = webhook.operation ?? webhook.dispute!
  const body = JSON.stringify({ id: `evt_${subject.id}_${subject.status}`, created_at: new Date().toISOString(), ...webhook })
  const t = Math.floor((Date.now() + shop.clock.ahead) / 1000)
  const v1 = createHmac('sha256', shop.webhook_secret).update(`${t}.${body}`).digest('hex')
  return http('POST', `${shop.url}/webhooks/${shop.merchant_id}/${account}`, body, { 'x-sandbox-signature': `t=${t},v1=${v1}` })
}

/** The number of times that a processor sends a webhook. */
const TRIES = 20

/**
 * Sends a webhook until it is accepted, as processors do: a service that cannot reach its database on a busy machine
 * answers 503.
 */
export async function deliver(shop: Shop, account: string, webhook: ProcessorWebhook): Promise<void> {
  let answer = await announce(shop, account, webhook)
  for (let i = 1; i < TRIES && answer.status === 503; i++) answer = await announce(shop, account, webhook)
  equal(answer.status, 200, answer.text)
}

/** Sends one object's webhooks in this order, each ten times at once. */
async function deliverInOrder(shop: Shop, account: string, all: readonly ProcessorWebhook[], order: readonly number[]): Promise<void> {
  for (const i of order) await Promise.all(Array.from({ length: 10 }, () => deliver(shop, account, all[i]!)))
}

/** The time of the last operation's answer: before the webhooks, or after them. */
export type Answering = 'answered' | 'not answered'

/**
 * Plays a flow once for each of these orders, in parallel in one shop, and gives each result. Later polls by the
 * jobs must not change a result.
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
    const webhooks = await flow.webhooks(shop, made)
    const account = flow.account?.(shop) ?? shop.merchant_connector_id
    await Promise.all(some.map((order, i) => deliverInOrder(shop, account, webhooks[i]!, order)))
  } finally {
    held?.letGo()
  }
  for (const { status, text } of await answers) equal(status, 200, text)
  const ends = await Promise.all(made.map(one => flow.end(shop, one)))
  await shop.wait('10 minutes')
  deepEqual(await Promise.all(made.map(one => flow.end(shop, one))), ends, 'whoever asks later hears nothing new')
  return ends
}

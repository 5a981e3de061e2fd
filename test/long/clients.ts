import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { payOutBody } from '../payout-shop.ts'
import { openCustomer, type Visit } from './customer.ts'
import { openDice } from './dice.ts'
import { type Client, canGo, type How, isAble, type Journey, journeys, type Need } from './journeys.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer of the interface, as a client meets it
type Body = any
export type Answer = { status: number; body: Body; text: string }

/** A request of a client, with its Idempotency-Key if it has one. */
export type Order = { method: 'GET' | 'POST'; path: string; body?: Body; key?: string }

/**
 * An answer that a client received: of a success, its relevant members and a hash of its bytes; of any other answer,
 * its text.
 */
export type ClientAnswer = { order: Order; at: number; outcome: string; yes: Body | null; print: string | null }

/** The access that clients of one merchant have to the service. */
export type Access = {
  merchant_id: string
  publishable_key: string
  payBody(ask: Body): Body
  /** The abilities of this merchant, for journeys that not every merchant can run. */
  has?: readonly Need[]
  /** The connectors of the merchant's accounts; its first account takes payments that name no connector. */
  connectors?: readonly string[]
  /** Makes a call. Throws if no answer came. */
  call(method: string, path: string, body?: Body, headers?: Record<string, string>): Promise<Answer>
  visit: Visit
}

export type Manners = {
  /** The seed of the clients' journeys and decisions. */
  seed: number | string
  /**
   * The reaction to a 409 (for 30 s, a key whose first request was cut off gets no other answer): ask on, or put the
   * order aside until the end (where the clock is virtual).
   */
  whileRunning: 'ask on' | 'put aside'
  /** The longest rest of a client between two journeys, in milliseconds. */
  rest_ms?: number
  /** The time after which clients repeat a request that could not be answered, in milliseconds. */
  again_ms?: number
  /** The journeys of the clients; by default all. */
  among?: readonly Journey[]
}

/**
 * Whether the client should ask again: the database is away, or another process works on the same object. Nothing is
 * wrong then.
 */
export const isTryAgain = ({ status, body }: Answer): boolean =>
  body?.error?.code === 'HE_00' && (status === 503 || status === 409 || (status === 422 && body.error.message.includes('try again')))

/**
 * Whether a step was refused because its payment is less or more advanced than its client believes: too little left,
 * wrong status, already confirmed.
 */
const isOutOfStep = ({ body }: Answer): boolean =>
  ['IR_13', 'IR_14', 'IR_16'].includes(body?.error?.code) ||
  /must not exceed the capturable amount|this payout cannot be|this dispute cannot be/i.test(body?.error?.help ?? '') ||
  /amount_to_capture is greater|this payout cannot be|this dispute cannot be/i.test(body?.error?.message ?? '')

/**
 * Whether the answer to a dispute failed at the processor, which declined it or could not be reached: nothing has
 * changed, and the client may send the answer again.
 */
const isRefusedThere = ({ body }: Answer): boolean => body?.error?.code === 'CE_00'

const BUSY_FOR_MS = 60_000

const kept = [
  'payment_id',
  'refund_id',
  'dispute_id',
  'payout_id',
  'dispute_stage',
  'dispute_status',
  'status',
  'amount',
  'currency',
  'amount_received',
  'amount_capturable',
  'error_code',
] as const
const outline = (body: Body): Body => Object.fromEntries(kept.filter(name => name in body).map(name => [name, body[name]]))
export const printOf = (text: string): string => createHash('sha1').update(text).digest('base64')

/** Opens clients of one merchant who run their journeys, all at once, until they are ended. */
export function openClients(access: Access, many: number, { seed, whileRunning, rest_ms = 0, again_ms = 25, among = journeys }: Manners) {
  const connectorsFor = (journey: Journey): readonly string[] =>
    (access.connectors ?? ['phonypay']).filter(connector => canGo(journey, connector))
  const mine = among.filter(
    journey => (journey.needs === undefined || access.has?.includes(journey.needs)) && connectorsFor(journey).length > 0,
  )
  const received: ClientAnswer[] = []
  /** Answers that nothing excuses. */
  const surprises: string[] = []
  const counts: Record<string, number> = {}
  /** Orders that a client repeats at this moment, or has put aside. */
  const open = new Set<Order>()
  const aside: Order[] = []
  let yeses = 0
  let waiting: { until: number; go(): void }[] = []
  let over = false
  let begun = 0

  function note(order: Order, outcome: string, answer?: Answer): void {
    const what = outcome.split(' ', outcome.startsWith('no answer') ? 3 : 2).join(' ')
    counts[what] = (counts[what] ?? 0) + 1
    const yes = answer?.status === 200 ? outline(answer.body) : null
    received.push({ order, at: Date.now(), outcome, yes, print: yes && printOf(answer!.text) })
    if (!yes) return
    yeses++
    for (const { go } of waiting.filter(one => one.until <= yeses)) go()
    waiting = waiting.filter(one => one.until > yeses)
  }

  /** Sends one request; gives null if it was not answered. */
  async function ask(order: Order): Promise<Answer | null> {
    const answer = await access
      .call(order.method, order.path, order.body, order.key === undefined ? {} : { 'idempotency-key': order.key })
      .catch((error: Error) => {
        note(order, `no answer: ${(error as { code?: string }).code ?? error.message}`)
        return null
      })
    if (!answer) return null
    const no = answer.status === 200 ? '' : ` ${answer.body?.error?.code} ${answer.body?.error?.message ?? answer.text}`
    note(order, `${answer.status}${no.slice(0, 120)}`, answer)
    const isExcused = (order.path !== '/payments' && isOutOfStep(answer)) || (order.path.startsWith('/disputes/') && isRefusedThere(answer))
    if (answer.status !== 200 && !isTryAgain(answer) && !isExcused)
      surprises.push(`${order.method} ${order.path} ${order.key ?? ''}: ${answer.status} ${answer.text}`)
    return answer
  }

  /**
   * Sends the same request until it is answered, as a client does who must know the result. At processors that show
   * the result only after an hour (PayPal, Mollie) a payment may be busy for as long: busy then counts as an answer.
   */
  async function insist(order: Order): Promise<Body | null> {
    open.add(order)
    const since = Date.now()
    for (;;) {
      const answer = await ask(order)
      if (answer?.status === 409 && whileRunning === 'put aside') {
        aside.push(order)
        return null
      }
      const isBusyForLong = answer?.status === 422 && access.connectors !== undefined && Date.now() - since > BUSY_FOR_MS
      if (answer && (!isTryAgain(answer) || isBusyForLong)) {
        open.delete(order)
        return answer.status === 200 ? answer.body : null
      }
      await pause(!answer ? 100 : answer.status === 409 ? 500 : again_ms)
    }
  }

  /**
   * Gives the connectors that a client's payment names: one, or a second one for the case that the first declines;
   * none if the shop has only one account.
   */
  function placesFor(journey: Journey, n: number): { connector?: string[] } {
    if (access.connectors === undefined) return {}
    const dice = openDice(seed, 'house', n)
    const able = connectorsFor(journey)
    const first = dice.one(able)
    const second = dice.one(able)
    return { connector: first === second || dice.chance(0.5) ? [first] : [first, second] }
  }

  function newClient(n: number, places: { connector?: string[] }): Client {
    const name = `${access.merchant_id.slice(-12).toUpperCase()}${String(n).padStart(12, '0')}`
    const dice = openDice(seed, n)
    const send = async (path: string, body: Body, how: How, tag: string): Promise<Body | null> => {
      const order: Order = { method: 'POST', path, body, ...(how === 'under a key' && { key: `${name}-${tag}` }) }
      if (how !== 'once') return insist(order)
      const answer = await ask(order)
      return answer?.status === 200 ? answer.body : null
    }
    return {
      dice,
      can: ability => (places.connector ?? ['phonypay']).every(connector => isAble(connector, ability)),
      buy(asked, how) {
        const named = how === 'named' && { payment_id: `pay_00${name}` }
        return send('/payments', access.payBody({ ...places, ...asked, description: name, ...named }), how, 'buy')
      },
      move: (payment_id, verb, body = {}, tag = '') => send(`/payments/${payment_id}/${verb}`, body, 'under a key', verb + tag),
      giveBack(payment_id, amount, how, tag = '0') {
        const refund = { payment_id, amount, metadata: { name: `${name}${tag}` } }
        const named = how === 'named' && { refund_id: `ref_0${tag.toUpperCase()}${name}` }
        return send('/refunds', { ...refund, ...named }, how, `refund${tag}`)
      },
      look: payment_id => insist({ method: 'GET', path: `/payments/${payment_id}?force_sync=true` }),
      answer: (dispute_id, evidence, tag = '') =>
        evidence === undefined
          ? send(`/disputes/accept/${dispute_id}`, {}, 'under a key', `answer${tag}`)
          : send('/disputes/evidence', { dispute_id, uncategorized_text: evidence }, 'under a key', `answer${tag}`),
      payOut(asked, how) {
        const named = how === 'named' && { payout_id: `pyt_00${name}` }
        return send('/payouts/create', payOutBody({ ...asked, description: name, ...named }), how, 'payout')
      },
      movePayout: (payout_id, verb, tag = '') =>
        send(`/payouts/${payout_id}/${verb}`, verb === 'confirm' ? {} : { payout_id }, 'under a key', `payout-${verb}${tag}`),
      lookAtPayout: payout_id => insist({ method: 'GET', path: `/payouts/${payout_id}?force_sync=true` }),
      ...openCustomer(access, text => surprises.push(text)),
    }
  }

  async function goOn(): Promise<void> {
    while (!over) {
      const n = begun++
      const dice = openDice(seed, 'journey', n)
      if (rest_ms > 0) await pause(dice.between(0, rest_ms))
      const journey = dice.weighted(mine)
      await journey.go(newClient(n, placesFor(journey, n)))
    }
  }
  const all = Promise.all(Array.from({ length: many }, goOn))
  // Errors are handled by the client that awaits `all`; this handler prevents an unhandled rejection.
  all.catch(() => {})

  return {
    received,
    surprises,
    counts,
    open,
    /** Waits until `n` more requests have succeeded. */
    yeses: (n: number): Promise<unknown> => Promise.race([all, new Promise<void>(go => waiting.push({ until: yeses + n, go }))]),
    /**
     * Lets the clients finish what they have begun. Clients that put an order aside repeat it after `when`, and must
     * be answered.
     */
    async end(when: () => Promise<void> = async () => {}): Promise<void> {
      over = true
      await all
      await when()
      const left = aside.splice(0)
      await Promise.all(left.map(insist))
      if (aside.length > 0) surprises.push(`${aside.length} of ${left.length} orders under a key are never answered`)
    },
  }
}
export type Clients = ReturnType<typeof openClients>

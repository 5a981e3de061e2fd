import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type Body, cards, type PayAsk, type Shop } from '../shop.ts'

/** What a client asks for, and the Idempotency-Key under which it does. */
export type Order = { path: string; body: Body; key?: string }

/** `under a key`, `named` (an id of its own): repeated until it is answered. `once`: a client who knows neither, and asks no second time. */
type How = 'under a key' | 'named' | 'once'

type Client = {
  buy(ask: PayAsk, how: How): Promise<Body | null>
  move(payment_id: string, verb: 'confirm' | 'capture' | 'cancel', body?: Body, tag?: string): Promise<Body | null>
  giveBack(payment_id: string, amount: number, how: How, tag?: string): Promise<Body | null>
}

/** What clients do, each in turn. A step that was not answered by a yes is the last. */
const journeys: ((client: Client) => Promise<unknown>)[] = [
  async ({ buy, giveBack }) => {
    const paid = await buy({}, 'under a key')
    return paid && giveBack(paid.payment_id, 500, 'under a key')
  },
  async ({ buy, giveBack }) => {
    const paid = await buy({}, 'named')
    // Together more than was paid.
    return paid && Promise.all([giveBack(paid.payment_id, 800, 'named', 'a'), giveBack(paid.payment_id, 800, 'under a key', 'b')])
  },
  async ({ buy, move, giveBack }) => {
    const held = await buy({ capture_method: 'manual' }, 'under a key')
    const captured = held && (await move(held.payment_id, 'capture', { amount_to_capture: 1000 }))
    return captured && giveBack(held.payment_id, 1000, 'named')
  },
  async ({ buy, move }) => {
    const held = await buy({ capture_method: 'manual_multiple' }, 'named')
    const capture = (amount_to_capture: number, tag: string) => move(held.payment_id, 'capture', { amount_to_capture }, tag)
    return held && Promise.all([capture(500, 'a'), capture(600, 'b')])
  },
  async ({ buy, move }) => {
    const held = await buy({ capture_method: 'manual' }, 'named')
    return held && move(held.payment_id, 'cancel')
  },
  async ({ buy, move }) => {
    const created = await buy({ confirm: false }, 'under a key')
    return created && move(created.payment_id, 'confirm')
  },
  ({ buy }) => buy({ card: cards.declines }, 'named'),
  ({ buy }) => buy({ card: cards.chargesAndResets }, 'under a key'),
  async ({ buy, giveBack }) => {
    const paid = await buy({}, 'once')
    return paid && giveBack(paid.payment_id, 700, 'once')
  },
  async ({ buy, giveBack }) => {
    const paid = await buy({ card: cards.refundsLater }, 'under a key')
    return paid && giveBack(paid.payment_id, 300, 'named')
  },
]

/** The database is away, or somebody else is at it: nothing is wrong, ask again. */
export const isTryAgain = ({ status, body }: Answer): boolean =>
  body?.error?.code === 'HE_00' && (status === 503 || status === 409 || (status === 422 && body.error.message.includes('try again')))

/** What a step may hear whose payment is not as far as its client believes, or is further: too little left, wrong status, past confirming. */
const isOutOfStep = ({ body }: Answer): boolean => ['IR_13', 'IR_14', 'IR_16'].includes(body?.error?.code)

/** Clients of one shop who buy, capture, cancel and give back, all at once, until they are told to stop. */
export function openStorm(shop: Shop, clients: number) {
  const yes: { order: Order; body: Body }[] = []
  /** Answers that nothing excuses. */
  const surprises: string[] = []
  /** Orders under a key whose first request was cut off: for 30 s nobody is told what became of it. */
  const unheard: Order[] = []
  const counts: Record<string, number> = {}
  let waiting: { until: number; go(): void }[] = []
  let over = false
  let begun = 0

  async function ask(order: Order): Promise<Answer> {
    const answer = await shop.post(order.path, order.body, order.key === undefined ? {} : { 'idempotency-key': order.key })
    const what = answer.status === 200 ? '200' : `${answer.status} ${answer.body?.error?.code}`
    counts[what] = (counts[what] ?? 0) + 1
    if (answer.status === 200) {
      yes.push({ order, body: answer.body })
      for (const { go } of waiting.filter(one => one.until <= yes.length)) go()
      waiting = waiting.filter(one => one.until > yes.length)
    } else if (!isTryAgain(answer) && !(order.path !== '/payments' && isOutOfStep(answer))) {
      surprises.push(`${order.path} ${order.key ?? ''}: ${answer.status} ${answer.text}`)
    }
    return answer
  }

  /** Sends the same request until it is answered, as a client does who must know. */
  async function insist(order: Order): Promise<Body | null> {
    for (;;) {
      const answer = await ask(order)
      if (answer.status === 200) return answer.body
      if (answer.status === 409) unheard.push(order)
      if (answer.status === 409 || !isTryAgain(answer)) return null
      await pause(25)
    }
  }

  function newClient(): Client {
    const name = `${shop.merchant_id.slice(-12).toUpperCase()}${String(begun++).padStart(13, '0')}`
    const send = (path: string, body: Body, how: How, tag: string): Promise<Body | null> =>
      how === 'once'
        ? ask({ path, body }).then(answer => (answer.status === 200 ? answer.body : null))
        : insist({ path, body, ...(how === 'under a key' && { key: `${name}-${tag}` }) })
    return {
      buy: (asked, how) =>
        send(
          '/payments',
          shop.payBody({ ...asked, description: name, ...(how === 'named' && { payment_id: `pay_0${name}` }) }),
          how,
          'buy',
        ),
      move: (payment_id, verb, body = {}, tag = '') => send(`/payments/${payment_id}/${verb}`, body, 'under a key', verb + tag),
      giveBack: (payment_id, amount, how, tag = '') => {
        const refund = { payment_id, amount, reason: `${name}${tag}` }
        return send('/refunds', how === 'named' ? { ...refund, refund_id: `ref_0${name}` } : refund, how, `refund${tag}`)
      },
    }
  }

  const all = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!over) await journeys[begun % journeys.length]!(newClient())
    }),
  )
  // Whoever waits for it hears of it.
  all.catch(() => {})
  return {
    yes,
    surprises,
    counts,
    /** When so many more requests were answered by a yes. */
    yeses: (n: number): Promise<unknown> => Promise.race([all, new Promise<void>(go => waiting.push({ until: yes.length + n, go }))]),
    /** The clients finish what they have begun; those who were cut off ask once more when their time has come, and are answered. */
    async end(): Promise<void> {
      over = true
      await all
      await shop.wait('1 minute')
      const left = unheard.splice(0)
      await Promise.all(left.map(insist))
      if (unheard.length > 0) surprises.push(`${unheard.length} of ${left.length} orders under a key are never answered`)
    },
  }
}
export type Storm = ReturnType<typeof openStorm>

import { deepEqual, equal } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Reply, Request, World } from '../../src/world.ts'
import { type Answer, type Body, http, type Shop } from '../shop.ts'

/**
 * What a processor announces of one object, told in every order: a flow makes the object and six announcements of it, the harness tells them, and whatever the order the end is the same. Another
 * resource is another flow.
 */
export type Flow = {
  name: string
  /**
   * Makes the object: `make` does all but the last thing that is asked of the processor, `last` asks for that. Six names of announcements: `verb n`, and how the processor has it then.
   */
  make(shop: Shop): Promise<Body>
  last(shop: Shop, made: Body): Promise<Answer>
  /** The announcements, by the place of the operation in the ledger and how it stands in them. */
  tells: readonly [operation: number, status: 'pending' | 'approved' | 'declined'][]
  /** What must be the same in the end. */
  end(shop: Shop, made: Body): Promise<unknown>
}

/** Every order of so many things. */
export function orders(many: number): number[][] {
  if (many === 0) return [[]]
  return orders(many - 1).flatMap(rest => Array.from({ length: many }, (_, i) => [...rest.slice(0, i), many - 1, ...rest.slice(i)]))
}

/** A share of them: all, or every sixth, another sixth for each seed. */
export function shareOf<T>(all: readonly T[], { PERMUTATIONS = '', PERMUTATIONS_SEED = '0' }: Record<string, string | undefined>): T[] {
  return PERMUTATIONS === 'all' ? [...all] : all.filter((_, i) => i % 6 === Number(PERMUTATIONS_SEED) % 6)
}

/** A processor's answers, some of which are kept back: they are on their way while announcements overtake them. */
export function openGate() {
  let held: { wanted(request: Request): boolean; reached: () => void; open: Promise<void> } | null = null
  return {
    wrap: (world: World): World => ({
      ...world,
      async send(request, sender): Promise<Reply> {
        const mine = held?.wanted(request) ? held : null
        const reply = await world.send(request, sender)
        mine?.reached()
        await mine?.open
        return reply
      },
    }),
    /** Keeps back the answers that somebody wants kept. `there`: so many of them have been given by the processor. */
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

function announce(shop: Shop, operation: Body): Promise<Answer> {
  const body = JSON.stringify({
    id: `evt_${operation.id}_${operation.status}`,
    type: 'operation.updated',
    created_at: new Date().toISOString(),
    operation,
  })
  const t = Math.floor((Date.now() + shop.clock.ahead) / 1000)
  const v1 = createHmac('sha256', shop.webhook_secret).update(`${t}.${body}`).digest('hex')
  return http('POST', `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`, body, {
    'x-sandbox-signature': `t=${t},v1=${v1}`,
  })
}

/** Tells one object's announcements in this order, each ten times at once. */
async function tellInOrder(shop: Shop, announcements: readonly Body[], order: readonly number[]): Promise<void> {
  for (const i of order) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => announce(shop, announcements[i]!)))
    for (const { status, text } of answers) equal(status, 200, text)
  }
}

/** How the last operation's answer comes: before the announcements, or after them. */
export type Answering = 'answered' | 'not answered'

/**
 * Plays a flow once for each of these orders, side by side in one shop, and gives how each ended. What the alarms ask later changes nothing of it.
 */
export async function play(
  shop: Shop,
  flow: Flow,
  some: readonly (readonly number[])[],
  answering: Answering,
  gate: ReturnType<typeof openGate>,
): Promise<unknown[]> {
  const made = await Promise.all(some.map(() => flow.make(shop)))
  const held = answering === 'answered' ? null : gate.hold(({ method }) => method === 'POST', some.length)
  const answers = made.map(one => flow.last(shop, one))
  await (held ? held.there : Promise.all(answers))
  const before = await shop.processor.operations()
  const byPayment = (all: readonly Body[], one: Body): Body[] => all.filter(({ payment }) => payment === one.connector_transaction_id)
  for (const one of made)
    for (const [place, status] of flow.tells)
      if (status !== 'pending' && byPayment(before, one)[place]!.status === 'pending')
        await shop.processor.decide(byPayment(before, one)[place]!.id, status)
  const after = await shop.processor.operations()
  await Promise.all(
    made.map((one, i) => {
      const announcements = flow.tells.map(([place, status]) => {
        const found = byPayment(status === 'pending' ? before : after, one)[place]!
        equal(found.status, status, `${flow.name}: operation ${place}`)
        return found
      })
      return tellInOrder(shop, announcements, some[i]!)
    }),
  )
  held?.letGo()
  await Promise.all(answers)
  const ends = await Promise.all(made.map(one => flow.end(shop, one)))
  await shop.wait('10 minutes')
  deepEqual(await Promise.all(made.map(one => flow.end(shop, one))), ends, 'whoever asks later hears nothing new')
  return ends
}

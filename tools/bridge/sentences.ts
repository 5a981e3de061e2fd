import { randomBytes } from 'node:crypto'
import { Compile } from 'typebox/compile'
import { about, type BridgeOperation, type bridgeTypes, notification, readNotification } from '../../src/connectors/bridge/protocol.ts'
import { type Adapter, type AdapterResult, type Asks, Fault, type openLetterbox, whyNotSigned } from './adapter.ts'

/** The requirements for an adapter. Each is tried with its own operations. */

type About = {
  offers: string[]
  reads?: string[]
  test_cards?: { approved: string; declined: string; pending?: string | null; action_required?: string | null } | null
}
export type Stage = { adapter: Adapter; letterbox: Awaited<ReturnType<typeof openLetterbox>>; about: About; secret: string }
export type Sentence = {
  requirement: string
  /** The operation types without which the requirement cannot be tried. */
  needs?: readonly (typeof bridgeTypes)[number][]
  /** What the adapter must be able to read besides operations. */
  reads?: 'payments' | 'changes'
  card?: 'pending' | 'action_required'
  holds(stage: Stage): Promise<void>
}

export const newId = (): string => `check_${randomBytes(12).toString('hex')}`
const isAbout = Compile(about)
const isNotification = Compile(notification)

export function demand(truth: boolean, message: string): asserts truth {
  if (!truth) throw new Fault(message)
}

const authorization = ({ about }: Stage, more: Partial<Asks['authorize']> & { card?: string } = {}): Asks['authorize'] => {
  const { card = about.test_cards!.approved, ...rest } = more
  return {
    type: 'authorize',
    amount: 1250,
    currency: 'USD',
    capture: 'automatic',
    method: { type: 'card', number: card, exp_month: 12, exp_year: 2040, cvc: '737' },
    three_ds: 'skip',
    return_url: 'https://shop.example/return',
    merchant_name: 'Conformance',
    allow_partial: false,
    ...rest,
  }
}

/** Returns an operation if the answer is one with this status. Throws otherwise. */
export function be(result: AdapterResult, status: BridgeOperation['status'], of = 'The operation'): BridgeOperation {
  if (result.is === 'error') throw new Fault(`${of} was refused with ${result.code}; expected status ${status}`)
  demand(result.operation.status === status, `${of} has status ${result.operation.status}; expected ${status}`)
  return result.operation
}

function beRefused(result: AdapterResult, codes: readonly string[], of: string): void {
  demand(result.is === 'error', `${of} was accepted; expected ${codes.join(' or ')}`)
  demand(codes.includes(result.code), `${of} was refused with ${result.code}; expected ${codes.join(' or ')}`)
}

const same = (a: BridgeOperation, b: BridgeOperation, of: string): void =>
  demand(
    a.reference === b.reference && a.type === b.type,
    `${of} is a different operation: reference ${b.reference}; expected ${a.reference}`,
  )

/** Checks that the operation has the requested amount and currency. */
const echo = (operation: BridgeOperation, { amount, currency }: { amount: number; currency: string }): void =>
  demand(
    operation.amount === amount && operation.currency === currency,
    `The operation has ${operation.amount} ${operation.currency}; expected ${amount} ${currency}`,
  )

export async function hold(stage: Stage): Promise<string> {
  const id = newId()
  be(await stage.adapter.put(id, authorization(stage, { capture: 'manual' })), 'approved', 'The authorization')
  return id
}

export async function paid(stage: Stage): Promise<string> {
  const id = newId()
  be(await stage.adapter.put(id, authorization(stage)), 'approved', 'The payment')
  return id
}

export const act = (type: 'capture' | 'refund', authorization: string, amount: number, final = false) =>
  type === 'capture' ? { type, authorization, amount, currency: 'USD', final } : { type, authorization, amount, currency: 'USD' }
export const undo = (authorization: string) => ({ type: 'void', authorization, amount: 1250, currency: 'USD' })

/** Checks the captured and the held amount of an authorization. */
async function stands(stage: Stage, id: string, captured: number, held: number): Promise<void> {
  const now = be(await stage.adapter.get(id), 'approved', 'The authorization')
  demand(
    now.captured === captured && now.held === held,
    `The authorization has captured ${now.captured} and held ${now.held}; expected ${captured} and ${held}`,
  )
}

/** Whether an operation was accepted. An adapter may also answer `pending`, if its processor does. */
const isTaken = (result: AdapterResult): boolean => result.is === 'operation' && ['approved', 'pending'].includes(result.operation.status)

export const first: Sentence = {
  requirement: 'The adapter describes itself and the operations that it supports',
  async holds(stage) {
    const { status, body } = await stage.adapter.call('GET', '')
    demand(status === 200 && isAbout.Check(body), `GET /v1 returned ${status} ${JSON.stringify(body).slice(0, 200)}`)
    const described = body as About
    demand(described.test_cards?.approved !== undefined, 'The adapter does not list test_cards. Run this check against a test environment')
    demand(described.offers.includes('authorize'), 'The adapter does not support authorize')
    stage.about = described
  },
}

export const sentences: readonly Sentence[] = [
  {
    requirement: 'A request with a wrong secret is refused, and has no effect',
    async holds(stage) {
      const id = newId()
      beRefused(
        await stage.adapter.put(id, authorization(stage), 'not_the_invalid_secret'),
        ['unauthorized'],
        'A request with a wrong secret',
      )
      beRefused(await stage.adapter.get(id), ['not_found'], 'The refused operation')
    },
  },
  {
    requirement: 'Payments are approved for the exact amount, in currencies with 0, 2 and 3 decimals',
    async holds(stage) {
      for (const [amount, currency] of [
        [1, 'JPY'],
        [1250, 'USD'],
        [1051, 'EUR'],
        [1001, 'KWD'],
        [123_456_789, 'USD'],
      ] as const) {
        const operation = be(
          await stage.adapter.put(newId(), authorization(stage, { amount, currency })),
          'approved',
          `A payment of ${amount} ${currency}`,
        )
        echo(operation, { amount, currency })
        demand(
          operation.captured === amount && operation.held === 0,
          `A payment with automatic capture has captured ${operation.captured} and held ${operation.held}; expected ${amount} and 0`,
        )
      }
    },
  },
  {
    requirement: 'A very large amount is returned unchanged, or refused',
    async holds(stage) {
      const money = { amount: Number.MAX_SAFE_INTEGER - 1, currency: 'USD' }
      const result = await stage.adapter.put(newId(), authorization(stage, money))
      if (result.is === 'operation' && result.operation.status !== 'declined') echo(result.operation, money)
    },
  },
  {
    requirement: 'A declined payment has a reason, and stays declined',
    async holds(stage) {
      const id = newId()
      const declined = be(await stage.adapter.put(id, authorization(stage, { card: stage.about.test_cards!.declined })), 'declined')
      be(await stage.adapter.get(id), 'declined', 'The retrieved payment')
      demand(declined.decline!.message !== '', 'decline.message is empty')
    },
  },
  {
    requirement: 'A repeated PUT with the same request id returns the same operation',
    async holds(stage) {
      const id = newId()
      const once = be(await stage.adapter.put(id, authorization(stage)), 'approved')
      for (let i = 0; i < 2; i++) same(once, be(await stage.adapter.put(id, authorization(stage)), 'approved'), 'The repeated PUT')
    },
  },
  {
    requirement: 'Ten concurrent PUTs with the same request id create one operation',
    async holds(stage) {
      const id = newId()
      const all = await Promise.all(Array.from({ length: 10 }, () => stage.adapter.put(id, authorization(stage))))
      const now = be(await stage.adapter.get(id), 'approved')
      for (const result of all) if (result.is === 'operation') same(now, result.operation, 'One of the ten responses')
    },
  },
  {
    requirement: 'A PUT with the same request id and a different body is refused, and changes nothing',
    async holds(stage) {
      const id = newId()
      const once = be(await stage.adapter.put(id, authorization(stage)), 'approved')
      beRefused(
        await stage.adapter.put(id, authorization(stage, { amount: 1300 })),
        ['conflict'],
        'A PUT with the same request id and a different amount',
      )
      const now = be(await stage.adapter.get(id), 'approved')
      same(once, now, 'The operation after the refused PUT')
      echo(now, { amount: 1250, currency: 'USD' })
    },
  },
  {
    requirement: 'A lookup by request id returns the operation',
    async holds(stage) {
      const id = newId()
      const operation = be(await stage.adapter.put(id, authorization(stage)), 'approved')
      const found = be(await stage.adapter.get(id), 'approved', 'The retrieved operation')
      same(operation, found, 'The retrieved operation')
      echo(found, operation)
    },
  },
  {
    requirement: 'A lookup of an unknown request id returns not_found',
    async holds({ adapter }) {
      beRefused(await adapter.get(newId()), ['not_found'], 'A lookup of an unknown request id')
    },
  },
  {
    requirement: 'After a disconnect, a lookup shows the result, and a repeated PUT does nothing twice',
    async holds(stage) {
      for (let i = 0; i < 5; i++) {
        const id = newId()
        await stage.adapter.putAndLeave(id, authorization(stage))
        const found = await stage.adapter.get(id)
        if (found.is === 'error') beRefused(found, ['not_found'], 'The lookup')
        const again = be(await stage.adapter.put(id, authorization(stage)), 'approved', 'The repeated PUT')
        if (found.is === 'operation') same(found.operation, again, 'The repeated PUT')
        same(again, be(await stage.adapter.get(id), 'approved'), 'The operation retrieved after it')
      }
    },
  },
  {
    requirement: 'An invalid request is refused, and has no effect',
    async holds(stage) {
      const good = authorization(stage)
      const { amount: _amount, ...without } = good
      const bad: [words: string, body: object][] = [
        ['A request without an amount', without],
        ['A request with a fractional amount', { ...good, amount: 12.5 }],
        ['A request with a negative amount', { ...good, amount: -1 }],
        ['A request whose amount is a string', { ...good, amount: '1250' }],
        ['A request with an invalid currency', { ...good, currency: 'dollars' }],
        ['A request with an unknown type', { ...good, type: 'borrow' }],
      ]
      for (const [label, body] of bad) {
        const id = newId()
        beRefused(await stage.adapter.put(id, body), ['invalid_request', 'not_supported'], label)
        beRefused(await stage.adapter.get(id), ['not_found'], `The lookup after it (${label})`)
      }
    },
  },
  {
    requirement: 'An authorization can be captured in parts, never above the held amount, and each capture happens once',
    needs: ['capture'],
    async holds(stage) {
      const { adapter } = stage
      const id = await hold(stage)
      await stands(stage, id, 0, 1250)
      const part = newId()
      const once = be(await adapter.put(part, act('capture', id, 500)), 'approved', 'The capture')
      echo(once, { amount: 500, currency: 'USD' })
      same(once, be(await adapter.put(part, act('capture', id, 500)), 'approved'), 'The repeated capture')
      await stands(stage, id, 500, 750)
      beRefused(await adapter.put(newId(), act('capture', id, 751)), ['not_allowed'], 'A capture above the held amount')
      await stands(stage, id, 500, 750)
      be(await adapter.put(newId(), act('capture', id, 250, true)), 'approved', 'The final capture')
      await stands(stage, id, 750, 0)
    },
  },
  {
    requirement: 'A voided authorization releases its funds, and cannot be captured',
    needs: ['void'],
    async holds(stage) {
      const { adapter } = stage
      const id = await hold(stage)
      be(await adapter.put(newId(), undo(id)), 'approved', 'The void')
      be(await adapter.get(id), 'released', 'The authorization')
      if (stage.about.offers.includes('capture'))
        beRefused(await adapter.put(newId(), act('capture', id, 100)), ['not_allowed'], 'A capture after the void')
    },
  },
  {
    requirement: 'A fully captured payment cannot be voided',
    needs: ['void'],
    async holds(stage) {
      const id = await paid(stage)
      const result = await stage.adapter.put(newId(), undo(id))
      demand(!isTaken(result), 'The void was accepted')
      await stands(stage, id, 1250, 0)
    },
  },
  {
    requirement: 'Refunds never exceed the captured amount, even when they are concurrent, and each happens once',
    needs: ['refund'],
    async holds(stage) {
      const { adapter } = stage
      const id = await paid(stage)
      const part = newId()
      const result = await adapter.put(part, act('refund', id, 500))
      demand(isTaken(result) && result.is === 'operation', 'A refund was not accepted')
      echo(result.operation, { amount: 500, currency: 'USD' })
      const again = await adapter.put(part, act('refund', id, 500))
      demand(again.is === 'operation', 'The repeated refund was refused')
      same(result.operation, again.operation, 'The repeated refund')
      demand(!isTaken(await adapter.put(newId(), act('refund', id, 751))), 'A refund above the amount left was accepted')
      const race = await Promise.all([0, 1, 2, 3].map(() => adapter.put(newId(), act('refund', id, 400))))
      demand(
        race.filter(isTaken).length === 1,
        `${race.filter(isTaken).length} of four concurrent refunds of 400 were accepted, with 750 left to refund; expected 1`,
      )
    },
  },
  {
    requirement: 'A payout is paid once, even if its request is repeated',
    needs: ['payout'],
    async holds({ adapter }) {
      const id = newId()
      const money = { amount: 9900, currency: 'EUR' }
      const to = { type: 'bank', scheme: 'sepa_bank_transfer', account: 'DE89370400440532013000', holder: 'Ada Byron', country: 'DE' }
      const ask = { type: 'payout', ...money, to, merchant_name: 'Conformance' }
      const result = await adapter.put(id, ask)
      demand(isTaken(result) && result.is === 'operation', 'The payout was not accepted')
      echo(result.operation, money)
      for (const again of await Promise.all([adapter.put(id, ask), adapter.put(id, ask), adapter.get(id)])) {
        demand(again.is === 'operation', 'The repeated payout was refused')
        same(result.operation, again.operation, 'The repeated payout')
      }
    },
  },
  {
    requirement: 'A refund of an unknown authorization is refused',
    needs: ['refund'],
    async holds({ adapter }) {
      beRefused(await adapter.put(newId(), act('refund', newId(), 100)), ['not_found'], 'A refund of an unknown authorization')
    },
  },
  {
    requirement: 'A payment without a result yet is pending',
    card: 'pending',
    async holds(stage) {
      const id = newId()
      be(await stage.adapter.put(id, authorization(stage, { card: stage.about.test_cards!.pending! })), 'pending')
      be(await stage.adapter.get(id), 'pending', 'The retrieved payment')
    },
  },
  {
    requirement: 'A payment that requires an action by the customer returns a URL',
    card: 'action_required',
    async holds(stage) {
      const ask = authorization(stage, { card: stage.about.test_cards!.action_required!, three_ds: 'request' })
      const operation = be(await stage.adapter.put(newId(), ask), 'action_required')
      demand(operation.captured ? operation.captured === 0 : true, 'A payment that requires an action already has a captured amount')
    },
  },
  {
    requirement: 'Notifications are signed, and sent again until they are accepted',
    async holds({ adapter, letterbox, secret, ...rest }) {
      const stage = { adapter, letterbox, secret, ...rest }
      const id = newId()
      const operation = be(await adapter.put(id, authorization(stage)), 'approved')
      for (const [nth, message] of [
        [1, 'The notification did not arrive'],
        [2, 'The notification was not sent again after a 500'],
      ] as const) {
        const received = await letterbox.notification(id, nth)
        demand(received !== null, message)
        const why = whyNotSigned(received, secret)
        demand(why === null, why ?? '')
        const body: unknown = JSON.parse(received.raw.toString())
        const notified = readNotification(body)
        demand(isNotification.Check(body) && notified !== null, `The notification is invalid: ${received.raw.toString().slice(0, 200)}`)
        same(operation, notified, 'The notification')
        echo(notified, operation)
      }
    },
  },
]

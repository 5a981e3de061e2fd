import { randomBytes } from 'node:crypto'
import { Compile } from 'typebox/compile'
import { about, type BridgeOperation, type bridgeTypes, news, readNews } from '../../src/connectors/bridge/protocol.ts'
import { type Adapter, type Asks, Fault, type openLetterbox, type Said, whyNotSigned } from './adapter.ts'

/** What an adapter must do, sentence by sentence. Each is tried with operations of its own. */

type About = {
  offers: string[]
  test_cards?: { approved: string; declined: string; pending?: string | null; action_required?: string | null } | null
}
export type Stage = { adapter: Adapter; letterbox: Awaited<ReturnType<typeof openLetterbox>>; about: About; secret: string }
export type Sentence = {
  says: string
  /** Kinds of operation without which there is nothing to try. */
  needs?: readonly (typeof bridgeTypes)[number][]
  card?: 'pending' | 'action_required'
  holds(stage: Stage): Promise<void>
}

export const newId = (): string => `check_${randomBytes(12).toString('hex')}`
const isAbout = Compile(about)
const isNews = Compile(news)

function demand(truth: boolean, words: string): asserts truth {
  if (!truth) throw new Fault(words)
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

/** It is an operation, with this status. */
function be(said: Said, status: BridgeOperation['status'], of = 'it'): BridgeOperation {
  if (said.is === 'error') throw new Fault(`${of} was refused (${said.code}), not ${status}`)
  demand(said.operation.status === status, `${of} is ${said.operation.status}, not ${status}`)
  return said.operation
}

function beRefused(said: Said, codes: readonly string[], of: string): void {
  demand(said.is === 'error', `${of} was taken`)
  demand(codes.includes(said.code), `${of} was refused as ${said.code}, not ${codes.join(' or ')}`)
}

const same = (a: BridgeOperation, b: BridgeOperation, of: string): void =>
  demand(a.reference === b.reference && a.type === b.type, `${of} is another operation: ${b.reference}, before ${a.reference}`)

/** Amount and currency as they were asked. */
const echo = (operation: BridgeOperation, { amount, currency }: { amount: number; currency: string }): void =>
  demand(
    operation.amount === amount && operation.currency === currency,
    `${amount} ${currency} came back as ${operation.amount} ${operation.currency}`,
  )

async function hold(stage: Stage): Promise<string> {
  const id = newId()
  be(await stage.adapter.put(id, authorization(stage, { capture: 'manual' })), 'approved', 'a hold')
  return id
}

async function paid(stage: Stage): Promise<string> {
  const id = newId()
  be(await stage.adapter.put(id, authorization(stage)), 'approved', 'a payment')
  return id
}

const act = (type: 'capture' | 'refund', authorization: string, amount: number, final = false) =>
  type === 'capture' ? { type, authorization, amount, currency: 'USD', final } : { type, authorization, amount, currency: 'USD' }
const undo = (authorization: string) => ({ type: 'void', authorization, amount: 1250, currency: 'USD' })

/** How much is taken of an authorization, and how much is held. */
async function stands(stage: Stage, id: string, captured: number, held: number): Promise<void> {
  const now = be(await stage.adapter.get(id), 'approved', 'the authorization')
  demand(
    now.captured === captured && now.held === held,
    `the authorization says captured ${now.captured}, held ${now.held}, not ${captured} and ${held}`,
  )
}

/** An adapter may also say `pending`, where its processor does. */
const isTaken = (said: Said): boolean => said.is === 'operation' && ['approved', 'pending'].includes(said.operation.status)

export const first: Sentence = {
  says: 'it says what it is, and what it offers',
  async holds(stage) {
    const { status, body } = await stage.adapter.call('GET', '')
    demand(status === 200 && isAbout.Check(body), `GET /v1 was answered with ${status} ${JSON.stringify(body).slice(0, 200)}`)
    const said = body as About
    demand(said.test_cards?.approved !== undefined, 'it names no test_cards: only a test environment can be tried')
    demand(said.offers.includes('authorize'), 'it does not offer to authorize')
    stage.about = said
  },
}

export const sentences: readonly Sentence[] = [
  {
    says: 'who does not know the secret is refused, and nothing happens',
    async holds(stage) {
      const id = newId()
      beRefused(
        await stage.adapter.put(id, authorization(stage), 'not_the_invalid_secret'),
        ['unauthorized'],
        'a request with another secret',
      )
      beRefused(await stage.adapter.get(id), ['not_found'], 'what it asked for')
    },
  },
  {
    says: 'a payment is approved, and every amount comes back to the last digit, in currencies of 0, 2 and 3 decimals',
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
          `a payment of ${amount} ${currency}`,
        )
        echo(operation, { amount, currency })
        demand(
          operation.captured === amount && operation.held === 0,
          `taken at once, it says captured ${operation.captured}, held ${operation.held}`,
        )
      }
    },
  },
  {
    says: 'a very large amount comes back as it was, or is refused',
    async holds(stage) {
      const money = { amount: Number.MAX_SAFE_INTEGER - 1, currency: 'USD' }
      const said = await stage.adapter.put(newId(), authorization(stage, money))
      if (said.is === 'operation' && said.operation.status !== 'declined') echo(said.operation, money)
    },
  },
  {
    says: 'a card that is declined is declined, with a reason, and stays so',
    async holds(stage) {
      const id = newId()
      const declined = be(await stage.adapter.put(id, authorization(stage, { card: stage.about.test_cards!.declined })), 'declined')
      be(await stage.adapter.get(id), 'declined', 'looked up, it')
      demand(declined.decline!.message !== '', 'it says no reason')
    },
  },
  {
    says: 'the same request id, put again, is the same operation',
    async holds(stage) {
      const id = newId()
      const once = be(await stage.adapter.put(id, authorization(stage)), 'approved')
      for (let i = 0; i < 2; i++) same(once, be(await stage.adapter.put(id, authorization(stage)), 'approved'), 'put again, it')
    },
  },
  {
    says: 'the same request id, put ten times at once, is one operation',
    async holds(stage) {
      const id = newId()
      const all = await Promise.all(Array.from({ length: 10 }, () => stage.adapter.put(id, authorization(stage))))
      const now = be(await stage.adapter.get(id), 'approved')
      for (const said of all) if (said.is === 'operation') same(now, said.operation, 'one of the ten')
    },
  },
  {
    says: 'another body under the same request id is refused, and what was there stands',
    async holds(stage) {
      const id = newId()
      const once = be(await stage.adapter.put(id, authorization(stage)), 'approved')
      beRefused(await stage.adapter.put(id, authorization(stage, { amount: 1300 })), ['conflict'], 'another amount under the same id')
      const now = be(await stage.adapter.get(id), 'approved')
      same(once, now, 'afterwards it')
      echo(now, { amount: 1250, currency: 'USD' })
    },
  },
  {
    says: 'what was asked for is found by its request id, and says the same',
    async holds(stage) {
      const id = newId()
      const said = be(await stage.adapter.put(id, authorization(stage)), 'approved')
      const found = be(await stage.adapter.get(id), 'approved', 'looked up, it')
      same(said, found, 'looked up, it')
      echo(found, said)
    },
  },
  {
    says: 'a request id that never came is not found',
    async holds({ adapter }) {
      beRefused(await adapter.get(newId()), ['not_found'], 'an id that was never sent')
    },
  },
  {
    says: 'who hangs up before the answer finds what happened, and asking again does nothing twice',
    async holds(stage) {
      for (let i = 0; i < 5; i++) {
        const id = newId()
        await stage.adapter.putAndLeave(id, authorization(stage))
        const found = await stage.adapter.get(id)
        if (found.is === 'error') beRefused(found, ['not_found'], 'the look-up')
        const again = be(await stage.adapter.put(id, authorization(stage)), 'approved', 'put again, it')
        if (found.is === 'operation') same(found.operation, again, 'put again, it')
        same(again, be(await stage.adapter.get(id), 'approved'), 'looked up then, it')
      }
    },
  },
  {
    says: 'what makes no sense is refused as such, and nothing happens',
    async holds(stage) {
      const good = authorization(stage)
      const { amount: _amount, ...without } = good
      const bad: [words: string, body: object][] = [
        ['an amount that is missing', without],
        ['a fraction', { ...good, amount: 12.5 }],
        ['an amount below zero', { ...good, amount: -1 }],
        ['an amount that is a text', { ...good, amount: '1250' }],
        ['a currency that is none', { ...good, currency: 'dollars' }],
        ['a kind of operation that is none', { ...good, type: 'borrow' }],
      ]
      for (const [words, body] of bad) {
        const id = newId()
        beRefused(await stage.adapter.put(id, body), ['invalid_request', 'not_supported'], words)
        beRefused(await stage.adapter.get(id), ['not_found'], words)
      }
    },
  },
  {
    says: 'a hold is captured in parts, never for more than it holds, and each capture once',
    needs: ['capture'],
    async holds(stage) {
      const { adapter } = stage
      const id = await hold(stage)
      await stands(stage, id, 0, 1250)
      const part = newId()
      const once = be(await adapter.put(part, act('capture', id, 500)), 'approved', 'a capture')
      echo(once, { amount: 500, currency: 'USD' })
      same(once, be(await adapter.put(part, act('capture', id, 500)), 'approved'), 'the same capture, put again,')
      await stands(stage, id, 500, 750)
      beRefused(await adapter.put(newId(), act('capture', id, 751)), ['not_allowed'], 'a capture of more than is held')
      await stands(stage, id, 500, 750)
      be(await adapter.put(newId(), act('capture', id, 250, true)), 'approved', 'the final capture')
      await stands(stage, id, 750, 0)
    },
  },
  {
    says: 'a hold that is voided is released, and cannot be captured any more',
    needs: ['void'],
    async holds(stage) {
      const { adapter } = stage
      const id = await hold(stage)
      be(await adapter.put(newId(), undo(id)), 'approved', 'the void')
      be(await adapter.get(id), 'released', 'the authorization')
      if (stage.about.offers.includes('capture'))
        beRefused(await adapter.put(newId(), act('capture', id, 100)), ['not_allowed'], 'a capture after the void')
    },
  },
  {
    says: 'what was taken whole cannot be voided',
    needs: ['void'],
    async holds(stage) {
      const id = await paid(stage)
      const said = await stage.adapter.put(newId(), undo(id))
      demand(!isTaken(said), 'the void was taken')
      await stands(stage, id, 1250, 0)
    },
  },
  {
    says: 'refunds never exceed what was taken, one after the other or at once, and each is made once',
    needs: ['refund'],
    async holds(stage) {
      const { adapter } = stage
      const id = await paid(stage)
      const part = newId()
      const said = await adapter.put(part, act('refund', id, 500))
      demand(isTaken(said) && said.is === 'operation', 'a refund was not taken')
      echo(said.operation, { amount: 500, currency: 'USD' })
      const again = await adapter.put(part, act('refund', id, 500))
      demand(again.is === 'operation', 'the same refund, put again, was refused')
      same(said.operation, again.operation, 'the same refund, put again,')
      demand(!isTaken(await adapter.put(newId(), act('refund', id, 751))), 'a refund of more than is left was taken')
      const race = await Promise.all([0, 1, 2, 3].map(() => adapter.put(newId(), act('refund', id, 400))))
      demand(race.filter(isTaken).length === 1, `of four refunds of 400 at once, ${race.filter(isTaken).length} were taken of the 750 left`)
    },
  },
  {
    says: 'money is paid out once, however often it is asked for',
    needs: ['payout'],
    async holds({ adapter }) {
      const id = newId()
      const money = { amount: 9900, currency: 'EUR' }
      const to = { type: 'bank', scheme: 'sepa_bank_transfer', account: 'DE89370400440532013000', holder: 'Ada Byron', country: 'DE' }
      const ask = { type: 'payout', ...money, to, merchant_name: 'Conformance' }
      const said = await adapter.put(id, ask)
      demand(isTaken(said) && said.is === 'operation', 'a payout was not taken')
      echo(said.operation, money)
      for (const again of await Promise.all([adapter.put(id, ask), adapter.put(id, ask), adapter.get(id)])) {
        demand(again.is === 'operation', 'the same payout, put again, was refused')
        same(said.operation, again.operation, 'the same payout, put again,')
      }
    },
  },
  {
    says: 'what is done to an authorization that is not known is refused',
    needs: ['refund'],
    async holds({ adapter }) {
      beRefused(await adapter.put(newId(), act('refund', newId(), 100)), ['not_found'], 'a refund of nothing')
    },
  },
  {
    says: 'a payment that is not decided says so',
    card: 'pending',
    async holds(stage) {
      const id = newId()
      be(await stage.adapter.put(id, authorization(stage, { card: stage.about.test_cards!.pending! })), 'pending')
      be(await stage.adapter.get(id), 'pending', 'looked up, it')
    },
  },
  {
    says: 'a customer who must do something is told where',
    card: 'action_required',
    async holds(stage) {
      const ask = authorization(stage, { card: stage.about.test_cards!.action_required!, three_ds: 'request' })
      const said = be(await stage.adapter.put(newId(), ask), 'action_required')
      demand(said.captured ? said.captured === 0 : true, 'money is taken already')
    },
  },
  {
    says: 'what became of an operation is told, signed, and told again until it is taken',
    async holds({ adapter, letterbox, secret, ...rest }) {
      const stage = { adapter, letterbox, secret, ...rest }
      const id = newId()
      const said = be(await adapter.put(id, authorization(stage)), 'approved')
      for (const [nth, words] of [
        [1, 'no news came'],
        [2, 'refused with a 500, the news did not come again'],
      ] as const) {
        const heard = await letterbox.news(id, nth)
        demand(heard !== null, words)
        const why = whyNotSigned(heard, secret)
        demand(why === null, why ?? '')
        const body: unknown = JSON.parse(heard.raw.toString())
        const told = readNews(body)
        demand(isNews.Check(body) && told !== null, `the news makes no sense: ${heard.raw.toString().slice(0, 200)}`)
        same(said, told, 'the news')
        echo(told, said)
      }
    },
  },
]

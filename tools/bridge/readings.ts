import { readBridgeError, readChanges } from '../../src/connectors/bridge/protocol.ts'
import { type BridgePayment, readPayment } from '../../src/connectors/bridge/report-shapes.ts'
import type { Adapter } from './adapter.ts'
import { act, be, demand, hold, newId, paid, type Sentence, undo } from './sentences.ts'

/** The requirements for what an adapter may leave out: payments as a whole, and the list of changes. */

async function whole({ call }: Adapter, id: string): Promise<BridgePayment> {
  const { status, body } = await call('GET', `/payments/${id}`)
  const payment = status === 200 ? readPayment(body) : null
  demand(payment !== null, `GET /v1/payments returned ${status} ${JSON.stringify(body).slice(0, 200)}`)
  demand(payment.request_id === id, `The payment has request_id ${payment.request_id}; expected ${id}`)
  return payment
}

/** Checks the totals that the adapter tells. */
function has(payment: BridgePayment, expected: Partial<BridgePayment>): void {
  for (const [name, value] of Object.entries(expected)) {
    const told = payment[name as keyof BridgePayment] ?? null
    demand(told === null || told === value, `The payment has ${name} ${told}; expected ${value}`)
  }
}

function lists({ movements }: BridgePayment, type: string, request_id: string, amount: number): void {
  const found = movements.find(one => one.type === type && one.request_id === request_id)
  demand(found !== undefined, `The payment does not list the ${type} ${request_id}`)
  demand(found.amount === amount, `The ${type} has the amount ${found.amount}; expected ${amount}`)
}

/** Longer than the clocks of two machines usually differ, in milliseconds. */
const SPAN_MS = 10 * 60_000
const MOST_PAGES = 100

/** Returns the request ids in the list of changes around now. */
async function changed({ call }: Adapter): Promise<Set<unknown>> {
  const [since, until] = [-SPAN_MS, SPAN_MS].map(ms => new Date(Date.now() + ms).toISOString()) as [string, string]
  const seen = new Set<unknown>()
  let cursor: string | null = null
  for (let i = 0; i < MOST_PAGES; i++) {
    const query = new URLSearchParams({ since, until, ...(cursor !== null && { cursor }) })
    const { status, body } = await call('GET', `/changes?${query}`)
    const page = status === 200 ? readChanges(body) : null
    demand(page !== null, `GET /v1/changes returned ${status} ${JSON.stringify(body).slice(0, 200)}`)
    for (const one of page.changes as { operation?: { request_id?: unknown }; payment?: { request_id?: unknown } }[])
      seen.add((one.operation ?? one.payment)?.request_id)
    cursor = page.next ?? null
    if (cursor === null) return seen
  }
  demand(false, `The list of changes has more than ${MOST_PAGES} pages`)
}

export const readings: readonly Sentence[] = [
  {
    requirement: 'A payment is read as a whole, with its totals and all its movements',
    reads: 'payments',
    needs: ['capture', 'refund'],
    async holds({ adapter, ...rest }) {
      const id = await hold({ adapter, ...rest })
      has(await whole(adapter, id), { authorized: 1250, captured: 0, refunded: 0, held: 1250, released: null })
      const [capture, refund] = [newId(), newId()]
      be(await adapter.put(capture, act('capture', id, 500)), 'approved', 'The capture')
      be(await adapter.put(refund, act('refund', id, 200)), 'approved', 'The refund')
      const payment = await whole(adapter, id)
      has(payment, { authorized: 1250, captured: 500, refunded: 200, held: 750, released: null })
      lists(payment, 'capture', capture, 500)
      lists(payment, 'refund', refund, 200)
    },
  },
  {
    requirement: 'A voided authorization is read as a payment that holds nothing',
    reads: 'payments',
    needs: ['void'],
    async holds({ adapter, ...rest }) {
      const id = await hold({ adapter, ...rest })
      be(await adapter.put(newId(), undo(id)), 'approved', 'The void')
      has(await whole(adapter, id), { captured: 0, held: 0, released: 'voided' })
    },
  },
  {
    requirement: 'A payment that was never received is not found',
    reads: 'payments',
    async holds({ adapter }) {
      const { status, body } = await adapter.call('GET', `/payments/${newId()}`)
      const code = readBridgeError(status, body)?.code
      demand(code === 'not_found', `The unknown payment returned ${status} ${code ?? ''}; expected not_found`)
    },
  },
  {
    requirement: 'What has changed is listed, page by page',
    reads: 'changes',
    async holds({ adapter, ...rest }) {
      const ids = [await paid({ adapter, ...rest }), await hold({ adapter, ...rest })]
      const seen = await changed(adapter)
      for (const id of ids) demand(seen.has(id), `The operation ${id} is not in the list of changes`)
    },
  },
]

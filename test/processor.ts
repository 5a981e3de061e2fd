import { equal } from 'node:assert/strict'
import { request } from 'undici'
import type { CallName } from '../sandbox/faults.ts'
import type { MoveName, MoveRequest } from '../sandbox/move-request.ts'

// biome-ignore lint/suspicious/noExplicitAny: the sandbox's answers, as they come
type Body = any

export type Charge = {
  payment: string
  reference: string
  amount: number
  currency: string
  /** The kind of consent by which the payment was charged without its customer. */
  by?: 'mandate' | 'network_transaction_id'
  captured: number
  refunded: number
  /** The amount that banks have taken back for disputes. */
  disputed?: number
  status: string
  statement_descriptor?: string
  /** The network of the card that was requested. */
  network?: string
}

/** The processor's own books of one account: all its objects. */
export type Ledger = { operations: Body[]; charges: Charge[]; payouts: Body[]; disputes: Body[]; webhooks: Body[] }

const YEAR_S = 31_536_000

/**
 * Opens the sandbox for a test: the ledger of one account, by its key, and the sandbox's control calls
 * (`sandbox/README.md`, "Control").
 */
export function openProcessor(url: string, key: string) {
  const call = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await request(url + path, {
      method: method as 'GET',
      // A connection that was idle may be closed at the moment of its next use, so each call has its own.
      reset: true,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    equal(Math.floor(answer.statusCode / 100), 2, `sandbox ${method} ${path}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const control = (method: string, path: string, body?: unknown) => call(method, `/control${path}`, body)
  const ledger = (): Promise<Ledger> => control('GET', '/ledger')
  return {
    url,
    /** Makes any call at the processor, as the merchant may without the service. */
    call,
    ledger,
    /** Gives the approved payments in the processor's own books. */
    charges: async (): Promise<Charge[]> => (await ledger()).charges,
    operations: async (): Promise<Body[]> => (await ledger()).operations,
    account: (settings: object) => control('PUT', '/account', settings),
    /** Moves the processor's clock ahead, in steps of a year at most. */
    async advance(seconds: number): Promise<void> {
      for (let left = seconds; left > YEAR_S; left -= YEAR_S) await control('POST', '/advance', { seconds: YEAR_S })
      await control('POST', '/advance', { seconds: seconds % YEAR_S || Math.min(seconds, YEAR_S) })
    },
    /** Gives the calls that wait for the processor's clock. */
    waiting: async (): Promise<Body[]> => (await control('GET', '/waiting')).waiting,
    /** Makes the next `times` calls of a kind misbehave with this fault. */
    fault: (call: CallName, fault: string, more: { times?: number; ms?: number } = {}) =>
      control('POST', '/faults', { call, fault, ...more }),
    soundAgain: () => control('DELETE', '/faults'),
    /** Decides a pending operation or a challenge at once. */
    decide: (operation: string, status: 'approved' | 'declined' | 'returned' | 'expired') =>
      control('POST', `/operations/${operation}`, { status }),
    /** Moves a payment's money as a person does at the processor's dashboard; `payment`: any id of it. */
    move: (payment: string, move: MoveName, more: Omit<MoveRequest, 'move'> = {}) =>
      control('POST', `/payments/${payment}/move`, { move, ...more }),
    expire: (payment: string) => control('POST', `/payments/${payment}/expire`),
    /** Makes the processor deny all objects of this account. */
    forget: () => control('DELETE', '/ledger'),
    flushWebhooks: () => control('POST', '/webhooks/flush'),
  }
}

export type Processor = ReturnType<typeof openProcessor>

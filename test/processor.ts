import { equal } from 'node:assert/strict'
import { request } from 'undici'
import type { CallName } from '../sandbox/faults.ts'

// biome-ignore lint/suspicious/noExplicitAny: the sandbox's answers, as they come
type Body = any

export type Charge = {
  payment: string
  reference: string
  amount: number
  currency: string
  /** Without its customer: by what. */
  by?: 'mandate' | 'network_transaction_id'
  captured: number
  refunded: number
  /** What banks have taken back for disputes. */
  disputed?: number
  status: string
  statement_descriptor?: string
  /** Which of its card's networks was asked for. */
  network?: string
}

/** The processor's own books of one account. */
export type Ledger = { operations: Body[]; charges: Charge[]; payouts: Body[]; disputes: Body[]; webhooks: Body[] }

const YEAR_S = 31_536_000

/**
 * The sandbox as a test's judge: the ledger of one account, by its key, and what it does on demand
 * (`sandbox/README.md`, "Control").
 */
export function openProcessor(url: string, key: string) {
  const call = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await request(url + path, {
      method: method as 'GET',
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
    /** Anything that the merchant may do at the processor without us. */
    call,
    ledger,
    /** Approved payments, as the processor's own books have them. */
    charges: async (): Promise<Charge[]> => (await ledger()).charges,
    operations: async (): Promise<Body[]> => (await ledger()).operations,
    account: (settings: object) => control('PUT', '/account', settings),
    /** At most a year at once. */
    async advance(seconds: number): Promise<void> {
      for (let left = seconds; left > YEAR_S; left -= YEAR_S) await control('POST', '/advance', { seconds: YEAR_S })
      await control('POST', '/advance', { seconds: seconds % YEAR_S || Math.min(seconds, YEAR_S) })
    },
    /** The next `times` calls of a kind misbehave so. */
    fault: (call: CallName, fault: string, more: { times?: number; ms?: number } = {}) =>
      control('POST', '/faults', { call, fault, ...more }),
    soundAgain: () => control('DELETE', '/faults'),
    /** Decides a pending operation or a challenge at once. */
    decide: (operation: string, status: 'approved' | 'declined' | 'returned' | 'expired') =>
      control('POST', `/operations/${operation}`, { status }),
    expire: (payment: string) => control('POST', `/payments/${payment}/expire`),
    /** It denies everything it knew of this account. */
    forget: () => control('DELETE', '/ledger'),
    flushWebhooks: () => control('POST', '/webhooks/flush'),
  }
}

export type Processor = ReturnType<typeof openProcessor>

// A merchant for the tests, with its own account and references, verified against the sandbox's ledger. A test file
// opens one sandbox for all its tests.

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type CardName, cards } from './cards.ts'
import { type Context, realContext } from './context.ts'
import { openSandbox } from './server.ts'

export type ShopResponse = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads every answer, as a merchant would
  json: any
}
export type Kept = { id: string; call: string; path: string; idempotency_key: string | null; until: string }
type Extra = { key?: string; signal?: AbortSignal }

export async function temporaryFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-'))
  after(() => rm(directory, { recursive: true, force: true }))
  return join(directory, 'ledger.jsonl')
}

type Timer = { due: number; callback: () => void }

/** Opens a context with a clock that moves only by the time that a test lets pass. */
function openStandingContext(): Context & { pass(milliseconds: number): void } {
  let now = Date.now()
  const timers = new Set<Timer>()
  return {
    ...realContext,
    now: () => now,
    after(milliseconds, callback) {
      const timer = { due: now + milliseconds, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    pass(milliseconds) {
      now += milliseconds
      for (const timer of timers) if (timer.due <= now && timers.delete(timer)) timer.callback()
    },
  }
}

/** The clock, timers and randomness of all sandboxes of a test file. */
export const context = openStandingContext()

/** The context for tests of a process whose clock the tests do not control. */
export const realSandboxContext = realContext

export async function openTestSandbox(ledgerFile?: string, itsContext: Context = context) {
  const file = ledgerFile ?? (await temporaryFile())
  const sandbox = await openSandbox({ port: 0, host: '127.0.0.1', ledgerFile: file, context: itsContext })
  after(() => sandbox.close())
  return { ...sandbox, ledgerFile: file }
}

export function openShop(url: string, account: string | { key: string } = newReference('shop')) {
  const secret = typeof account === 'string' ? `sandbox_${account}` : account.key
  async function call(method: string, path: string, body?: object, { key, signal }: Extra = {}): Promise<ShopResponse> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...(key && { 'idempotency-key': key }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: parse(text) }
  }
  const post = (path: string, body: object, extra?: Extra) => call('POST', path, body, extra)
  const done = async (response: Promise<ShopResponse>) => (await response).json

  return {
    account: account as string,
    call,
    /** Makes a payment and returns the whole answer, with status and headers. */
    send: (card: CardName | { number: string }, asked: object = {}, extra: Extra = {}) =>
      post('/v1/payments', paymentBody(card, asked), extra),
    pay: (card: CardName, asked: object = {}, extra: Extra = {}) => done(post('/v1/payments', paymentBody(card, asked), extra)),
    capture: (payment: string, asked: object, extra?: Extra) =>
      post(`/v1/payments/${payment}/capture`, { reference: newReference('cap'), ...asked }, extra),
    void: (payment: string, asked: object = {}, extra?: Extra) =>
      post(`/v1/payments/${payment}/void`, { reference: newReference('void'), ...asked }, extra),
    voidByReference: (reference: string) => post(`/v1/payments/by-reference/${reference}/void`, { reference: newReference('void') }),
    refund: (payment: string, asked: object, extra?: Extra) =>
      post(`/v1/payments/${payment}/refund`, { reference: newReference('ref'), ...asked }, extra),
    get: (id: string) => done(call('GET', `/v1/operations/${id}`)),
    find: (reference: string) => call('GET', `/v1/operations/by-reference/${reference}`),
    fault: (call: string, fault: string, more: object = {}) => post('/control/faults', { call, fault, ...more }),
    settings: (settings: object) => call('PUT', '/control/account', settings),
    advance: (seconds: number) => post('/control/advance', { seconds }),
    decide: (id: string, status: 'approved' | 'declined') => post(`/control/operations/${id}`, { status }),
    expire: (payment: string) => post(`/control/payments/${payment}/expire`, {}),
    /** Moves money as a person does at the processor's dashboard. */
    move: (payment: string, move: string, more: object = {}) => post(`/control/payments/${payment}/move`, { move, ...more }),
    flush: () => post('/control/webhooks/flush', {}),
    waiting: async (): Promise<Kept[]> => (await call('GET', '/control/waiting')).json.waiting,
    /** Returns the next call that is kept waiting, besides the known ones; null once the signal is aborted. */
    async kept(known: Kept[] = [], signal?: AbortSignal): Promise<Kept | null> {
      while (!signal?.aborted) {
        const { waiting } = (await call('GET', '/control/waiting')).json
        const next = waiting.find((one: Kept) => !known.some(({ id }) => id === one.id))
        if (next !== undefined) return next
      }
      return null
    },
    hangUp: (id: string) => call('DELETE', `/control/waiting/${id}`),
    ledger: () => done(call('GET', '/control/ledger')),
    charges: async () => (await call('GET', '/control/ledger')).json.charges,
  }
}

export type Shop = ReturnType<typeof openShop>

export function newReference(prefix: string): string {
  return `${prefix}_${randomUUID()}`
}

function paymentBody(card: CardName | { number: string }, asked: object): object {
  const number = typeof card === 'string' ? cards[card].numbers[0] : card.number
  return {
    reference: newReference('pay'),
    amount: 1250,
    currency: 'USD',
    capture: 'automatic',
    card: { number, exp_month: 12, exp_year: 2090, cvc: '737', holder: 'Ada Lovelace' },
    three_ds: 'request',
    ...asked,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

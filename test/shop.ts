import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { homesAt } from '../sandbox/homes.ts'
import { later } from '../src/base/time.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { Context, Log } from '../src/context.ts'
import { type Running, type ServiceOverrides, start } from '../src/service.ts'
import { type Answer, type Body, http } from './call.ts'
import { copyDatabase, TEMPLATE } from './databases.ts'
import { closeAfterFile } from './endings.ts'
import { openMerchant, type PayAsk, payBody, succeed } from './merchant.ts'
import { hangUpWhereItIsSilent, looksOften } from './patience.ts'
import { openProcessor, type Processor } from './processor.ts'
import { openVaultProcess, type VaultProcess } from './split-vault.ts'

export { type Answer, type Body, http } from './call.ts'
export { cards } from './cards.ts'
export { card, type PayAsk } from './merchant.ts'

/**
 * A shop: a merchant with an API key and a sandbox account of its own, from whose point of view tests are written. The
 * service runs in this process on a database of this test file's own, with a clock that only `wait` moves ahead; the
 * sandbox is the real one, over HTTP.
 */

export const ADMIN_KEY = 'admin_key_of_the_tests'

type Clock = { ahead: number }

export type Place = {
  service: Running
  clock: Clock
  logs: string[]
  databaseUrl: string
  keyFile: string
  /** The separate vault process, if this test file runs with the vault split off. */
  split: VaultProcess | null
  query(text: string, values?: unknown[]): Promise<Body[]>
}

let place: Promise<Place> | undefined

/** The sandbox of all test files. A sandbox that a test file opens for itself may keep its calls waiting. */
const commonSandbox = process.env.TEST_SANDBOX_URL

const need = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error('run tests with `npm test` (or `npm test -- FILE`): it starts the database and the sandbox')
  return value
}

/**
 * Creates a database of its own from the migrated template, or an empty one (`template0`). The calling test drops it.
 */
export const newDatabase = (template = TEMPLATE) => copyDatabase(need('TEST_DATABASE_URL'), template)

/** The processors with which the tests of deaths and races run: the sandbox's own, and those that it imitates. */
export const processors = ['phonypay', 'stripe', 'adyen', 'paypal'] as const

export const testConfig = (databaseUrl: string, folder: string, more: Partial<Config> = {}): Config => ({
  ...readConfig({
    DATABASE_URL: databaseUrl,
    PORT: '0',
    ADMIN_API_KEY: ADMIN_KEY,
    KEY_FILE: join(folder, 'keys.json'),
    WEBHOOK_LOOPBACK: '1',
    FILES_FOLDER: join(folder, 'files'),
    REQUEST_LOG_DAYS: '30',
    EXCHANGE_SAMPLE: '100',
    DATABASE_CONNECTIONS: '5',
  }),
  baseUrls: homesAt(need('TEST_SANDBOX_URL')),
  ...more,
})

/** Opens the service of this test file once, at the first call, on a database that `openDatabase` opens. */
export function openPlace(
  more: Partial<Config> = {},
  wrap: (context: Context) => Context = context => context,
  openDatabase: () => ReturnType<typeof newDatabase> = newDatabase,
  overrides: ServiceOverrides = {},
): Promise<Place> {
  if (place === undefined) closeAfterFile(() => (place = undefined))
  place ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-shop-'))
    const database = await openDatabase()
    const clock: Clock = { ahead: 0 }
    const split = process.env.TEST_VAULT === 'split' ? await openVaultProcess(await newDatabase(), () => Date.now() + clock.ahead) : null
    const logs: string[] = []
    const line = (level: string) => (facts: object, message: string) => {
      const err = (facts as { err?: Error }).err
      logs.push(JSON.stringify({ level, ...facts, ...(err && { err: { message: err.message, stack: err.stack } }), words: message }))
    }
    const impatient = commonSandbox === undefined ? (context: Context) => context : hangUpWhereItIsSilent(commonSandbox)
    const log: Log = { info: line('info'), warn: line('warn'), error: line('error') }
    const service = await start(testConfig(database.url, folder, { vault: split?.setting ?? null, ...more }), {
      log,
      scheduler: 'by hand',
      wrap: context => wrap({ ...looksOften(impatient(context)), now: () => later(context.now(), clock.ahead) }),
      ...overrides,
    })
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    // A database that dies takes idle connections with it.
    pool.on('error', () => {})
    closeAfterFile(async () => {
      await service.close()
      await split?.close()
      await pool.end()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    })
    return {
      service,
      clock,
      logs,
      databaseUrl: database.url,
      keyFile: join(folder, 'keys.json'),
      split,
      query: async (text, values) => (await pool.query(text, values)).rows,
    }
  })()
  return place
}

const units: Record<string, number> = { second: 1, minute: 60, hour: 3600, day: 86_400 }

/** Gives a duration such as `'2 minutes'` in seconds. */
function seconds(duration: string): number {
  const [, number, unit] = duration.match(/^(\d+) (second|minute|hour|day)s?$/) ?? []
  if (!number || !unit) throw new Error(`not a duration: ${duration}`)
  return Number(number) * units[unit]!
}

export type Shop = Awaited<ReturnType<typeof openShop>>

export type ShopOptions = {
  /** Whether the sandbox sends its webhooks to the service. */
  webhooks?: 'on' | 'off'
  /** The members of the merchant account besides its id; by default a `return_url`. */
  account?: Body
  /** The API key of the sandbox account; by default the key of an account of this shop's own. */
  sandboxKey?: string
  /** The connector of the shop's account; by default the sandbox's own. */
  connector?: string
  /** The metadata of this account. */
  metadata?: Body
}

/** Opens a shop: merchant, API key, connector account. */
export async function openShop(options: ShopOptions = {}) {
  const where = await openPlace()
  const { service, clock } = where
  const name = `shop_${randomBytes(6).toString('hex')}`
  const { sandboxKey = `sandbox_${name}` } = options
  const merchant = await openMerchant(service.url, ADMIN_KEY, {
    merchant_id: name,
    account: options.account,
    sandboxKey,
    connector: options.connector,
    metadata: options.metadata,
  })
  const { api_key, merchant_connector_id, webhook_secret } = merchant
  const processor: Processor = openProcessor(need('TEST_SANDBOX_URL'), sandboxKey)
  if (options.webhooks === 'on')
    await processor.account({ webhook_url: `${service.url}/webhooks/${name}/${merchant_connector_id}`, webhook_secret })
  // The processor's clock starts where this file's clock stands.
  if (clock.ahead > 0 && !sandboxKey.includes('invalid')) await processor.advance(Math.ceil(clock.ahead / 1000))

  const keyed = (headers: Record<string, string> = {}) => ({ 'api-key': api_key, ...headers })
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    http(method, service.url + path, body, keyed(headers))
  const post = (path: string, body: unknown, headers?: Record<string, string>) => call('POST', path, body, headers)

  return {
    ...where,
    ...merchant,
    url: service.url,
    processor,
    /** Makes any call with the shop's secret key. */
    call,
    post,
    payBody,
    /**
     * Creates and confirms a payment in one call: 12.50 USD by a card that is approved, unless the test names another.
     * The payment is not challenged unless `authentication_type` is `'three_ds'`.
     */
    pay: (ask: PayAsk = {}): Promise<Body> => succeed(post('/payments', payBody(ask))),
    tryToPay: (ask: PayAsk = {}, headers?: Record<string, string>): Promise<Answer> => post('/payments', payBody(ask), headers),
    /** Makes a hold: a payment that is authorized, not captured. */
    hold: (ask: PayAsk = {}): Promise<Body> => succeed(post('/payments', payBody({ capture_method: 'manual', ...ask }))),
    /** Creates a payment without confirming it. */
    create: (ask: PayAsk = {}): Promise<Body> => succeed(post('/payments', payBody({ confirm: false, ...ask }))),
    get: (id: string, query = ''): Promise<Body> => succeed(call('GET', `/payments/${id}${query}`)),
    sync: (id: string): Promise<Body> => succeed(call('GET', `/payments/${id}?force_sync=true`)),
    confirm: (id: string, body: unknown = {}): Promise<Answer> => post(`/payments/${id}/confirm`, body),
    capture: (id: string, amount_to_capture?: number): Promise<Answer> => post(`/payments/${id}/capture`, { amount_to_capture }),
    cancel: (id: string, cancellation_reason?: string): Promise<Answer> => post(`/payments/${id}/cancel`, { cancellation_reason }),
    refund: (payment_id: string, amount?: number, more: object = {}): Promise<Answer> => post('/refunds', { payment_id, amount, ...more }),
    getRefund: (id: string, query = ''): Promise<Body> => succeed(call('GET', `/refunds/${id}${query}`)),
    /** Gives the events of a payment, oldest first. */
    events: async (id: string): Promise<Body[]> => (await succeed(call('GET', `/events?object_id=${id}`))).data,
    /** Updates the business profile with these settings. */
    async profile(settings: Body): Promise<void> {
      const path = `/account/${name}/business_profile`
      const [profile] = (await succeed(call('GET', path))) as [Body]
      await succeed(post(`${path}/${profile.profile_id}`, settings))
    },
    /** Lets time pass for the service, for the processor, and for all jobs that become due. */
    async wait(duration: string): Promise<void> {
      clock.ahead += seconds(duration) * 1000
      await processor.advance(seconds(duration))
      while ((await service.tick()) > 0);
    },
  }
}

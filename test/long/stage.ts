import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { Agent, request } from 'undici'
import { memoryFlags } from '../../launch/memory.ts'
import { choosePort } from '../../launch/ports.ts'
import { homesSetting } from '../../sandbox/homes.ts'
import type { Config } from '../../src/config.ts'
import { connectors } from '../../src/connectors/all.ts'
import { ofOtherReleases } from '../documented.ts'
import { addAccount, addDirectory, keysOf, openMerchant, payBody } from '../merchant.ts'
import { openProcessor, type Processor } from '../processor.ts'
import type { Access } from './clients.ts'
import { strays } from './guard.mjs'
import type { Need } from './journeys.ts'
import { openMortalDatabase } from './mortal-database.ts'
import { openMortalProcess } from './mortal-process.ts'
import { openMortalVault } from './mortal-vault.ts'

/** The time in milliseconds that a client waits for an answer before it tries another address. */
export const PATIENCE_MS = 15_000
const MERCHANTS = 3
export const STORM_ADMIN_KEY = 'admin_key_of_the_storm'
const host = '127.0.0.1'
const root = join(import.meta.dirname, '..', '..')

/** The connectors of merchants' accounts besides the sandbox's own: the sandbox speaks the vendors' own APIs. */
export const vendorConnectors = ['stripe', 'adyen', 'checkout', 'braintree', 'paypal', 'mollie'] as const

/** A warning or an error that a process has logged. */
export type Complaint = { who: string; level: number; message: string; why: string; line: string }

/**
 * The parts of a stage. `settings`: additional settings of the services. `roles`: the services, two with all roles by
 * default. `release`: the folder of the release that they run. `connectors`: connectors of merchants' accounts besides
 * the sandbox's own; the first merchant has none of them. `vaultApart`: whether the vault is a process of its own.
 */
export type StagePlan = {
  settings?: Record<string, string>
  roles?: readonly Config['role'][]
  release?: string
  connectors?: readonly string[]
  vaultApart?: boolean
}

/**
 * Opens the stage of a storm: services on one database, all of them real processes and as durable as in production,
 * and a sandbox. We end all of them, and a guard does if we are killed.
 */
export const openStage = (plan: StagePlan = {}) => openStageOn(openMortalDatabase, plan)

/**
 * A database as a stage needs it. `folder`: the folder for files of the run; `drop`: ends the database and removes the
 * folder.
 */
export type StageDatabase = { url: string; folder: string; thaw(): void; drop(): Promise<void> }

/** Opens a stage on another kind of database. */
export async function openStageOn<D extends StageDatabase>(openDatabase: () => Promise<D>, plan: StagePlan = {}) {
  const stage = await raiseStage(openDatabase, plan)
  try {
    return { ...stage, shops: await stage.fill() }
  } catch (error) {
    // The started processes would keep the test's own process alive, and hide its failure.
    await stage.close()
    throw error
  }
}

async function raiseStage<D extends StageDatabase>(
  openDatabase: () => Promise<D>,
  { settings: more = {}, roles = ['all', 'all'], release = root, connectors = [], vaultApart = false }: StagePlan,
) {
  const mark = `SWITCHYARD_STORM=${randomBytes(8).toString('hex')}`
  const database = await openDatabase()
  const { folder } = database
  const guard = spawn(process.execPath, [join(import.meta.dirname, 'guard.mjs'), mark, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()

  // The ports are below those that the system assigns by itself, so that no other process gets one while its owner is
  // dead.
  const ports: number[] = []
  const port = async (): Promise<number> => {
    const usual = 15_000 + Math.floor(Math.random() * 15_000)
    ports.push(await choosePort({ setting: 'PORT', given: undefined, usual, host, besides: ports }))
    return ports.at(-1)!
  }
  const complaints: Complaint[] = []
  const deaths: string[] = []
  const inherited = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))
  const env = (more: Record<string, string>) => ({ ...inherited, ...Object.fromEntries([mark.split('=') as [string, string]]), ...more })
  const mortal = (name: string, command: string[], url: string, ready: string, settings: Record<string, string>) =>
    openMortalProcess({
      name,
      command,
      ready: url + ready,
      env: env(settings),
      onLine: (line, from) => recordLine(complaints, name, line, from),
      died: how => deaths.push(how),
    })

  const sandboxPort = await port()
  const sandboxUrl = `http://${host}:${sandboxPort}`
  const ledger = join(folder, 'sandbox.jsonl')
  const sandbox = mortal('the sandbox', ['sandbox/main.ts'], sandboxUrl, '/control/ledger', {
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_LEDGER: ledger,
    SANDBOX_DIES_WITH_STDIN: '1',
  })
  const vault = vaultApart ? await openMortalVault({ folder, port: await port(), host, mortal }) : null
  const settings = {
    DATABASE_URL: database.url,
    HOST: host,
    ADMIN_API_KEY: STORM_ADMIN_KEY,
    KEY_FILE: join(folder, 'keys.json'),
    FILES_FOLDER: join(folder, 'files'),
    SANDBOX_URL: sandboxUrl,
    ...(connectors.length > 0 && { CONNECTOR_BASE_URLS: homesSetting(sandboxUrl) }),
    PROCESSOR_TIMEOUT_MS: '1500',
    LOG_LEVEL: 'warn',
    DIES_WITH_STDIN: '1',
    ...vault?.settings,
    ...more,
  }
  let answersAt: string | undefined
  const openService = async (role: Config['role'], i: number) => {
    const mine: Record<string, string> = { ...settings, PORT: String(await port()), ROLE: role }
    const url = `http://${host}:${mine.PORT}`
    // A worker puts another process's address into the links for customers, because it answers no requests itself.
    if (role === 'worker') mine.PUBLIC_URL = answersAt!
    else answersAt ??= url
    const main = (folder: string) => join(folder, 'src', 'main.ts')
    const command = [...memoryFlags, main(release)]
    const name = `service ${'ABCDEFGH'[i]}`
    const isOf = (folder: string) => (folder === root ? ofOtherReleases.delete(url) : ofOtherReleases.add(url))
    isOf(release)
    return {
      url,
      role,
      settings: mine,
      process: mortal(name, command, url, '/health/ready', mine),
      /** Makes the next start of the process use the release in this folder. */
      becomes: (folder: string) => {
        command.splice(-1, 1, main(folder))
        isOf(folder)
      },
    }
  }
  const services: Awaited<ReturnType<typeof openService>>[] = []
  for (const [i, role] of roles.entries()) services.push(await openService(role, i))
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  // A database that dies takes idle connections with it.
  pool.on('error', () => {})
  const query = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows
  const agent = new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, connect: { timeout: 3000 } })
  const origins = services.filter(({ role }) => role !== 'worker').map(({ url }) => url)
  /** Starts all processes, and opens the merchants. */
  const fill = async () => {
    await sandbox.start()
    await vault?.process.start()
    for (const service of services) await service.process.start()
    return openShops({ origins, sandboxUrl, agent, connectors })
  }

  return {
    database,
    sandbox,
    services,
    vault,
    fill,
    complaints,
    deaths,
    query,
    /** Receives by how many milliseconds the service's clock is ahead when days pass. */
    ahead: async (ms: number) => vault?.ahead(ms),
    judge: async () => vault?.judge(query) ?? [],
    async close(): Promise<string[]> {
      await agent.destroy()
      for (const one of [...services.map(service => service.process), sandbox]) {
        one.thaw()
        await one.kill()
      }
      await vault?.close()
      database.thaw()
      await pool.end()
      await database.drop()
      const left = strays(mark, folder).map(pid => `process ${pid} was left behind`)
      guard.ref()
      guard.stdin!.end()
      await once(guard, 'exit')
      return left
    },
  }
}
/** The place in which the shops of a storm are opened: the addresses of services, used in turn, and the sandbox. */
type Ground = { origins: readonly string[]; sandboxUrl: string; agent: Agent; connectors: readonly string[] }

/** Opens the merchants of a storm, with all their connector accounts. */
export async function openShops({ origins, sandboxUrl, agent, connectors }: Ground) {
  const shops = []
  for (let i = 0; i < MERCHANTS; i++) {
    const at = origins[i % origins.length]!
    const merchant_id = `shop${i}_${randomBytes(6).toString('hex')}`
    const sandboxKey = `sandbox_${merchant_id}`
    const merchant = await openMerchant(at, STORM_ADMIN_KEY, { merchant_id, sandboxKey })
    const processor = openProcessor(sandboxUrl, sandboxKey)
    const webhook_path = `/webhooks/${merchant.merchant_id}/${merchant.merchant_connector_id}`
    await processor.account({ webhook_url: at + webhook_path, webhook_secret: merchant.webhook_secret })
    const payerKey = `sandbox_payer_${merchant_id}`
    await addAccount({ ...merchant, url: at }, 'phonypay', {
      connector_type: 'payout_processor',
      connector_label: 'payouts',
      connector_account_details: keysOf('phonypay', payerKey),
    })
    const payer = openProcessor(sandboxUrl, payerKey)
    await addDirectory({ ...merchant, url: at }, sandboxKey)
    const has: readonly Need[] = i === 0 ? ['payer', 'directory'] : ['news', 'payer', 'directory']
    const more: StormAccount[] = []
    for (const connector of i === 0 ? [] : connectors) more.push(await openAccount(connector, { ...merchant, url: at }, sandboxUrl))
    const all: StormAccount[] = [{ connector: 'phonypay', processor, webhook_path }, ...more]
    const others = more.map(one => one.processor)
    const access = {
      ...openAccess(origins, merchant.api_key, agent),
      ...(i > 0 && connectors.length > 0 && { connectors: all.map(one => one.connector) }),
    }
    shops.push({ ...merchant, processor, payer, others, all, has, ...access })
  }
  return shops
}

export type StageOn<D extends StageDatabase> = Awaited<ReturnType<typeof openStageOn<D>>>
export type Stage = StageOn<Awaited<ReturnType<typeof openMortalDatabase>>>
export type StormShop = Awaited<ReturnType<typeof openShops>>[number]

/** A connector account of a merchant: its processor, and the path to which the processor sends webhooks. */
export type StormAccount = { connector: string; processor: Processor; webhook_path: string }

/**
 * Adds a connector account to a merchant. The account at Adyen may capture a payment several times, and authenticates
 * customers in the checkout where their browser is known.
 */
async function openAccount(
  connector: string,
  { url, merchant_id, api_key }: { url: string; merchant_id: string; api_key: string },
  sandboxUrl: string,
): Promise<StormAccount> {
  const key = `sandbox_multi_${merchant_id}_${connector}`
  const merchant_secret = randomBytes(12).toString('hex')
  const { merchant_connector_id } = await addAccount({ url, merchant_id, api_key }, connector, {
    connector_account_details: keysOf(connector, key),
    connector_webhook_details: { merchant_secret },
    ...(connectors[connector]?.returned?.native && { metadata: { native_3ds: 'true' } }),
  })
  const processor = openProcessor(sandboxUrl, key)
  const webhook_path = `/webhooks/${merchant_id}/${merchant_connector_id}`
  await processor.account({ webhook_url: url + webhook_path, webhook_secret: merchant_secret })
  return { connector, processor, webhook_path }
}

/** Records lines of the log that are at least warnings, and all other output. */
function recordLine(complaints: Complaint[], who: string, line: string, from: 'stdout' | 'stderr'): void {
  if (from === 'stdout' && !/"level":[456]0/.test(line)) return
  try {
    const { level, msg, err } = JSON.parse(line)
    complaints.push({ who, level, message: msg, why: err?.message ?? '', line })
  } catch {
    if (line !== '') complaints.push({ who, level: 60, message: line, why: '', line })
  }
}

/**
 * The time after which the HTTP client itself counts as having lost a request: its own limits are shorter, and a
 * service answers within 25 s.
 */
const LOST_MS = 4 * PATIENCE_MS

/** Waits for an answer; rejects with the code LOST if the HTTP client neither gives one nor fails in time. */
function unlessLost<T>(answer: Promise<T>): Promise<T> {
  const enough = new AbortController()
  const lost = pause(LOST_MS, undefined, { signal: enough.signal }).then(() => {
    throw Object.assign(new Error('the HTTP client has lost a request'), { code: 'LOST' })
  })
  return Promise.race([answer, lost]).finally(() => enough.abort())
}

/**
 * Gives a client's access to a service with several addresses, used in turn: a client that is not answered at one
 * address tries the next.
 */
function openAccess(origins: readonly string[], api_key: string, dispatcher: Agent): Pick<Access, 'call' | 'visit' | 'payBody'> {
  let turn = 0
  const next = () => origins[turn++ % origins.length]!
  const read = async (url: string, options: Parameters<typeof request>[1]) => {
    const { statusCode: status, headers, body } = await request(url, { dispatcher, ...options })
    return { status, headers, text: await body.text() }
  }
  return {
    payBody,
    async call(method, path, body, headers) {
      const { status, text } = await unlessLost(
        read(next() + path, {
          method: method as 'GET',
          headers: { 'api-key': api_key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
      return { status, text, body: JSON.parse(text) }
    },
    async visit(method, url, form) {
      const here = new URL(url)
      const path = here.pathname + here.search
      const { status, headers, text } = await unlessLost(
        read(origins.includes(here.origin) ? next() + path : url, {
          method,
          ...(form !== undefined && { body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
        }),
      )
      return { status, location: (headers.location as string | undefined) ?? null, text }
    },
  }
}

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Log } from '../context.ts'
import { openReader } from '../database/connection.ts'
import { OLDEST_SERVER } from '../database/health-checks.ts'
import { migrate } from '../database/migrate.ts'
import { statement } from '../database/statement.ts'
import { checkDeployment, proveSealing } from './deployment-checks.ts'
import { type KeySource, keySettingName, loadKeys, watchKeys } from './keys.ts'
import { WAITS_MS, waitingName } from './records.ts'
import { KEYS_EVERY_MS } from './rotate.ts'
import { type Identity, openSealedMessages } from './sealed-messages.ts'
import type { Question, VaultReply } from './split.ts'
import { type OpenVault, openVault } from './vault.ts'

/** The vault process has its own database and keys. */
export type VaultConfig = {
  databaseUrl: string
  databaseConnections: number
  keys: KeySource
  identity: Identity
  host: string
  port: number
}

const LONGEST = 65_536

const keep = statement(
  'vault_process_keep',
  'insert into vault_records (merchant_id, record, sealed, created) values ($1, $2, $3, $4) on conflict do nothing',
)
const read = statement('vault_process_read', 'select sealed from vault_records where merchant_id = $1 and record = $2')
const forget = statement('vault_process_forget', 'delete from vault_records where merchant_id = $1 and record = $2')

/** Records with a time limit: this table is cleaned without a request. */
const keepAWhile = statement(
  'vault_process_keep_a_while',
  'insert into waiting_cvcs (merchant_id, payment_id, sealed, expires_at) values ($1, $2, $3, $4) on conflict do nothing',
)
const readInTime = statement(
  'vault_process_read_in_time',
  'select sealed from waiting_cvcs where merchant_id = $1 and payment_id = $2 and expires_at > $3',
)
const forgetSooner = statement('vault_process_forget_sooner', 'delete from waiting_cvcs where merchant_id = $1 and payment_id = $2')
const forgetExpired = statement('vault_process_forget_expired', 'delete from waiting_cvcs where expires_at <= $1')
export const FORGETS_EVERY_MS = 5_000
const A_WHILE = waitingName('')

function answering(
  vault: Pick<OpenVault, 'seal' | 'open'>,
  reader: Pick<ReturnType<typeof openReader>, 'query'>,
  time: (ahead?: number) => string,
  log: Log,
) {
  async function answer(question: Question): Promise<VaultReply> {
    const { does, merchant_id, record, clear } = question
    log.info({ does, merchant_id, record }, 'asked')
    if (record.startsWith(A_WHILE)) return answerForAWhile(question)
    if (does === 'keep') {
      await reader.query(keep, [merchant_id, record, vault.seal(merchant_id, record, clear!), time()])
      return { is: 'done' }
    }
    if (does === 'forget') {
      await reader.query(forget, [merchant_id, record])
      return { is: 'done' }
    }
    const [row] = await reader.query<{ sealed: Buffer }>(read, [merchant_id, record])
    return row ? { is: 'done', clear: vault.open(merchant_id, record, row.sealed) } : { is: 'gone' }
  }

  /** The time limit is also enforced by this process's own clock. */
  async function answerForAWhile({ does, merchant_id, record, clear, until }: Question): Promise<VaultReply> {
    const name = record.slice(A_WHILE.length)
    if (does === 'keep') {
      const longest = time(WAITS_MS)
      const expires_at = until !== undefined && until < longest ? until : longest
      await reader.query(keepAWhile, [merchant_id, name, vault.seal(merchant_id, record, clear!), expires_at])
      return { is: 'done' }
    }
    if (does === 'forget') {
      await reader.query(forgetSooner, [merchant_id, name])
      return { is: 'done' }
    }
    const [row] = await reader.query<{ sealed: Buffer }>(readInTime, [merchant_id, name, time()])
    return row ? { is: 'done', clear: vault.open(merchant_id, record, row.sealed) } : { is: 'gone' }
  }

  return answer
}

/**
 * The vault as a process of its own, with its own database: it obeys messages that the service has signed and sealed
 * for it. Requests are logged by name, never by content; unreadable ones are answered without a reason.
 */
export async function startVault(
  config: VaultConfig,
  log: Log,
  now: () => number = Date.now,
): Promise<{ url: string; forgetExpired(): Promise<void>; close(): Promise<void> }> {
  const keys = loadKeys(config.keys)
  const vault = openVault(
    keys,
    watchKeys(config.keys, keys, why => log.warn({ why }, 'the key file could not be reloaded; the current keys remain in use')),
  )
  await migrate(config.databaseUrl, { oldestServer: config.keys.mode === 'live' ? OLDEST_SERVER : 0 })
  const reader = openReader(config.databaseUrl, config.databaseConnections, error =>
    log.warn({ err: error }, 'a database connection was lost'),
  )
  try {
    const source = keySettingName(config.keys)
    await checkDeployment(reader, { keys, source, kind: 'vault' }, () => proveSealing(reader, vault, source))
  } catch (error) {
    await reader.close()
    throw error
  }
  const messages = await openSealedMessages(config.identity, now)

  const time = (ahead = 0) => new Date(now() + ahead).toISOString()
  const forgetAllExpired = async () => void (await reader.query(forgetExpired, [time()]))

  const answer = answering(vault, reader, time, log)
  const server = createServer((request, response) => {
    const end = (status: number, text = '') => void response.writeHead(status, { 'content-type': 'application/jose' }).end(text)
    if (request.method === 'GET' && request.url === '/health') return end(200)
    if (request.method !== 'POST' || request.url !== '/') return end(404)
    textOf(request)
      .then(text => messages.read<Question>(text))
      .then(
        async question => {
          const reply = await answer(question)
          end(200, await messages.write({ ...reply, id: question.id }))
        },
        error => {
          log.warn({ err: error }, 'a vault message could not be read')
          end(400)
        },
      )
      .catch(error => {
        log.error({ err: error }, 'a vault request failed')
        end(503)
      })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(config.port, config.host, resolve))
  const { port } = server.address() as AddressInfo
  const looking = setInterval(vault.refresh, KEYS_EVERY_MS).unref()
  const forgetting = setInterval(() => {
    forgetAllExpired().catch(error => log.warn({ err: error }, 'expired records could not be erased; it will be retried soon'))
  }, FORGETS_EVERY_MS).unref()
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  log.info({ url, pid: process.pid }, 'vault ready')
  return {
    url,
    /** As the process does by itself every few seconds. */
    forgetExpired: forgetAllExpired,
    async close() {
      clearInterval(looking)
      clearInterval(forgetting)
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await reader.close()
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > LONGEST) throw new Error('too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('latin1')
}

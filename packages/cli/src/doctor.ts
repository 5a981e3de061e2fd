import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { ApiError, AuthenticationError, ConnectionError, PermissionError, type Switchyard } from '@switchyard/node'
import type { Desk } from './command.ts'
import { Mistake } from './settings.ts'

export type Finding = { check: string; is: 'well' | 'unwell' | 'unknown'; says: string; remedy?: string }

const well = (check: string, says: string): Finding => ({ check, is: 'well', says })
const unwell = (check: string, says: string, remedy: string): Finding => ({ check, is: 'unwell', says, remedy })

/** The largest difference between clocks, in ms. With a larger difference webhooks look too old. */
const MOST_SKEW_MS = 60_000
const FEWEST_DAYS = 14

async function deployment(client: Switchyard, url: string): Promise<Finding[]> {
  try {
    const { version, mode, public_url } = await client.deployment.retrieve({ retries: 0 })
    const found = [well('deployment', `${version}, ${mode} mode`)]
    if (mode === 'live' && !url.startsWith('https:'))
      found.push(unwell('certificate', 'a live deployment is called without TLS', 'put it behind HTTPS'))
    if (new URL(public_url).origin !== new URL(url).origin)
      found.push(
        unwell(
          'public address',
          `it says ${public_url} of itself, and is called at ${url}`,
          'set PUBLIC_URL to the address that customers reach',
        ),
      )
    return found
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    const code = (error.cause as { cause?: { code?: string } } | undefined)?.cause?.code ?? error.message
    const isCertificate = /CERT|SIGNED|ALTNAME/.test(code)
    return [
      unwell(
        isCertificate ? 'certificate' : 'deployment',
        `${url} does not answer (${code})`,
        isCertificate ? 'renew the certificate, or mend its name' : 'start it, or mend SWITCHYARD',
      ),
    ]
  }
}

const ANSWER_MS = 10_000

/** Returns the time at which the TLS certificate of an address expires; null for an address without TLS. */
function certificateEnd(url: URL): Promise<number | null> {
  if (url.protocol !== 'https:') return Promise.resolve(null)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    // Server names (SNI) are never IP addresses.
    const name = isIP(host) ? {} : { servername: host }
    const socket = connect({ host, port: Number(url.port) || 443, ...name }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to))
      socket.destroy()
    })
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('no answer in time')))
    socket.on('error', reject)
  })
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const isSoon = (at: number): boolean => at - Date.now() < FEWEST_DAYS * 86_400_000

async function certificate(url: string): Promise<Finding[]> {
  const end = await certificateEnd(new URL(url))
  if (end === null || Number.isNaN(end)) return []
  const says = `it expires on ${dayOf(end)}`
  return [isSoon(end) ? unwell('certificate', says, 'renew it; look why it was not renewed by itself') : well('certificate', says)]
}

const LONGEST_LAG_S = 60

/** Checks that need the operator's key: the settings of the database, and the backlog of due jobs. */
async function operators(desk: Desk): Promise<Finding[]> {
  if (desk.profile.admin_key === undefined)
    return [{ check: 'database settings, lag', is: 'unknown', says: 'only the operator sees them: set ADMIN_KEY' }]
  const admin = desk.client('admin')
  try {
    const { checks } = await admin.deployment.examineDatabase({ retries: 0 })
    const found = checks.map(({ name, value, well: isWell, expects, remedy }) =>
      isWell ? well(`database ${name}`, value) : unwell(`database ${name}`, `it is ${value}, and should be ${expects}`, remedy),
    )
    return [...found, ...lag(await admin.jobs.list({ limit: 100 }, { retries: 0 }))]
  } catch (error) {
    if (error instanceof AuthenticationError) return [unwell('admin key', error.message, 'set ADMIN_KEY to that of this deployment')]
    throw error
  }
}

function lag({ queues, data }: Awaited<ReturnType<Switchyard['jobs']['list']>>): Finding[] {
  const late = queues.filter(({ oldest_age_seconds }) => oldest_age_seconds > LONGEST_LAG_S)
  const isolated = data.filter(({ isolated_at }) => isolated_at !== null)
  return [
    ...(late.length === 0
      ? [well('lag', 'due work is done in time')]
      : late.map(({ name, due, oldest_age_seconds }) =>
          unwell(
            'lag',
            `${due} of ${name} are due, the oldest for ${oldest_age_seconds} s`,
            'run more processes with the worker role; look at the service’s log and the database’s load',
          ),
        )),
    ...isolated.map(({ kind, object, tries, reason, job_id }) =>
      unwell('jobs', `${kind} of ${object} failed ${tries} times: ${reason}`, `mend the cause, then POST /jobs/${job_id}/retry`),
    ),
  ]
}

async function health(client: Switchyard): Promise<Finding[]> {
  let readiness: Awaited<ReturnType<Switchyard['deployment']['ready']>>
  try {
    readiness = await client.deployment.ready({ retries: 0 })
  } catch (error) {
    if (!(error instanceof ApiError) || typeof (error.body as { database?: unknown })?.database !== 'boolean') throw error
    readiness = error.body as typeof readiness
  }
  const found: Finding[] = []
  const check = (name: string, is: boolean, says: string, remedy: string) =>
    found.push(is ? well(name, 'fine') : unwell(name, says, remedy))
  check('database', readiness.database, 'the service cannot reach its database', 'look at DATABASE_URL and at the database’s log')
  check(
    'alarms',
    readiness.alarms,
    'due work (polls, deliveries) is behind or does not run',
    'run a process with the worker role; see the service’s log',
  )
  check('settings', readiness.settings, 'settings are not read from the database', 'look at the database’s log; restart the process')
  check('files', readiness.files, 'evidence of disputes cannot be stored', 'look at FILES_FOLDER or the bucket')
  check(
    'clock of the service',
    Math.abs(readiness.clock_skew_ms) < MOST_SKEW_MS,
    `the host’s clock differs from the database’s by ${readiness.clock_skew_ms} ms`,
    'run NTP on both hosts',
  )
  return found
}

/** Compares this machine's clock with the `Date` header of an answer. */
async function clock(url: string): Promise<Finding[]> {
  const answer = await fetch(new URL('/health', url))
  const at = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(at)) return []
  const skew = Date.now() - at
  return [
    Math.abs(skew) < MOST_SKEW_MS
      ? well('clock of this machine', 'fine')
      : unwell(
          'clock of this machine',
          `it differs from the service’s by ${Math.round(skew / 1000)} s`,
          'run NTP: webhooks are refused as too old',
        ),
  ]
}

async function key(client: Switchyard, { login }: Desk['profile']): Promise<Finding[]> {
  try {
    await client.payments.list({ limit: 1 }, { retries: 0 })
  } catch (error) {
    // A key without the scope for payments is still valid.
    if (error instanceof PermissionError) return [well('key', 'it is valid, and may not see payments')]
    if (!(error instanceof AuthenticationError)) throw error
    const remedy = login ? 'switchyard login' : 'take a secret key that is neither revoked nor expired, or sign in: switchyard login'
    return [unwell('key', error.message, remedy)]
  }
  const end = login === undefined ? Number.NaN : Date.parse(login.expires)
  if (Number.isNaN(end) || !isSoon(end)) return [well('key', 'it is valid')]
  return [well('key', 'it is valid'), unwell('end of the key', `it expires on ${dayOf(end)}`, 'switchyard login')]
}

async function endpoints(client: Switchyard): Promise<Finding[]> {
  const { data } = await client.webhookEndpoints.list()
  const found: Finding[] = []
  for (const { endpoint_id, url } of data) {
    const { tried, delivered, dead } = await client.webhookEndpoints.retrieveHealth(endpoint_id)
    const failed = Number(tried) - Number(delivered)
    found.push(
      failed === 0 && Number(dead) === 0
        ? well('webhooks', url)
        : unwell(
            'webhooks',
            `${url}: ${failed} of ${tried} attempts failed, ${dead} events were given up`,
            `mend the receiver, then POST /webhook_endpoints/${endpoint_id}/replay`,
          ),
    )
  }
  return found.length > 0 ? found : [{ check: 'webhooks', is: 'unknown', says: 'there is no endpoint' }]
}

async function attention(client: Switchyard): Promise<Finding[]> {
  const { size } = await client.analytics.listAttention({ limit: 100 })
  return [
    size === 0
      ? well('attention', 'nothing needs a person')
      : unwell('attention', `${size} objects need a person`, 'look at GET /attention, or at the dashboard’s first page'),
  ]
}

async function keys(desk: Desk): Promise<Finding[]> {
  if (desk.profile.admin_key === undefined || desk.profile.merchant === undefined) return []
  const list = await desk.client('admin').apiKeys.list(desk.profile.merchant)
  const soon = list.filter(({ expiration, user_id }) => user_id === null && expiration !== 'never' && isSoon(Date.parse(expiration)))
  return soon.map(({ name, key_id, expiration }) => unwell('keys', `${name} expires on ${expiration}`, `switchyard keys roll ${key_id}`))
}

/** Runs all checks. Each problem that is found comes with a remedy. */
export async function examine(desk: Desk): Promise<Finding[]> {
  const url = desk.url()
  const client = desk.client()
  const first = await deployment(client, url)
  if (first[0]!.is === 'unwell') return first
  const found = [...first]
  const checks: [string, () => Promise<Finding[]>][] = [
    ['certificate', () => certificate(url)],
    ['health', () => health(client)],
    ['clock', () => clock(url)],
    ['database settings, lag', () => operators(desk)],
    ['key', () => key(client, desk.profile)],
    ['webhooks', () => endpoints(client)],
    ['attention', () => attention(client)],
    ['keys', () => keys(desk)],
  ]
  for (const [name, check] of checks)
    try {
      found.push(...(await check()))
      if (found.some(one => one.check === 'key' && one.is === 'unwell')) break
    } catch (error) {
      if (error instanceof Mistake) throw error
      found.push({ check: name, is: 'unknown', says: (error as Error).message })
    }
  return found
}

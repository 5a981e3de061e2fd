import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { APPLE_PAY } from './accounts/apple-shop.ts'
import { Misconfigured, whyNoFile } from './base/misconfigured.ts'
import { distance } from './base/near.ts'
import { Secret } from './base/secret.ts'
import { connectors } from './connectors/all.ts'
import type { FilesConfig } from './files/files.ts'
import { howToMakeKeys, type KeySource } from './vault/keys.ts'
import type { Identity } from './vault/letters.ts'

/**
 * A setting: an environment variable, what it is when absent, and what it does. `--help`, the documentation and the
 * checks below are read off this table.
 */
export type Setting = { name: string; default: string | null; description: string }

export const settings = [
  {
    name: 'MODE',
    default: 'test',
    description: '`test` or `live`: key prefixes, sandbox cards, loopback processors. A property of the deployment, not of a payment',
  },
  { name: 'DATABASE_URL', default: null, description: 'PostgreSQL 16 or newer. `npm start` starts its own when this is absent' },
  { name: 'HOST', default: '127.0.0.1', description: 'Address to listen on' },
  { name: 'PORT', default: '8080', description: 'Port to listen on; 0 picks a free port' },
  { name: 'PUBLIC_URL', default: null, description: 'Address under which customers reach the service (default: http://HOST:PORT)' },
  {
    name: 'TRUSTED_PROXIES',
    default: '',
    description: 'Comma-separated addresses or CIDR blocks of proxies whose X-Forwarded-* headers are trusted',
  },
  { name: 'ADMIN_API_KEY', default: null, description: 'Admin API key for account operations, at least 16 characters' },
  { name: 'ADMIN_API_KEY_FILE', default: null, description: 'File that contains the admin API key, instead of ADMIN_API_KEY' },
  {
    name: 'KEY_FILE',
    default: null,
    description: 'File with the encryption keys (JSON). Test mode creates it if missing; live mode does not start without keys',
  },
  { name: 'KEYS', default: null, description: 'The same JSON directly, instead of KEY_FILE' },
  {
    name: 'KEY_COMMAND',
    default: null,
    description: 'Shell command that prints the same JSON, for a KMS or secret store, instead of KEY_FILE',
  },
  {
    name: 'VAULT_URL',
    default: null,
    description: 'URL of the separate vault process (`npm run vault`). Without it, card numbers are encrypted in this service’s database',
  },
  {
    name: 'VAULT_IDENTITY',
    default: null,
    description:
      'With VAULT_URL: file with the keys that service and vault use to authenticate each other (JSON; created for both sides by `npm run vault -- --identities FOLDER`)',
  },
  {
    name: 'SANDBOX_URL',
    default: null,
    description: 'URL of the sandbox processor (the default base URL of connector phonypay; test mode only)',
  },
  {
    name: 'CONNECTOR_BASE_URLS',
    default: null,
    description:
      'Base URLs of connectors for accounts that do not set their own, and of Apple’s merchant sessions (`apple_pay`), as comma-separated `name=address` pairs (test mode only). Default: the test environments of the processors and of Apple. `npm start` sets it to the sandbox’s dialects',
  },
  {
    name: 'PROCESSOR_TIMEOUT_MS',
    default: '20000',
    description: 'Timeout of a processor request, 100 to 20000 milliseconds. A timeout is never treated as a decline',
  },
  {
    name: 'WEBHOOK_LOOPBACK',
    default: '0',
    description:
      '`1`: merchant webhooks and connector accounts may use URLs on this machine (localhost, http), for development. `npm start` sets it in test mode; live mode refuses it',
  },
  {
    name: 'FILES_FOLDER',
    default: './files',
    description: 'Folder for files uploaded by merchants (dispute evidence), created at start if missing; all processes must share it',
  },
  {
    name: 'FILES_BUCKET',
    default: null,
    description: 'URL of a bucket in an S3-compatible store (https://s3.eu-west-1.amazonaws.com/my-bucket), instead of FILES_FOLDER',
  },
  { name: 'FILES_BUCKET_REGION', default: 'us-east-1', description: 'Region used to sign requests to the bucket' },
  { name: 'FILES_BUCKET_KEY_ID', default: null, description: 'Access key id for the bucket' },
  { name: 'FILES_BUCKET_SECRET', default: null, description: 'Secret access key for the bucket' },
  {
    name: 'ROLE',
    default: 'all',
    description:
      '`api`: answers requests; `worker`: runs scheduled jobs, delivers webhooks and answers only `/health` and `/health/ready`; `all`: both. Any number of processes of each share one database; at least one must be a `worker` or `all`',
  },
  { name: 'DATABASE_CONNECTIONS', default: '10', description: 'Database connections for reads (writes use one more)' },
  {
    name: 'METRICS_PORT',
    default: null,
    description: 'Separate port for Prometheus metrics, at `/metrics`; 0 picks a free port. Without it, metrics are disabled',
  },
  { name: 'METRICS_HOST', default: '127.0.0.1', description: 'Address to listen on for metrics' },
  { name: 'METRICS_TOKEN', default: null, description: 'Bearer token required to read metrics, at least 16 characters' },
  {
    name: 'REQUEST_LOG_DAYS',
    default: '0',
    description: 'Number of days that API requests are listed in `GET /logs`, 0 to 400; 0 stores none. `npm start` sets it to 30',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: null,
    description:
      'OpenTelemetry collector for traces (OTLP over HTTP). `OTEL_EXPORTER_OTLP_*`, `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER` with its `_ARG`, and `OTEL_SDK_DISABLED` are read as specified by OpenTelemetry; without any `OTEL_*` variable, tracing is off',
  },
  {
    name: 'NATS_URL',
    default: null,
    description:
      'NATS JetStream server to publish all events of all merchants to (`nats://user:password@host:4222`, or `tls://…`). Set it for every `worker` or `all` process. Without it, nothing is published',
  },
  {
    name: 'NATS_STREAM',
    default: 'switchyard',
    description: 'Name of the NATS stream, created if missing; subjects are `NATS_STREAM.<merchant>.<type of event>`',
  },
  { name: 'LOG_LEVEL', default: 'info', description: '`debug`, `info`, `warn` or `error`' },
  { name: 'DIES_WITH_STDIN', default: '0', description: '`1`: stop when standard input ends (set by `npm start`)' },
] as const satisfies readonly Setting[]

type Name = (typeof settings)[number]['name']

export type Config = {
  mode: 'test' | 'live'
  databaseUrl: string
  host: string
  port: number
  publicUrl: string | null
  trustedProxies: string[]
  adminKey: string
  keys: KeySource
  /** The vault's own process; null: card numbers are sealed here. */
  vault: { url: string; identity: Identity } | null
  /** Where connectors live unless an account says otherwise, by their names. */
  baseUrls: Record<string, string>
  processorTimeoutMs: number
  /** The longest that a caller waits: for a processor, and for what is written before and after. */
  answerWithinMs: number
  webhookLoopback: boolean
  files: FilesConfig
  role: 'api' | 'worker' | 'all'
  metrics: { host: string; port: number; token: string | null } | null
  nats: { url: string; stream: string } | null
  requestLogDays: number
  /** What OpenTelemetry is told; null: nothing is traced. */
  otel: Record<string, string | undefined> | null
  databaseConnections: number
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  diesWithStdin: boolean
}

const TIME_TO_WRITE_MS = 4000

function wrong(name: string, why: string): never {
  throw new Misconfigured(`${name} ${why}`)
}

/** Ours, and set by our own programs. */
const PREFIX = 'SWITCHYARD_'
const ofOurPrograms = ['SWITCHYARD_DATA', 'SWITCHYARD_NODE', 'SWITCHYARD_LIFELINE', 'SWITCHYARD_STORM']

/**
 * Refuses a variable that is meant for us and is no setting: one that begins as ours do, or is a slip of the pen away
 * from a setting. Whatever else the environment holds is not ours to judge; short names are so
 * near to those of others (KEY, NODE) that only a letter said twice or two swapped count.
 */
export function refuseUnknown(env: Record<string, string | undefined>, names: readonly string[]): void {
  const known = new Set([...names, ...ofOurPrograms])
  for (const [name, given] of Object.entries(env)) {
    if (given === undefined || given === '' || known.has(name)) continue
    const meant = names.find(one => isSlip(name, one))
    if (meant !== undefined) wrong(name, `is not a setting: did you mean ${meant}? \`npm start -- --help\` lists all settings`)
    if (name.startsWith(PREFIX)) wrong(name, 'is not a setting: `npm start -- --help` lists all settings')
  }
}

function isSlip(name: string, setting: string): boolean {
  if (setting.length < 4 || Math.abs(name.length - setting.length) > 2) return false
  const away = distance(name, setting)
  if (setting.length < 6)
    return away === 1 && (name.replace(/(.)\1/, '$1') === setting || [...name].sort().join() === [...setting].sort().join())
  return away <= (setting.length < 9 ? 1 : 2)
}

/**
 * Reads the environment into one typed value. Throws `Misconfigured`, naming the variable that is missing or
 * malformed.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  refuseUnknown(
    env,
    settings.map(({ name }) => name),
  )
  const value = (name: Name): string | null => {
    const given = env[name]
    if (given !== undefined && given !== '') return given
    return settings.find(setting => setting.name === name)!.default
  }
  const need = (name: Name): string => value(name) ?? wrong(name, 'must be set')
  const oneOf = <T extends string>(name: Name, allowed: readonly T[]): T => {
    const given = need(name)
    return allowed.find(word => word === given) ?? wrong(name, `must be ${allowed.join(' or ')}, not ${given}`)
  }
  const integer = (name: Name, low: number, high: number): number => {
    const given = need(name)
    const number = Number(given)
    return /^\d+$/.test(given) && number >= low && number <= high
      ? number
      : wrong(name, `must be a whole number from ${low} to ${high}, not ${given}`)
  }
  const url = (name: Name, protocols: readonly string[]): string | null => {
    const given = value(name)
    if (given === null) return null
    if (!URL.canParse(given) || !protocols.includes(new URL(given).protocol))
      wrong(name, `must be an address that begins with ${protocols.map(one => `${one}//`).join(' or ')}`)
    return given.replace(/\/+$/, '')
  }

  const filesOf = (address: string | null): FilesConfig => {
    const [keyId, secret] = [value('FILES_BUCKET_KEY_ID'), value('FILES_BUCKET_SECRET')]
    if (address === null) return { folder: need('FILES_FOLDER') }
    if (keyId === null || secret === null)
      wrong(keyId === null ? 'FILES_BUCKET_KEY_ID' : 'FILES_BUCKET_SECRET', 'must be set when FILES_BUCKET is set')
    return { address, region: need('FILES_BUCKET_REGION'), keyId, secret: new Secret(secret) }
  }

  const natsOf = (address: string | null, stream: string): Config['nats'] => {
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(stream)) wrong('NATS_STREAM', 'must be 1 to 32 letters, digits, - or _')
    return address === null ? null : { url: address, stream }
  }

  const mode = oneOf('MODE', ['test', 'live'])
  const databaseUrl =
    url('DATABASE_URL', ['postgres:', 'postgresql:']) ?? wrong('DATABASE_URL', 'must be set: postgresql://user:password@host:5432/database')
  const keys = { mode, keys: value('KEYS'), command: value('KEY_COMMAND'), file: value('KEY_FILE') }
  if (!keys.keys && !keys.command && !keys.file)
    wrong(
      'KEY_FILE',
      `must be set (or KEYS, or KEY_COMMAND). ${mode === 'test' ? 'Test mode creates the file if it is missing.' : howToMakeKeys}`,
    )
  const vaultUrl = url('VAULT_URL', ['http:', 'https:'])
  const sandboxUrl = url('SANDBOX_URL', ['http:', 'https:'])
  if (mode === 'live' && sandboxUrl) wrong('SANDBOX_URL', 'must not be set in live mode')
  if (mode === 'live' && value('CONNECTOR_BASE_URLS')) wrong('CONNECTOR_BASE_URLS', 'must not be set in live mode')
  const publicUrl = url('PUBLIC_URL', ['http:', 'https:'])
  if (mode === 'live' && !publicUrl?.startsWith('https:')) wrong('PUBLIC_URL', 'must be an https address in live mode')

  const metricsToken = value('METRICS_TOKEN')
  if (metricsToken !== null && metricsToken.length < 16) wrong('METRICS_TOKEN', 'must have at least 16 characters')
  const role = oneOf('ROLE', ['api', 'worker', 'all'])
  if (role === 'worker' && publicUrl === null)
    wrong('PUBLIC_URL', 'must be set when ROLE is worker: payment webhooks contain URLs that customers are redirected to')
  const webhookLoopback = oneOf('WEBHOOK_LOOPBACK', ['0', '1']) === '1'
  if (mode === 'live' && webhookLoopback) wrong('WEBHOOK_LOOPBACK', 'must not be set in live mode')
  const processorTimeoutMs = integer('PROCESSOR_TIMEOUT_MS', 100, 20_000)

  return {
    mode,
    databaseUrl,
    host: need('HOST'),
    port: integer('PORT', 0, 65_535),
    publicUrl,
    trustedProxies: networks('TRUSTED_PROXIES', need('TRUSTED_PROXIES')),
    adminKey: readAdminKey(value('ADMIN_API_KEY'), value('ADMIN_API_KEY_FILE')),
    keys,
    vault: vaultUrl === null ? null : { url: vaultUrl, identity: readIdentity(value('VAULT_IDENTITY')) },
    baseUrls: { ...(sandboxUrl && { phonypay: sandboxUrl }), ...baseUrls(value('CONNECTOR_BASE_URLS') ?? '') },
    processorTimeoutMs,
    answerWithinMs: processorTimeoutMs + TIME_TO_WRITE_MS,
    webhookLoopback,
    files: filesOf(url('FILES_BUCKET', ['http:', 'https:'])),
    role,
    metrics:
      value('METRICS_PORT') === null ? null : { host: need('METRICS_HOST'), port: integer('METRICS_PORT', 0, 65_535), token: metricsToken },
    nats: natsOf(url('NATS_URL', ['nats:', 'tls:']), need('NATS_STREAM')),
    requestLogDays: integer('REQUEST_LOG_DAYS', 0, 400),
    otel: traced(env) ? env : null,
    databaseConnections: integer('DATABASE_CONNECTIONS', 1, 500),
    logLevel: oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error']),
    diesWithStdin: oneOf('DIES_WITH_STDIN', ['0', '1']) === '1',
  }
}

/** Does the environment say anything of OpenTelemetry, and not that it is off? */
const traced = (env: Record<string, string | undefined>): boolean =>
  env.OTEL_SDK_DISABLED !== 'true' &&
  env.OTEL_TRACES_EXPORTER !== 'none' &&
  Object.keys(env).some(name => name.startsWith('OTEL_') && env[name] !== '')

/** The admin's key, given itself or in a file. */
function readAdminKey(given: string | null, file: string | null): string {
  const words = 'at least 16 characters, for example those that `openssl rand -hex 24` prints'
  if (given === null && file === null) return wrong('ADMIN_API_KEY', `must be set (or ADMIN_API_KEY_FILE): ${words}`)
  if (given !== null) return given.length >= 16 ? given : wrong('ADMIN_API_KEY', `must have ${words}`)
  let key = ''
  try {
    key = readFileSync(file!, 'utf8').trim()
  } catch (error) {
    wrong('ADMIN_API_KEY_FILE', `${file} cannot be read: ${whyNoFile(error)}. Set another file, or give this user access.`)
  }
  return key.length >= 16 ? key : wrong('ADMIN_API_KEY_FILE', `${file} must contain ${words}`)
}

/** The file by which one side of a split vault knows the other. */
export function readIdentity(file: string | null): Identity {
  if (file === null)
    return wrong('VAULT_IDENTITY', 'must be set together with VAULT_URL: `npm run vault -- --identities FOLDER` creates the files')
  try {
    const identity = JSON.parse(readFileSync(file, 'utf8')) as Identity
    if (identity?.own?.sign && identity.own.open && identity.other?.verify && identity.other.seal) return identity
  } catch (error) {
    if (!(error instanceof SyntaxError))
      wrong('VAULT_IDENTITY', `${file} cannot be read: ${whyNoFile(error)}. Set another file, or give this user access.`)
  }
  return wrong('VAULT_IDENTITY', `${file} must contain an identity: \`npm run vault -- --identities FOLDER\` creates the files`)
}

/** `name=http://…,name=…`: connectors, and where they live; Apple among them, whom all ask. */
function baseUrls(given: string): Record<string, string> {
  const names = [...Object.keys(connectors), APPLE_PAY]
  const pairs = given
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
    .map(part => {
      const [, name = '', address = ''] = /^(\w+)=(https?:\/\/[^?#\\\s]+)$/.exec(part) ?? []
      if (!names.includes(name) || !URL.canParse(address))
        wrong('CONNECTOR_BASE_URLS', `must be comma-separated pairs name=address, with the names ${names.join(', ')}; not ${part}`)
      return [name, address.replace(/\/+$/, '')]
    })
  return Object.fromEntries(pairs)
}

/** Addresses, and blocks of them like 10.0.0.0/8. */
function networks(name: Name, given: string): string[] {
  const all = given
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
  for (const one of all) {
    const [address = '', bits = '1', more] = one.split('/')
    const width = { 4: 32, 6: 128 }[isIP(address)] ?? 0
    const right = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= width && more === undefined
    if (!right) wrong(name, `must be comma-separated addresses or CIDR blocks, not ${one}`)
  }
  return all
}

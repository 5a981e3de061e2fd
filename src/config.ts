import { readFileSync } from 'node:fs'
import { APPLE_PAY } from './accounts/apple-shop.ts'
import { refuseReadable, whyNoFile } from './base/misconfigured.ts'
import type { Secret } from './base/secret.ts'
import { commaSeparated, refuseUnknown, type Setting, type SettingKind, settingKinds, wrongSetting } from './base/setting.ts'
import { connectors } from './connectors/all.ts'
import type { FilesConfig } from './files/files.ts'
import type { Bucket } from './files/s3.ts'
import type { SsoConfig } from './users/sso.ts'
import { howToMakeKeys, type KeySource } from './vault/keys.ts'
import type { Identity } from './vault/sealed-messages.ts'

/**
 * `default`: null: nothing. `needed`: why a value is required. `of`: the member of the configuration to which a setting
 * contributes if it is not one itself (`PUBLIC_URL` is `publicUrl`). The configuration's type, `--help`, docs and
 * refusals derive from this table.
 */
type Entry = { is: SettingKind<unknown>; default: string | null; needed?: string; live?: 'refused'; of?: keyof Parts; description: string }

const { address, flag, longText, networks, oneOf, perCore, secret, text, wholeNumber } = settingKinds

/** `name=http://…,name=…`, by connector; `apple_pay`: of Apple's merchant sessions, which all connectors share. */
const connectorAddresses: SettingKind<Record<string, string>> = (given, setting) => {
  const names = [...Object.keys(connectors), APPLE_PAY]
  const pairs = commaSeparated(given).map(part => {
    const [, name = '', where = ''] = /^(\w+)=(https?:\/\/[^?#\\\s]+)$/.exec(part) ?? []
    if (!names.includes(name) || !URL.canParse(where))
      wrongSetting(setting, `must be comma-separated pairs name=address, with the names ${names.join(', ')}; not ${part}`)
    return [name, where.replace(/(?<!\/)\/+$/, '')]
  })
  return Object.fromEntries(pairs)
}

const streamName: SettingKind<string> = (given, name) =>
  /^[A-Za-z0-9_-]{1,32}$/.test(given) ? given : wrongSetting(name, 'must be 1 to 32 letters, digits, - or _')

/** As RFC 9116 defines contacts, except telephone numbers. */
const contact: SettingKind<string> = (given, name) =>
  /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(given) ? given : wrongSetting(name, 'must begin with mailto: or https://')

const table = {
  MODE: {
    is: oneOf('test', 'live'),
    default: 'test',
    description: '`test` or `live`: key prefixes, sandbox cards, loopback processors. A property of the deployment, not of a payment',
  },
  DATABASE_URL: {
    is: address('postgres:', 'postgresql:'),
    default: null,
    needed: 'must be set: postgresql://user:password@host:5432/database',
    description: 'PostgreSQL 16 or newer. `npm start` starts its own when this is absent',
  },
  HOST: { is: text, default: '127.0.0.1', description: 'Address to listen on' },
  PORT: { is: wholeNumber(0, 65_535), default: '8080', description: 'Port to listen on; 0 picks a free port' },
  PUBLIC_URL: {
    is: address('http:', 'https:'),
    default: null,
    description: 'Address under which customers reach the service (default: http://HOST:PORT)',
  },
  SECURITY_CONTACT: {
    is: contact,
    default: null,
    description:
      'Where to report a weakness, for `/.well-known/security.txt`: an address such as `mailto:security@shop.example` or `https://shop.example/security`. Without it, the file is absent',
  },
  TRUSTED_PROXIES: {
    is: networks,
    default: '',
    description: 'Comma-separated addresses or CIDR blocks of proxies whose X-Forwarded-* headers are trusted',
  },
  ADMIN_API_KEY: { is: text, default: null, of: 'adminKey', description: 'Admin API key for account operations, at least 16 characters' },
  ADMIN_API_KEY_FILE: {
    is: text,
    default: null,
    of: 'adminKey',
    description: 'File that contains the admin API key, instead of ADMIN_API_KEY',
  },
  KEY_FILE: {
    is: text,
    default: null,
    of: 'keys',
    description: 'File with the encryption keys (JSON). Test mode creates it if missing; live mode does not start without keys',
  },
  KEYS: { is: text, default: null, of: 'keys', description: 'The same JSON directly, instead of KEY_FILE' },
  KEY_COMMAND: {
    is: text,
    default: null,
    of: 'keys',
    description: 'Shell command that prints the same JSON, for a KMS or secret store, instead of KEY_FILE',
  },
  VAULT_URL: {
    is: address('http:', 'https:'),
    default: null,
    of: 'vault',
    description: 'URL of the separate vault process (`npm run vault`). Without it, card numbers are encrypted in this service’s database',
  },
  VAULT_IDENTITY: {
    is: text,
    default: null,
    of: 'vault',
    description:
      'With VAULT_URL: file with the keys that service and vault use to authenticate each other (JSON; created for both sides by `npm run vault -- --identities FOLDER`)',
  },
  SANDBOX_URL: {
    is: address('http:', 'https:'),
    default: null,
    of: 'baseUrls',
    live: 'refused',
    description: 'URL of the sandbox processor (the default base URL of connector phonypay; test mode only)',
  },
  CONNECTOR_BASE_URLS: {
    is: connectorAddresses,
    default: null,
    of: 'baseUrls',
    live: 'refused',
    description:
      'Base URLs of connectors for accounts that do not set their own, and of Apple’s merchant sessions (`apple_pay`), as comma-separated `name=address` pairs (test mode only). Default: the test environments of the processors and of Apple. `npm start` sets it to the sandbox’s dialects',
  },
  PROCESSOR_TIMEOUT_MS: {
    is: wholeNumber(100, 20_000),
    default: '20000',
    description: 'Timeout of a processor request, 100 to 20000 milliseconds. A timeout is never treated as a decline',
  },
  CARD_NUMBER_HOURS: {
    is: wholeNumber(2, 72),
    default: '4',
    description:
      'Number of hours, 2 to 72, after which the number of a card or account that a payment or payout was made with is deleted from the vault once the payment has ended and nothing needs the number any more. Numbers of saved payment methods stay until these are deleted',
  },
  WEBHOOK_LOOPBACK: {
    is: flag,
    default: '0',
    live: 'refused',
    description:
      '`1`: merchant webhooks and connector accounts may use URLs on this machine (localhost, http), for development. `npm start` sets it in test mode; live mode refuses it',
  },
  FILES_FOLDER: {
    is: text,
    default: './files',
    of: 'files',
    description: 'Folder for files uploaded by merchants (dispute evidence), created at start if missing; all processes must share it',
  },
  FILES_BUCKET: {
    is: address('http:', 'https:'),
    default: null,
    of: 'files',
    description: 'URL of a bucket in an S3-compatible store (https://s3.eu-west-1.amazonaws.com/my-bucket), instead of FILES_FOLDER',
  },
  FILES_BUCKET_REGION: {
    is: text,
    default: 'us-east-1',
    of: 'files',
    description: 'Region used to sign requests to the buckets (FILES_BUCKET, ARCHIVE_BUCKET)',
  },
  FILES_BUCKET_KEY_ID: { is: text, default: null, of: 'files', description: 'Access key id for the buckets' },
  FILES_BUCKET_SECRET: { is: secret, default: null, of: 'files', description: 'Secret access key for the buckets' },
  ARCHIVE_BUCKET: {
    is: address('http:', 'https:'),
    default: null,
    of: 'archive',
    description:
      'URL of a bucket for the archive of events: what was sent of them is written there after 90 days, sealed, before it is deleted from the database, and replays read it. With FILES_BUCKET_REGION, FILES_BUCKET_KEY_ID and FILES_BUCKET_SECRET. Set it for every process. Without it, nothing is archived',
  },
  ARCHIVE_FOLDER: {
    is: text,
    default: null,
    of: 'archive',
    description: 'Folder for the archive of events, instead of ARCHIVE_BUCKET; all processes must share it',
  },
  ROLE: {
    is: oneOf('api', 'worker', 'all'),
    default: 'all',
    description:
      '`api`: answers requests; `worker`: runs scheduled jobs, delivers webhooks and answers only `/health` and `/health/ready`; `all`: both. Any number of processes of each share one database; at least one must be a `worker` or `all`',
  },
  PROCESSES: {
    is: perCore(64),
    default: '1',
    description:
      'Number of processes that share PORT, 1 to 64; `auto`: one for each core. One more starts them, restarts those that end, and serves METRICS_PORT for all. With `ROLE=all`, only the first runs scheduled jobs. Memory and database connections are for each',
  },
  DATABASE_CONNECTIONS: { is: wholeNumber(1, 500), default: '10', description: 'Database connections for reads (writes use one more)' },
  METRICS_PORT: {
    is: wholeNumber(0, 65_535),
    default: null,
    of: 'metrics',
    description: 'Separate port for Prometheus metrics, at `/metrics`; 0 picks a free port. Without it, metrics are disabled',
  },
  METRICS_HOST: { is: text, default: '127.0.0.1', of: 'metrics', description: 'Address to listen on for metrics' },
  METRICS_TOKEN: {
    is: longText(16),
    default: null,
    of: 'metrics',
    description: 'Bearer token required to read metrics, at least 16 characters',
  },
  REQUEST_LOG_DAYS: {
    is: wholeNumber(0, 400),
    default: '0',
    description: 'Number of days that API requests are listed in `GET /logs`, 0 to 400; 0 stores none. `npm start` sets it to 30',
  },
  OIDC_ISSUER: {
    is: address('http:', 'https:'),
    default: null,
    of: 'sso',
    description:
      'Provider for single sign-on to the dashboard (OpenID Connect), for example `https://login.shop.example`; https in live mode. Its redirect address is `PUBLIC_URL/user/sso/callback`. People are invited first, and recognized by their verified e-mail address',
  },
  OIDC_CLIENT_ID: { is: text, default: null, of: 'sso', description: 'Client id at this provider' },
  OIDC_CLIENT_SECRET: { is: secret, default: null, of: 'sso', description: 'Client secret at this provider' },
  SMTP_URL: {
    is: secret,
    default: null,
    of: 'smtp',
    description:
      'Mail server for invitations and new passwords (`smtp://user:password@host:587`, or `smtps://…:465`). Without it, invitations show their link, and `npm run user:link EMAIL` prints one that sets a new password',
  },
  SMTP_FROM: {
    is: text,
    default: null,
    of: 'smtp',
    description: 'Sender of these letters, for example `Switchyard <payments@shop.example>`; needed with SMTP_URL',
  },
  EXCHANGE_DAYS: {
    is: wholeNumber(0, 30),
    default: '7',
    description:
      'Number of days that redacted requests to processors and their responses are kept (`GET /payments/{payment_id}/operations/{request_id}/exchanges`), 0 to 30; 0 keeps none',
  },
  EXCHANGE_SAMPLE: {
    is: wholeNumber(0, 100),
    default: '1',
    description:
      'Percentage of successful operations whose exchanges are kept, 0 to 100; those of operations that were declined, failed or are unknown are always kept',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    is: text,
    default: null,
    of: 'otel',
    description:
      'OpenTelemetry collector for traces (OTLP over HTTP). `OTEL_EXPORTER_OTLP_*`, `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER` with its `_ARG`, `OTEL_BSP_SCHEDULE_DELAY` and `OTEL_SDK_DISABLED` are read as specified by OpenTelemetry; without any `OTEL_*` variable, tracing is off',
  },
  NATS_URL: {
    is: address('nats:', 'tls:'),
    default: null,
    of: 'nats',
    description:
      'NATS JetStream server to publish all events of all merchants to (`nats://user:password@host:4222`, or `tls://…`). Set it for every `worker` or `all` process. Without it, nothing is published',
  },
  NATS_STREAM: {
    is: streamName,
    default: 'switchyard',
    of: 'nats',
    description: 'Name of the NATS stream, created if missing; subjects are `NATS_STREAM.<merchant>.<type of event>`',
  },
  LOG_LEVEL: {
    is: oneOf('debug', 'info', 'warn', 'error'),
    default: 'info',
    description: '`debug`, `info`, `warn` or `error`',
  },
  DIES_WITH_STDIN: { is: flag, default: '0', description: '`1`: stop when standard input ends (set by `npm start`)' },
} as const satisfies Record<string, Entry>

type Table = typeof table
type Name = keyof Table

export const settings: readonly Setting[] = Object.entries(table).map(([name, { default: usual, description }]) => ({
  name,
  default: usual,
  description,
}))

/** By the variable's name; null if it is absent and has no default. */
type Values = { [N in Name]: ReturnType<Table[N]['is']> | (Table[N] extends { default: string } | { needed: string } ? never : null) }

/** `DATABASE_URL` becomes `databaseUrl`. */
type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${Lowercase<A>}${Capitalize<Camel<B>>}` : Lowercase<S>
const camel = (name: string): string => name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Composed of several variables. */
type Parts = {
  adminKey: string
  keys: KeySource
  /** The separate vault process; null: this service encrypts card numbers itself. */
  vault: { url: string; identity: Identity } | null
  /** By connector name, for accounts that do not set a URL of their own. */
  baseUrls: Record<string, string>
  files: FilesConfig
  /** Keeps sent events after the database deletes them; null: events are not archived. */
  archive: FilesConfig | null
  /** Null: single sign-on is disabled. */
  sso: SsoConfig | null
  /** Null: no e-mail is sent. */
  smtp: { url: Secret; from: string } | null
  metrics: { host: string; port: number; token: string | null } | null
  nats: { url: string; stream: string } | null
  /** Null: tracing is off. */
  otel: Record<string, string | undefined> | null
  /** The longest time that a caller waits: for the processor, and for the writes before and after. */
  answerWithinMs: number
}

export type Config = { [N in Name as Table[N] extends { of: string } ? never : Camel<N>]: Values[N] } & Parts

type Environment = Record<string, string | undefined>

/** An empty variable counts as absent. */
function valueIn(env: Environment, name: Name): unknown {
  const { is, default: usual, needed }: Entry = table[name]
  const given = env[name] || usual
  if (given !== null) return is(given, name)
  return needed === undefined ? null : wrongSetting(name, needed)
}

/** Throws `Misconfigured`, naming the variable that is missing or malformed. */
export function readConfig(env: Environment): Config {
  refuseUnknown(env, settings)
  const names = Object.keys(table) as Name[]
  const values = Object.fromEntries(names.map(name => [name, valueIn(env, name)])) as Values
  checkTogether(values)
  const alone = names.filter(name => !('of' in table[name])).map(name => [camel(name), values[name]])
  return { ...(Object.fromEntries(alone) as Omit<Config, keyof Parts>), ...partsOf(values, env) }
}

function checkTogether(values: Values): void {
  const { MODE, ROLE, PUBLIC_URL, KEYS, KEY_COMMAND, KEY_FILE, SMTP_URL, SMTP_FROM } = values
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = values
  if (OIDC_ISSUER !== null && (OIDC_CLIENT_ID === null || OIDC_CLIENT_SECRET === null))
    wrongSetting('OIDC_CLIENT_ID', 'and OIDC_CLIENT_SECRET must be set with OIDC_ISSUER')
  if (MODE === 'live' && OIDC_ISSUER?.startsWith('http:')) wrongSetting('OIDC_ISSUER', 'must be an https address in live mode')
  if (SMTP_URL !== null && !/^smtps?:\/\/[^/\s]/.test(SMTP_URL.reveal()))
    wrongSetting('SMTP_URL', 'must be an address that begins with smtp:// or smtps://')
  if (SMTP_URL !== null && SMTP_FROM === null) wrongSetting('SMTP_FROM', 'must be set with SMTP_URL: the sender of the letters')
  if (KEYS === null && KEY_COMMAND === null && KEY_FILE === null)
    wrongSetting(
      'KEY_FILE',
      `must be set (or KEYS, or KEY_COMMAND). ${MODE === 'test' ? 'Test mode creates the file if it is missing.' : howToMakeKeys}`,
    )
  if (MODE === 'live') {
    for (const [name, { live }] of Object.entries<Entry>(table))
      if (live === 'refused' && values[name as Name]) wrongSetting(name, 'must not be set in live mode')
    if (!PUBLIC_URL?.startsWith('https:')) wrongSetting('PUBLIC_URL', 'must be an https address in live mode')
  }
  if (ROLE === 'worker' && PUBLIC_URL === null)
    wrongSetting('PUBLIC_URL', 'must be set when ROLE is worker: payment webhooks contain URLs that customers are redirected to')
}

const TIME_TO_WRITE_MS = 4000

function partsOf(values: Values, env: Environment): Parts {
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token, NATS_URL, NATS_STREAM, VAULT_URL, SANDBOX_URL } = values
  return {
    adminKey: readAdminKey(values),
    keys: { mode: values.MODE, keys: values.KEYS, command: values.KEY_COMMAND, file: values.KEY_FILE },
    vault: VAULT_URL === null ? null : { url: VAULT_URL, identity: readIdentity(values.VAULT_IDENTITY, values.MODE) },
    baseUrls: { ...(SANDBOX_URL && { phonypay: SANDBOX_URL }), ...values.CONNECTOR_BASE_URLS },
    files: values.FILES_BUCKET === null ? { folder: values.FILES_FOLDER } : bucketOf(values, 'FILES_BUCKET'),
    archive: archiveOf(values),
    sso:
      values.OIDC_ISSUER === null
        ? null
        : { issuer: values.OIDC_ISSUER, clientId: values.OIDC_CLIENT_ID!, secret: values.OIDC_CLIENT_SECRET! },
    smtp: values.SMTP_URL === null ? null : { url: values.SMTP_URL, from: values.SMTP_FROM! },
    metrics: port === null ? null : { host, port, token },
    nats: NATS_URL === null ? null : { url: NATS_URL, stream: NATS_STREAM },
    otel: traced(env) ? env : null,
    answerWithinMs: values.PROCESSOR_TIMEOUT_MS + TIME_TO_WRITE_MS,
  }
}

function archiveOf(values: Values): FilesConfig | null {
  const { ARCHIVE_BUCKET, ARCHIVE_FOLDER } = values
  if (ARCHIVE_BUCKET !== null && ARCHIVE_FOLDER !== null) wrongSetting('ARCHIVE_FOLDER', 'must not be set when ARCHIVE_BUCKET is set')
  if (ARCHIVE_FOLDER !== null) return { folder: ARCHIVE_FOLDER }
  return ARCHIVE_BUCKET === null ? null : bucketOf(values, 'ARCHIVE_BUCKET')
}

/** All buckets use the same region and credentials. */
function bucketOf(values: Values, name: 'FILES_BUCKET' | 'ARCHIVE_BUCKET'): Bucket {
  const { FILES_BUCKET_REGION: region, FILES_BUCKET_KEY_ID, FILES_BUCKET_SECRET } = values
  const need = <T>(of: Name, value: T | null): T => value ?? wrongSetting(of, `must be set when ${name} is set`)
  const keyId = need('FILES_BUCKET_KEY_ID', FILES_BUCKET_KEY_ID)
  return { address: values[name]!, region, keyId, secret: need<Secret>('FILES_BUCKET_SECRET', FILES_BUCKET_SECRET) }
}

const traced = (env: Record<string, string | undefined>): boolean =>
  env.OTEL_SDK_DISABLED !== 'true' &&
  env.OTEL_TRACES_EXPORTER !== 'none' &&
  Object.keys(env).some(name => name.startsWith('OTEL_') && env[name] !== '')

/** An admin key that was made at random has at least so many different characters. */
const LEAST_CHARACTERS = 6
const GUESSED =
  /admin|changeme|change|default|example|key|letmein|live|prod|password|qwerty|sandbox|secret|switchyard|test|0?1234(?:5(?:6(?:7(?:89?0?)?)?)?)?|[\s_.-]/gi

const isGuessable = (key: string): boolean => new Set(key.replaceAll(GUESSED, '')).size < LEAST_CHARACTERS

/** Given directly or in a file. Live mode refuses one that can be guessed. */
function readAdminKey({ ADMIN_API_KEY: given, ADMIN_API_KEY_FILE: file, MODE: mode }: Values): string {
  const key = adminKeyIn(given, file, mode)
  if (mode === 'live' && isGuessable(key))
    wrongSetting(
      given === null ? 'ADMIN_API_KEY_FILE' : 'ADMIN_API_KEY',
      'is easy to guess, which live mode refuses: use the output of `openssl rand -hex 24`',
    )
  return key
}

function adminKeyIn(given: string | null, file: string | null, mode: 'test' | 'live'): string {
  const requirement = 'at least 16 characters, for example those that `openssl rand -hex 24` prints'
  if (given === null && file === null) return wrongSetting('ADMIN_API_KEY', `must be set (or ADMIN_API_KEY_FILE): ${requirement}`)
  if (given !== null) return given.length >= 16 ? given : wrongSetting('ADMIN_API_KEY', `must have ${requirement}`)
  if (mode === 'live') refuseReadable('ADMIN_API_KEY_FILE', file!)
  let key = ''
  try {
    key = readFileSync(file!, 'utf8').trim()
  } catch (error) {
    wrongSetting('ADMIN_API_KEY_FILE', `${file} cannot be read: ${whyNoFile(error)}. Set another file, or give this user access.`)
  }
  return key.length >= 16 ? key : wrongSetting('ADMIN_API_KEY_FILE', `${file} must contain ${requirement}`)
}

/** With it, one side of a split vault authenticates the other. */
export function readIdentity(file: string | null, mode: 'test' | 'live' = 'test'): Identity {
  if (file === null)
    return wrongSetting('VAULT_IDENTITY', 'must be set together with VAULT_URL: `npm run vault -- --identities FOLDER` creates the files')
  if (mode === 'live') refuseReadable('VAULT_IDENTITY', file)
  try {
    const identity = JSON.parse(readFileSync(file, 'utf8')) as Identity
    if (identity?.own?.sign && identity.own.open && identity.other?.verify && identity.other.seal) return identity
  } catch (error) {
    if (!(error instanceof SyntaxError))
      wrongSetting('VAULT_IDENTITY', `${file} cannot be read: ${whyNoFile(error)}. Set another file, or give this user access.`)
  }
  return wrongSetting('VAULT_IDENTITY', `${file} must contain an identity: \`npm run vault -- --identities FOLDER\` creates the files`)
}

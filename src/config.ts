import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** A setting: an environment variable, what it is when absent, and what it does. `--help`, the documentation and the checks below are read off this table. */
export type Setting = { name: string; default: string | null; description: string }

export const settings = [
  {
    name: 'MODE',
    default: 'test',
    description: '`test` or `live`: key prefixes, sandbox cards, loopback processors. A property of the deployment, not of a payment',
  },
  { name: 'DATABASE_URL', default: null, description: 'PostgreSQL 16 or newer. `npm start` starts its own when this is absent' },
  { name: 'HOST', default: '127.0.0.1', description: 'Address to listen on' },
  { name: 'PORT', default: '8080', description: 'Port to listen on; 0 takes any' },
  { name: 'PUBLIC_URL', default: null, description: 'Address under which customers reach the service (default: http://HOST:PORT)' },
  {
    name: 'TRUSTED_PROXIES',
    default: '',
    description: 'Comma-separated addresses or CIDR blocks whose X-Forwarded-* headers are believed',
  },
  { name: 'ADMIN_API_KEY', default: null, description: 'Key of the account operations, at least 16 characters. Or ADMIN_API_KEY_FILE' },
  {
    name: 'KEY_FILE',
    default: null,
    description: 'File with the encryption keys (JSON). In test mode it is made when missing; live mode refuses to start without keys',
  },
  { name: 'KEYS', default: null, description: 'The same JSON directly, instead of KEY_FILE' },
  {
    name: 'KEY_COMMAND',
    default: null,
    description: 'Shell command that prints the same JSON, for a KMS or secret store, instead of KEY_FILE',
  },
  {
    name: 'SANDBOX_URL',
    default: null,
    description: 'Where the sandbox processor listens (the default address of connector phonypay; test mode only)',
  },
  {
    name: 'PROCESSOR_TIMEOUT_MS',
    default: '20000',
    description: 'Longest exchange with a processor, 100 to 20000 milliseconds. Silence beyond it is not a no',
  },
  { name: 'DATABASE_CONNECTIONS', default: '10', description: 'Connections for reads (writes take one more)' },
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
  keys: { mode: 'test' | 'live'; keys: string | null; command: string | null; file: string | null }
  sandboxUrl: string | null
  processorTimeoutMs: number
  /** The longest that a caller waits: for a processor, and for what is written before and after. */
  answerWithinMs: number
  databaseConnections: number
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  diesWithStdin: boolean
}

const TIME_TO_WRITE_MS = 4000

export class ConfigError extends Error {}

/** Reads the environment into one typed value. Throws `ConfigError` naming the variable that is missing or malformed. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const wrong = (name: string, why: string): never => {
    throw new ConfigError(`${name} ${why}`)
  }
  const value = (name: Name): string | null => {
    const given = env[name]
    if (given !== undefined && given !== '') return given
    return settings.find(setting => setting.name === name)!.default
  }
  const need = (name: Name): string => value(name) ?? wrong(name, 'must be set')
  const oneOf = <T extends string>(name: Name, allowed: readonly T[]): T => {
    const given = need(name)
    return allowed.find(word => word === given) ?? wrong(name, `must be one of ${allowed.join(', ')}, not ${given}`)
  }
  const integer = (name: Name, low: number, high: number): number => {
    const number = Number(need(name))
    return Number.isInteger(number) && number >= low && number <= high
      ? number
      : wrong(name, `must be a whole number from ${low} to ${high}`)
  }
  const url = (name: Name, protocols: readonly string[]): string | null => {
    const given = value(name)
    if (given === null) return null
    if (!URL.canParse(given) || !protocols.includes(new URL(given).protocol))
      wrong(name, `must be an address with ${protocols.join(' or ')}`)
    return given.replace(/\/+$/, '')
  }

  const mode = oneOf('MODE', ['test', 'live'])
  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:']) ?? wrong('DATABASE_URL', 'must be set')
  const adminFile = env.ADMIN_API_KEY_FILE
  const adminKey =
    value('ADMIN_API_KEY') ??
    (adminFile ? readFileSync(adminFile, 'utf8').trim() : wrong('ADMIN_API_KEY', 'must be set (or ADMIN_API_KEY_FILE)'))
  if (adminKey.length < 16) wrong('ADMIN_API_KEY', 'must have at least 16 characters')
  const keys = { mode, keys: value('KEYS'), command: value('KEY_COMMAND'), file: value('KEY_FILE') }
  if (!keys.keys && !keys.command && !keys.file) wrong('KEY_FILE', 'must be set (or KEYS, or KEY_COMMAND)')
  const sandboxUrl = url('SANDBOX_URL', ['http:', 'https:'])
  if (mode === 'live' && sandboxUrl) wrong('SANDBOX_URL', 'must not be set in live mode')
  const publicUrl = url('PUBLIC_URL', ['http:', 'https:'])
  if (mode === 'live' && !publicUrl?.startsWith('https:')) wrong('PUBLIC_URL', 'must be an https address in live mode')

  const processorTimeoutMs = integer('PROCESSOR_TIMEOUT_MS', 100, 20_000)

  return {
    mode,
    databaseUrl,
    host: need('HOST'),
    port: integer('PORT', 0, 65_535),
    publicUrl,
    trustedProxies: (value('TRUSTED_PROXIES') ?? '')
      .split(',')
      .map(part => part.trim())
      .filter(Boolean),
    adminKey,
    keys,
    sandboxUrl,
    processorTimeoutMs,
    answerWithinMs: processorTimeoutMs + TIME_TO_WRITE_MS,
    databaseConnections: integer('DATABASE_CONNECTIONS', 1, 500),
    logLevel: oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error']),
    diesWithStdin: value('DIES_WITH_STDIN') === '1',
  }
}

/** How this process calls itself in logs. */
export const processName = `${hostname()}:${process.pid}`

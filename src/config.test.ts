import { deepEqual, doesNotThrow, equal, throws } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Misconfigured } from './base/misconfigured.ts'
import { readConfig, settings } from './config.ts'

const good = { DATABASE_URL: 'postgresql://u@localhost/db', ADMIN_API_KEY: 'sixteen_characters', KEY_FILE: 'keys.json' }

test('three variables are enough for test mode; the rest has defaults', () => {
  const config = readConfig(good)
  equal(config.mode, 'test')
  equal(config.port, 8080)
  equal(config.host, '127.0.0.1')
})

test('a bad setting is refused with the name of its variable', () => {
  const bad: [string, Record<string, string | undefined>][] = [
    ['DATABASE_URL', { DATABASE_URL: undefined }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['ADMIN_API_KEY', { ADMIN_API_KEY: undefined }],
    ['ADMIN_API_KEY', { ADMIN_API_KEY: 'short' }],
    ['KEY_FILE', { KEY_FILE: undefined }],
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: 'x' }],
    ['PORT', { PORT: '0x50' }],
    ['ADMIN_API_KEY_FILE', { ADMIN_API_KEY: undefined, ADMIN_API_KEY_FILE: '/dev/null' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/8, proxy.example' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['DIES_WITH_STDIN', { DIES_WITH_STDIN: 'yes' }],
    ...['staging', 'LIVE', 'prod', 'Test'].map((MODE): [string, Record<string, string>] => ['MODE', { MODE }]),
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['PROCESSOR_TIMEOUT_MS', { PROCESSOR_TIMEOUT_MS: '60000' }],
    ['DATABASE_CONNECTIONS', { DATABASE_CONNECTIONS: '0' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://x' }],
    ['PUBLIC_URL', { MODE: 'live', PUBLIC_URL: 'http://shop.example' }],
    ['SANDBOX_URL', { MODE: 'live', PUBLIC_URL: 'https://pay.example', SANDBOX_URL: 'http://127.0.0.1:1' }],
    ['CONNECTOR_BASE_URLS', { CONNECTOR_BASE_URLS: 'nobody=http://127.0.0.1:1' }],
    ['CONNECTOR_BASE_URLS', { CONNECTOR_BASE_URLS: 'stripe=127.0.0.1' }],
    ['CONNECTOR_BASE_URLS', { CONNECTOR_BASE_URLS: 'stripe=http://127.0.0.1/?a=b' }],
    ['CONNECTOR_BASE_URLS', { MODE: 'live', PUBLIC_URL: 'https://pay.example', CONNECTOR_BASE_URLS: 'stripe=https://a.example' }],
  ]
  for (const [name, change] of bad)
    throws(
      () => readConfig({ ...good, ...change }),
      (error: Error) => error instanceof Misconfigured && error.message.startsWith(name),
      name,
    )
})

test('live mode refuses an admin key that can be guessed, and takes any that was made at random', () => {
  const live = { ...good, MODE: 'live', PUBLIC_URL: 'https://pay.example' }
  for (const ADMIN_API_KEY of [
    'x'.repeat(24),
    'admin_admin_admin_1',
    'changeme12345678',
    'PASSWORD-password',
    'abababababababab',
    'test_admin_key_secret',
  ]) {
    throws(() => readConfig({ ...live, ADMIN_API_KEY }), /^Error: ADMIN_API_KEY is easy to guess, which live mode refuses/)
    doesNotThrow(() => readConfig({ ...good, ADMIN_API_KEY }))
  }
  for (let i = 0; i < 200; i++) {
    doesNotThrow(() => readConfig({ ...live, ADMIN_API_KEY: randomBytes(24).toString('hex') }))
    doesNotThrow(() => readConfig({ ...live, ADMIN_API_KEY: randomBytes(24).toString('base64') }))
  }
})

test('live mode refuses files of secrets that every user of the machine may read, by the name of their setting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-config-'))
  const file = join(folder, 'secret')
  writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o644 })
  const live = { ...good, MODE: 'live', PUBLIC_URL: 'https://pay.example', ADMIN_API_KEY: randomBytes(24).toString('hex') }
  throws(
    () => readConfig({ ...live, ADMIN_API_KEY: undefined, ADMIN_API_KEY_FILE: file }),
    /^Error: ADMIN_API_KEY_FILE .* may be read by every user/,
  )
  throws(
    () => readConfig({ ...live, VAULT_URL: 'http://127.0.0.1:8090', VAULT_IDENTITY: file }),
    /^Error: VAULT_IDENTITY .* may be read by every user/,
  )
  chmodSync(file, 0o440)
  doesNotThrow(() => readConfig({ ...live, ADMIN_API_KEY: undefined, ADMIN_API_KEY_FILE: file }))
  rmSync(folder, { recursive: true })
})

test('an unknown variable that resembles a setting is refused with a suggestion; unrelated variables are ignored', () => {
  for (const [name, meant] of [
    ['PORTT', 'PORT'],
    ['PROT', 'PORT'],
    ['MODEE', 'MODE'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['PUBLIC_URLS', 'PUBLIC_URL'],
    ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
    ['ADMIN_API_KEYFILE', 'ADMIN_API_KEY_FILE'],
    ['PROCESSOR_TIMEOUT', null],
    ['SWITCHYARD_PORT', ''],
  ] as const) {
    const read = () => readConfig({ ...good, [name]: '1' })
    if (meant === null) doesNotThrow(read, name)
    else throws(read, new RegExp(`^Error: ${name} is not a setting${meant && `: did you mean ${meant}`}`))
    doesNotThrow(() => readConfig({ ...good, [name]: '' }))
  }
  const ordinary = `PATH HOME HOSTNAME HOSTTYPE PWD OLDPWD USER LOGNAME SHELL SHLVL LANG LC_ALL LANGUAGE TERM TMPDIR EDITOR PAGER DISPLAY MAIL _ NODE NODE_ENV NODE_OPTIONS NODE_PATH npm_config_port
    INIT_CWD KEY ADMIN_KEY PUBLISHABLE_KEY SWITCHYARD_DATA SWITCHYARD_LIFELINE CI DEBUG TZ ROLES_ARN HTTP_PROXY https_proxy no_proxy VAULT_ADDR VAULT_TOKEN VAULT_NAMESPACE NATS_USER DATABASE_PASSWORD
    DATABASE_HOST PGHOST PGPORT PGUSER PGPASSWORD POSTGRES_USER POSTGRES_PASSWORD AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY SSH_AUTH_SOCK XDG_RUNTIME_DIR KUBERNETES_PORT KUBERNETES_SERVICE_HOST
    SWITCHYARD_DATA SSL_CERT_FILE MALLOC_ARENA_MAX DOMAIN DOCKER_HOST MODEL NODE_EXTRA_CA_CERTS SERVICE_PORT METRICS_PATH COLUMNS LINES`
  for (const name of ordinary.split(/\s+/)) doesNotThrow(() => readConfig({ ...good, [name]: '1' }), name)
})

test('CONNECTOR_BASE_URLS sets the base URLs of connectors', () => {
  const CONNECTOR_BASE_URLS = 'stripe=http://127.0.0.1:8081/stripe/, phonypay=https://pay.example'
  const { baseUrls } = readConfig({ ...good, SANDBOX_URL: 'http://127.0.0.1:8081', CONNECTOR_BASE_URLS })
  deepEqual(baseUrls, { phonypay: 'https://pay.example', stripe: 'http://127.0.0.1:8081/stripe' })
})

test('every setting has a description', () => {
  for (const setting of settings) equal(setting.description.length > 10, true, setting.name)
})

import { deepEqual, equal, throws } from 'node:assert/strict'
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

test('connectors live where they are said to', () => {
  const CONNECTOR_BASE_URLS = 'stripe=http://127.0.0.1:8081/stripe/, phonypay=https://pay.example'
  const { baseUrls } = readConfig({ ...good, SANDBOX_URL: 'http://127.0.0.1:8081', CONNECTOR_BASE_URLS })
  deepEqual(baseUrls, { phonypay: 'https://pay.example', stripe: 'http://127.0.0.1:8081/stripe' })
})

test('every setting has a description', () => {
  for (const setting of settings) equal(setting.description.length > 10, true, setting.name)
})

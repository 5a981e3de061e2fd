// Alone: it has connectors of its own, which services know that start later.
import { deepEqual, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { connectors } from '../connectors/all.ts'
import { phonypay } from '../connectors/phonypay/connector.ts'
import { authTypes, readCredentials, textsOf } from './credentials.ts'

for (const [auth_type, members] of Object.entries(authTypes))
  Object.assign(connectors, { [`takes_${auth_type}`]: { ...phonypay, credentials: { auth_type, members } } })

const keys = { EUR: { api_key: 'a', key1: 'b' }, USD: { api_key: 'c' } }
// biome-ignore format: a table reads better in columns
const good: Record<string, object> = {
  HeaderKey:       { api_key: 'a' },
  BodyKey:         { api_key: 'a', key1: 'b' },
  SignatureKey:    { api_key: 'a', key1: 'b', api_secret: 'c' },
  MultiAuthKey:    { api_key: 'a', key1: 'b', api_secret: 'c', key2: 'd' },
  CurrencyAuthKey: { auth_key_map: keys },
  CertificateAuth: { certificate: 'a', private_key: 'b' },
  NoKey:           {},
  TemporaryAuth:   {},
}

test('each type of credentials is read unchanged by a connector that accepts it', () => {
  deepEqual(Object.keys(good), Object.keys(authTypes))
  for (const [auth_type, credentials] of Object.entries(good))
    deepEqual(readCredentials(`takes_${auth_type}`, { auth_type, ...credentials }), { auth_type, credentials })
})

test('credentials with missing, invalid or unknown fields are refused', () => {
  for (const [auth_type, credentials] of Object.entries(good)) {
    const read = (more: object) => () => readCredentials(`takes_${auth_type}`, { auth_type, ...credentials, ...more })
    throws(read({ api_kee: 'x' }), /api_kee/)
    for (const name of Object.keys(credentials))
      for (const bad of ['', 7, undefined, [], { a: 'x' }]) throws(read({ [name]: bad }), new RegExp(name))
    if (auth_type !== 'HeaderKey' && auth_type !== 'TemporaryAuth')
      throws(() => readCredentials('takes_HeaderKey', { auth_type, ...credentials }), /must be HeaderKey/)
  }
  throws(() => readCredentials('takes_CurrencyAuthKey', { auth_type: 'CurrencyAuthKey', auth_key_map: {} }), /auth_key_map/)
  throws(
    () => readCredentials('takes_CurrencyAuthKey', { auth_type: 'CurrencyAuthKey', auth_key_map: { EUR: { api_key: '' } } }),
    /EUR\.api_key/,
  )
})

test('each text of the credentials is listed with its path', () => {
  deepEqual(textsOf({ auth_key_map: keys }), [
    ['auth_key_map.EUR.api_key', 'a'],
    ['auth_key_map.EUR.key1', 'b'],
    ['auth_key_map.USD.api_key', 'c'],
  ])
})

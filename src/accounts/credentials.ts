import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'

/** By `auth_type` (contract 6.4). `TemporaryAuth`: sent later; until then the account is inactive. */
export const authTypes: Readonly<Record<string, readonly string[]>> = {
  HeaderKey: ['api_key'],
  BodyKey: ['api_key', 'key1'],
  SignatureKey: ['api_key', 'key1', 'api_secret'],
  MultiAuthKey: ['api_key', 'key1', 'api_secret', 'key2'],
  CurrencyAuthKey: ['auth_key_map'],
  CertificateAuth: ['certificate', 'private_key'],
  NoKey: [],
  TemporaryAuth: [],
}

/** Texts; for `auth_key_map` objects of objects of texts. */
export type Credentials = { [name: string]: string | Credentials }

export type SignIn = { auth_type: string; credentials: Credentials }

const LONGEST = 4096

/** Each credential is a text that is not empty. Errors name the field. */
export function readCredentials(
  connector_name: string,
  given: Record<string, unknown> | undefined,
  field = 'connector_account_details',
): SignIn {
  if (given === undefined) return refuse('missing', { field })
  const { auth_type, ...members } = given
  if (auth_type === undefined) return refuse('missing', { field: `${field}.auth_type` })
  if (typeof auth_type !== 'string' || !Object.hasOwn(authTypes, auth_type))
    return refuse('malformed', { field: `${field}.auth_type`, expected: `one of ${Object.keys(authTypes).join(', ')}` })
  const takes = connectors[connector_name]!.credentials
  if (auth_type !== 'TemporaryAuth' && auth_type !== takes.auth_type)
    refuse('unacceptable', { field: `${field}.auth_type`, problem: `must be ${takes.auth_type} for ${connector_name}` })
  const names = auth_type === 'TemporaryAuth' ? [] : [...takes.members, ...Object.keys(takes.optional ?? {})]
  // A misspelt credential is refused rather than ignored.
  for (const name of Object.keys(members))
    if (!names.includes(name))
      refuse('unreadable', {
        field: `${field}.${name}`,
        problem: names.length > 0 ? `is not accepted by ${connector_name}, which takes ${names.join(', ')}` : 'is not a known parameter',
      })
  const sent = names.filter(name => takes.members.includes(name) || Object.hasOwn(members, name))
  return { auth_type, credentials: Object.fromEntries(sent.map(name => [name, readOne(`${field}.${name}`, members[name], name)])) }
}

function readOne(field: string, value: unknown, name: string): string | Credentials {
  if (name !== 'auth_key_map') {
    if (typeof value !== 'string' || value === '' || value.length > LONGEST) refuse('malformed', { field, expected: 'a non-empty string' })
    return value
  }
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  if (!isMap) refuse('malformed', { field, expected: 'an object with a member for each currency' })
  return Object.fromEntries(
    Object.entries(value as object).map(([currency, keys]) => {
      if (typeof keys !== 'object' || keys === null || Array.isArray(keys))
        refuse('malformed', { field: `${field}.${currency}`, expected: 'an object of strings' })
      const texts = Object.entries(keys as object).map(([key, text]) => [key, readOne(`${field}.${currency}.${key}`, text, key)])
      return [currency, Object.fromEntries(texts) as Credentials]
    }),
  )
}

/** Every text with its path: `api_key`, `auth_key_map.EUR.api_key`. */
export const textsOf = (credentials: Credentials, path = ''): [path: string, text: string][] =>
  Object.entries(credentials).flatMap(([name, value]) =>
    typeof value === 'string' ? [[path + name, value] as [string, string]] : textsOf(value, `${path}${name}.`),
  )

import Type from 'typebox'
import { createApiKey, revokeApiKey, signOutKey } from '../../accounts/api-keys.ts'
import { refuse } from '../../base/refusal.ts'
import { orNull, strictObject } from '../../base/shapes.ts'
import { later } from '../../base/time.ts'
import { beginDevice, decideDevice, findDevice, type Polled, pollDevice } from '../../users/devices.ts'
import { personNow } from '../../users/person.ts'
import { reauthenticate } from '../../users/reauthenticate.ts'
import { permissions } from '../../users/roles.ts'
import { findUser } from '../../users/user.ts'
import { schema, text, time } from '../answer-shapes.ts'
import { anyone, oneself } from '../auth.ts'
import { type ApiRequest, endpoint } from '../endpoint.ts'
import { scopesFor } from '../key-scopes.ts'
import { afterWrite } from './accounts.ts'
import { newApiKeyAnswer, revokedAnswer } from './api-keys.ts'
import { done, doneAnswer } from './users-answers.ts'
import { atPasskey, reauthenticationErrors, reauthenticationMembers } from './users-sign-in.ts'
import { personIn } from './users-team.ts'

/** The lifetime of a command line's key, in milliseconds. */
const KEY_MS = 90 * 24 * 3_600_000
const LONGEST_NAME = 50

const deviceName = Type.String({
  minLength: 1,
  maxLength: LONGEST_NAME,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069]+$',
  description: 'What the machine calls itself; the key is named after it',
})
const userCode = Type.String({ minLength: 1, maxLength: 20, description: 'The code that the command line shows' })
const body = strictObject({ user_code: userCode })

const deviceCodesAnswer = schema('DeviceCodes', {
  device_code: Type.String({ description: 'With which the command line polls; secret' }),
  user_code: Type.String({ description: 'Which the person compares or types' }),
  verification_uri: Type.String({ description: 'The page where a person approves or denies it' }),
  verification_uri_complete: Type.String({ description: 'The same page, with the code' }),
  expires_in: Type.Integer({ description: 'In seconds' }),
  interval: Type.Integer({ description: 'Seconds to wait between two polls' }),
})
const statuses = ['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'approved'] as const
const deviceTokenAnswer = schema('DeviceToken', {
  status: Type.Enum([...statuses], {
    description: 'As in RFC 8628; slow_down: the poll came too early, and `interval` is longer from now on; approved: once, with the key',
  }),
  interval: orNull(Type.Integer(), 'Seconds to wait before the next poll'),
  key: orNull(newApiKeyAnswer),
})
const deviceAnswer = schema('DeviceAuthorization', {
  device_name: text,
  address: Type.String({ description: 'IP address of the request' }),
  created: time,
  expires_at: time,
  key_expires_at: Type.String({ format: 'date-time', description: 'When the key would expire' }),
  scopes: orNull(Type.Array(Type.Enum(permissions)), 'What the key could do; null: everything'),
})

/** Returns a text that differs once the credentials of a person have been ended. */
async function signInOf(context: ApiRequest['context'], user_id: string): Promise<string> {
  const user = await findUser(context, user_id)
  return `${user?.password} ${user?.sso_subject}`
}

const approver = { credential: 'user', permission: 'api_keys:write', scope: 'merchant' } as const

/** Creates the key in the person's name, with the person's permissions of now; null if they may not any more. */
async function makeKey({ service, context }: Pick<ApiRequest, 'service' | 'context'>, of: Extract<Polled, { status: 'approved' }>) {
  const { user_id, device_name } = of
  const merchant = await service.settings.merchant(of.merchant_id)
  if (merchant === undefined || merchant.deleted) return null
  const signIn = await signInOf(context, user_id)
  const person = await personNow(context, merchant, user_id, service.mode)
  if (!person.permissions.has(approver.permission)) return null
  const ask = {
    name: `CLI on ${device_name}`,
    description: 'By `switchyard login`',
    expiration: later(context.now(), KEY_MS),
    scopes: scopesFor(person, undefined),
    user_id,
  }
  const by = { ...context, by: `user ${user_id}` }
  const key = await afterWrite(service, createApiKey(by, service.mode, merchant.merchant_id, ask))
  if ((await signInOf(context, user_id)) === signIn) return key
  // The credentials of the person ended meanwhile, and with them all command lines but this one.
  await afterWrite(service, revokeApiKey(by, merchant.merchant_id, key.key_id))
  return null
}

export const deviceOperations = [
  endpoint('POST /user/device', 'beginDevice', {
    title: 'Begin to sign in a command line',
    description:
      'Begins the sign-in of a command line (RFC 8628): returns a code to show, the page where a person approves it, and a code to poll with. Valid for ten minutes.',
    auth: anyone,
    body: strictObject({ device_name: deviceName }),
    answers: deviceCodesAnswer,
    errors: ['too_many_tries', 'busy'],
    example: { summary: 'A laptop', value: { device_name: 'ada-laptop' } },
    json: async ({ context, service, address, body }) => {
      const codes = await beginDevice(context, body.device_name, address)
      const page = `${service.services.publicUrl}/dashboard/device`
      return { ...codes, verification_uri: page, verification_uri_complete: `${page}?code=${codes.user_code}` }
    },
  }),
  endpoint('POST /user/device/token', 'pollDevice', {
    title: 'Poll the sign-in of a command line',
    description:
      'Returns the result of a sign-in by the command line. After approval it returns a secret API key, once. The key can do what the person may do, expires after 90 days, is listed among the API keys, and ends when their role changes.',
    auth: anyone,
    body: strictObject({ device_code: Type.String({ maxLength: 100 }) }),
    answers: deviceTokenAnswer,
    errors: ['link_invalid', 'busy'],
    json: async call => {
      const found = await pollDevice(call.context, call.body.device_code)
      if (found.status !== 'approved') return { interval: null, ...found, key: null }
      const key = await makeKey(call, found)
      return { status: key === null ? ('access_denied' as const) : found.status, interval: null, key }
    },
  }),
  endpoint('POST /user/device/retrieve', 'retrieveDevice', {
    title: 'Retrieve the sign-in of a command line',
    description:
      'Retrieves the sign-in request of a code: machine name and IP address. After ten wrong codes of a person, the next is possible after 15 minutes.',
    auth: oneself,
    body,
    answers: deviceAnswer,
    errors: ['not_found', 'too_many_tries'],
    example: { summary: 'The code that the terminal shows', value: { user_code: 'WDJB-MJHT' } },
    json: async call => {
      const person = personIn(call)
      const { device_name, address, created, expires_at } = await findDevice(call.context, person.user_id, call.body.user_code)
      const key_expires_at = later(call.context.now(), KEY_MS)
      return { device_name, address, created, expires_at, key_expires_at, scopes: scopesFor(person, undefined) ?? null }
    },
  }),
  endpoint('POST /user/device/approve', 'approveDevice', {
    title: 'Approve the sign-in of a command line',
    description:
      'Gives a command line a secret API key of the merchant that the session is about. Requires the permission to create API keys, and the password, or a passkey (`POST /user/sign_in/passkey/options`). A person of single sign-on must have signed in within ten minutes. The key ends with a new password, a reset, and signing out everywhere.',
    auth: approver,
    body: strictObject({ user_code: userCode, ...reauthenticationMembers }),
    answers: doneAnswer,
    errors: ['not_found', ...reauthenticationErrors],
    example: {
      summary: 'The code that the terminal shows, and the password',
      value: { user_code: 'WDJB-MJHT', password: 'correct horse battery staple' },
    },
    json: async call => {
      const { user_id, merchant, session } = personIn(call)
      const { merchant_id } = merchant ?? refuse('forbidden', { problem: 'You have no role at a merchant' })
      const { user_code, ...given } = call.body
      const prove = () => reauthenticate(atPasskey(call), session, given)
      const signIn = () => signInOf(call.context, user_id)
      return done(decideDevice(call.context, user_id, user_code, { merchant_id, prove, signIn }))
    },
  }),
  endpoint('POST /user/device/deny', 'denyDevice', {
    title: 'Deny the sign-in of a command line',
    description: 'Denies a sign-in request of a command line.',
    auth: oneself,
    body,
    answers: doneAnswer,
    errors: ['not_found', 'too_many_tries'],
    example: { summary: 'The code that the terminal shows', value: { user_code: 'WDJB-MJHT' } },
    json: call => done(decideDevice(call.context, personIn(call).user_id, call.body.user_code, 'denied')),
  }),
  endpoint('DELETE /user/device', 'signOutDevice', {
    title: 'Sign out a command line',
    description:
      'Revokes the API key that it is sent with, if that was made by a sign-in of the command line. Keys for servers are refused.',
    auth: { credential: 'secret', permission: null, scope: 'own' },
    platforms: 'for itself too',
    answers: revokedAnswer,
    errors: ['not_found'],
    json: ({ service, context, merchant, who }) => {
      const key_id = 'key_id' in who ? who.key_id : refuse('not_found', { what: 'API key' })
      return afterWrite(service, signOutKey(context, merchant.merchant_id, key_id))
    },
  }),
]

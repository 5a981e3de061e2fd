import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { strictObject } from '../../base/shapes.ts'
import { addPasskey, listPasskeys, passkeyOptions, removePasskey } from '../../users/passkeys.ts'
import { roleAt } from '../../users/person.ts'
import { chooseMerchant, listSessions } from '../../users/sessions.ts'
import { changePassword, signOut } from '../../users/sign-in.ts'
import { beginTotp, confirmTotp, removeTotp } from '../../users/totp.ts'
import { changeUser, needUser } from '../../users/user.ts'
import { listSchema, sized } from '../answer-shapes.ts'
import { oneself } from '../auth.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { afterWrite } from './accounts.ts'
import {
  done,
  doneAnswer,
  noCookie,
  optionsAnswer,
  passkeyAnswer,
  sessionAnswer,
  showPasskey,
  showUser,
  totpAnswer,
  userAnswer,
} from './users-answers.ts'
import { deviceOperations } from './users-devices.ts'
import { code, credential, password, personName, signInOperations, ssoOperations } from './users-sign-in.ts'
import { personIn, teamOperations } from './users-team.ts'

const ownOperations = [
  endpoint('GET /user', 'retrieveUser', {
    title: 'Retrieve the signed-in user',
    description: 'Retrieves the person of the session, their merchants, their role and its permissions.',
    auth: oneself,
    query: strictObject({}),
    answers: userAnswer,
    json: call => showUser(call.service, personIn(call).session),
  }),
  endpoint('POST /user', 'updateOwnUser', {
    title: 'Update the signed-in user',
    description: 'Changes the name of the person of the session.',
    auth: oneself,
    body: strictObject({ name: personName }),
    answers: userAnswer,
    errors: ['not_found', 'busy'],
    example: { summary: 'A name', value: { name: 'Ada Lovelace' } },
    json: async call => {
      const { session } = personIn(call)
      const user = await needUser(call.context, session.user_id)
      const { name } = await changeUser(call.context, user, { name: call.body.name }, 'updated')
      return showUser(call.service, { ...session, name })
    },
  }),
  endpoint('POST /user/sign_out', 'signOut', {
    title: 'Sign out',
    description: 'Ends this session, or all sessions and command lines of the person.',
    auth: oneself,
    body: strictObject({ all: Type.Optional(Type.Boolean({ description: 'Every device; default false' })) }),
    answers: doneAnswer,
    errors: ['not_found'],
    example: { summary: 'On every device', value: { all: true } },
    run: async call => {
      await signOut(call.context, personIn(call).session, call.body.all === true ? 'all' : 'this')
      await call.service.settings.written()
      return { json: { done: true }, headers: noCookie(call.service.services.publicUrl) }
    },
  }),
  endpoint('POST /user/merchant', 'chooseMerchant', {
    title: 'Choose a merchant',
    description: 'Chooses the merchant that requests of this session are about: one of `merchants`.',
    auth: oneself,
    body: strictObject({ merchant_id: Type.String({ maxLength: 64 }) }),
    answers: userAnswer,
    errors: ['not_found'],
    example: { summary: 'Another shop', value: { merchant_id: 'chairs' } },
    json: async call => {
      const { session } = personIn(call)
      const merchant = await call.service.settings.merchant(call.body.merchant_id)
      if (!merchant || merchant.deleted || roleAt(session, merchant) === null) return refuse('not_found', { what: 'merchant account' })
      await chooseMerchant(call.context, session, merchant.merchant_id)
      return showUser(call.service, { ...session, merchant_id: merchant.merchant_id })
    },
  }),
  endpoint('POST /user/password', 'changePassword', {
    title: 'Change the password',
    description: 'Sets a new password by the old one, and ends all other sessions and all command lines of the person.',
    auth: oneself,
    body: strictObject({ old_password: password, password }),
    answers: doneAnswer,
    errors: ['sign_in_refused', 'invalid_value', 'too_many_tries', 'not_found', 'busy'],
    example: {
      summary: 'A longer one',
      value: { old_password: 'correct horse battery staple', password: 'correct horse battery staple 2' },
    },
    json: ({ context, service, body, ...call }) =>
      done(afterWrite(service, changePassword(context, personIn(call).session, body.old_password, body.password))),
  }),
  endpoint('POST /user/totp', 'setUpTotp', {
    title: 'Set up two-factor authentication',
    description:
      'In two steps: with the password it returns a secret for an authenticator; with a code of that authenticator it turns two-factor authentication on and returns recovery codes.',
    auth: oneself,
    body: strictObject({ password: Type.Optional(password), code: Type.Optional(code) }),
    answers: totpAnswer,
    errors: ['sign_in_refused', 'code_refused', 'too_many_tries', 'not_found', 'busy'],
    example: { summary: 'The first step', value: { password: 'correct horse battery staple' } },
    json: async ({ context, body, ...call }) => {
      const { user_id } = personIn(call)
      if (body.code !== undefined) return confirmTotp(context, user_id, body.code)
      return beginTotp(context, user_id, body.password ?? refuse('missing', { field: 'password' }))
    },
  }),
  endpoint('DELETE /user/totp', 'removeTotp', {
    title: 'Turn off two-factor authentication',
    description: 'Turns two-factor authentication off. Requires the password.',
    auth: oneself,
    body: strictObject({ password }),
    answers: doneAnswer,
    errors: ['sign_in_refused', 'too_many_tries', 'not_found', 'busy'],
    example: { summary: 'By the password', value: { password: 'correct horse battery staple' } },
    json: call => done(removeTotp(call.context, personIn(call).user_id, call.body.password)),
  }),
  endpoint('POST /user/passkeys/options', 'passkeyOptions', {
    title: 'Begin to add a passkey',
    description:
      'Returns what `navigator.credentials.create` takes (`PublicKeyCredential.parseCreationOptionsFromJSON`). Requires the password; valid for five minutes, once.',
    auth: oneself,
    body: strictObject({ password }),
    answers: optionsAnswer,
    errors: ['sign_in_refused', 'too_many_tries', 'not_found'],
    example: { summary: 'By the password', value: { password: 'correct horse battery staple' } },
    json: async call => {
      const { publicUrl } = call.service.services
      return { options: await passkeyOptions(call.context, publicUrl, personIn(call).user_id, call.body.password) }
    },
  }),
  endpoint('POST /user/passkeys', 'addPasskey', {
    title: 'Add a passkey',
    description: 'Adds the passkey that `navigator.credentials.create` made (`toJSON()`).',
    auth: oneself,
    body: strictObject({ name: personName, response: credential }),
    answers: passkeyAnswer,
    errors: ['passkey_refused', 'not_found', 'busy'],
    json: async call => {
      const { publicUrl } = call.service.services
      const { name, response } = call.body
      return showPasskey(await addPasskey(call.context, publicUrl, personIn(call).user_id, name, response))
    },
  }),
  endpoint('GET /user/passkeys', 'listPasskeys', {
    title: 'List passkeys',
    description: 'Lists the passkeys of the person.',
    auth: oneself,
    query: strictObject({}),
    answers: listSchema('Passkeys', passkeyAnswer),
    json: async call => sized((await listPasskeys(call.context, personIn(call).user_id)).map(showPasskey)),
  }),
  endpoint('DELETE /user/passkeys/{passkey_id}', 'removePasskey', {
    title: 'Remove a passkey',
    description: 'Removes a passkey of the person.',
    auth: oneself,
    answers: doneAnswer,
    errors: ['busy'],
    json: call => done(removePasskey(call.context, personIn(call).user_id, call.path.passkey_id)),
  }),
  endpoint('GET /user/sessions', 'listSessions', {
    title: 'List sessions',
    description: 'Lists the sessions of the person, latest first, with their devices.',
    auth: oneself,
    query: strictObject({}),
    answers: listSchema('UserSessions', sessionAnswer),
    json: async call => {
      const { session } = personIn(call)
      const rows = await listSessions(call.context, session.user_id, call.context.now())
      return sized(
        rows.map(({ session_id, address, user_agent, created, seen_at, expires_at }) => {
          const current = session_id === session.session_id
          return { session_id, current, address, user_agent, created, seen_at, expires_at }
        }),
      )
    },
  }),
  endpoint('DELETE /user/sessions/{session_id}', 'revokeSession', {
    title: 'Revoke a session',
    description: 'Signs out one device of the person.',
    auth: oneself,
    answers: doneAnswer,
    json: call => done(signOut(call.context, personIn(call).session, { session_id: call.path.session_id })),
  }),
]

export const userRoutes = tagged(
  'Users',
  'People who use the dashboard: how they sign in, and who may do what at a merchant. A session (cookie) is accepted wherever a secret key is, as far as the role allows; a 403 names the permission that is missing.',
  { confidential: 'nothing', sdk: ['users', 'User'] },
  [...signInOperations, ...ssoOperations, ...deviceOperations, ...ownOperations, ...teamOperations],
)

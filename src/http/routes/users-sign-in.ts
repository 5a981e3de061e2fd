import Type from 'typebox'
import { DEPLOYMENT } from '../../accounts/gsm.ts'
import { boundedText, closed } from '../../base/shapes.ts'
import { makeLink } from '../../users/links.ts'
import { letters, sendLetter } from '../../users/mail.ts'
import { type AtPasskey, passkeySignInOptions } from '../../users/passkeys.ts'
import { LONGEST_PASSWORD } from '../../users/passwords.ts'
import { findSession, tokenIn } from '../../users/sessions.ts'
import { acceptInvitation, becomeFirst, type Caller, resetPassword, signIn, signInPasskey, signInTotp } from '../../users/sign-in.ts'
import { email } from '../../users/team.ts'
import { countTry, triesOf } from '../../users/tries.ts'
import { findUserByEmail, plainEmail } from '../../users/user.ts'
import { anyone } from '../auth.ts'
import { type EndpointCall, endpoint } from '../endpoint.ts'
import { single } from '../header.ts'
import { checkSite, pageOf } from '../session.ts'
import { doneAnswer, optionsAnswer, showSignedIn, signedInAnswer } from './users-answers.ts'

export const password = Type.String({ minLength: 1, maxLength: LONGEST_PASSWORD, description: 'At least 12 characters' })
export const personName = boundedText(100)
export const code = Type.String({ maxLength: 40, description: 'Of the authenticator, or a recovery code' })
/** The authenticator's answer, which the library reads and verifies. */
export const credential = Type.Object({}, { additionalProperties: true, description: 'A PublicKeyCredential as JSON' })
/** The members that prove again that a person with a session is there. Keys need no proof. */
export const proof = {
  password: Type.Optional({ ...password, description: 'Of a person with a session, who proves to be there: the password' }),
  passkey: Type.Optional({ ...credential, description: 'Or a passkey: see `POST /user/sign_in/passkey/options`' }),
}
/** The refusals of a person who has not proved it. */
export const unproved = ['too_many_tries', 'sign_in_refused', 'passkey_refused', 'missing', 'precondition'] as const
const token = Type.String({ maxLength: 100, description: 'Of the link' })

type Call = Pick<EndpointCall, 'context' | 'address' | 'headers' | 'service'>

/** Returns the request as a passkey is checked for it. */
export const atPasskey = ({ context, service, address }: Omit<Call, 'headers'>): AtPasskey => ({
  context,
  publicUrl: service.services.publicUrl,
  address,
})

/** Returns a person who is not signed in yet and sends the request from a page of this service. */
async function caller({ context, address, headers, service }: Call): Promise<Caller> {
  checkSite(pageOf(headers), service.services.publicUrl)
  return signInAttempt({ context, address, headers })
}

/** Returns a sign-in's browser, with the session that it has already. */
export async function signInAttempt({ context, address, headers }: Pick<Call, 'context' | 'address' | 'headers'>): Promise<Caller> {
  const held = tokenIn(single(headers.cookie))
  const session = held === undefined ? undefined : await findSession(context, held, 'unseen')
  return { context, device: { address, user_agent: single(headers['user-agent']) ?? null }, session }
}

const entering = ['forbidden', 'too_many_tries', 'busy'] as const

/** How many letters an account gets in a quarter of an hour, from all callers together. */
const MOST_LETTERS = 20

/**
 * Sends a link for a new password if an account with this e-mail address exists: neither the answer nor its time
 * reveals whether one does.
 */
async function forgotten({ service, address }: Call, to: string): Promise<void> {
  const { mailer, services, context } = service
  if (mailer === null) return
  await countTry(context, triesOf(context, 'forgotten', plainEmail(to), address))
  const user = await findUserByEmail(context, to)
  if (user === undefined) return
  await countTry(context, triesOf(context, 'letters', user.user_id, null), MOST_LETTERS)
  const { url } = await makeLink(context, services.publicUrl, 'reset', { user_id: user.user_id, merchant_id: DEPLOYMENT }, 'beside')
  sendLetter(mailer, context.log, user.email, letters.reset(url))
}

/** The operations for people who are not signed in yet. */
export const signInOperations = [
  endpoint('POST /user/sign_in', 'signIn', {
    title: 'Sign in',
    description:
      'Begins a session: the response sets a cookie. `next` is `totp` if the second factor follows. After ten wrong attempts from one network for one account, the next is possible after 15 minutes.',
    auth: anyone,
    body: Type.Object({ email, password }, closed),
    answers: signedInAnswer,
    errors: ['sign_in_refused', ...entering],
    example: { summary: 'By e-mail address and password', value: { email: 'ada@shop.example', password: 'correct horse battery staple' } },
    run: async call => showSignedIn(call.service, call.context, await signIn(await caller(call), call.body.email, call.body.password)),
  }),
  endpoint('POST /user/sign_in/totp', 'signInTotp', {
    title: 'Sign in with a second factor',
    description: 'Completes a sign-in whose `next` was `totp`, with a code of the authenticator or a recovery code. Each code works once.',
    auth: anyone,
    body: Type.Object({ code }, closed),
    answers: signedInAnswer,
    errors: ['session_over', 'code_refused', ...entering],
    example: { summary: 'The code that the authenticator shows', value: { code: '123456' } },
    run: async call => showSignedIn(call.service, call.context, await signInTotp(await caller(call), call.body.code)),
  }),
  endpoint('POST /user/sign_in/passkey/options', 'passkeySignInOptions', {
    title: 'Begin a sign-in by passkey',
    description:
      'Returns what `navigator.credentials.get` takes (`PublicKeyCredential.parseRequestOptionsFromJSON`). Valid for five minutes, once. After a hundred from one network that were not answered, the next is possible after 15 minutes.',
    auth: anyone,
    body: Type.Object({}, closed),
    answers: optionsAnswer,
    errors: ['forbidden', 'too_many_tries'],
    json: async call => {
      checkSite(pageOf(call.headers), call.services.publicUrl)
      return { options: await passkeySignInOptions(atPasskey(call)) }
    },
  }),
  endpoint('POST /user/sign_in/passkey', 'signInPasskey', {
    title: 'Sign in by passkey',
    description: 'Begins a session by what `navigator.credentials.get` gave (`toJSON()`). A passkey stands for both factors.',
    auth: anyone,
    body: Type.Object({ response: credential }, closed),
    answers: signedInAnswer,
    errors: ['passkey_refused', 'not_found', ...entering],
    run: async call =>
      showSignedIn(
        call.service,
        call.context,
        await signInPasskey(await caller(call), call.service.services.publicUrl, call.body.response),
      ),
  }),
  endpoint('POST /user/first', 'createFirstOwner', {
    title: 'Become the first owner',
    description: 'Makes the first owner of a merchant, with the link that `npm start` prints. The link works once, for a day.',
    auth: anyone,
    body: Type.Object({ token, email, name: Type.Optional(personName), password }, closed),
    answers: signedInAnswer,
    errors: ['link_invalid', 'sign_in_refused', 'sso_required', 'invalid_value', ...entering],
    run: async call => {
      const { token: of, email: address, ...newcomer } = call.body
      return showSignedIn(call.service, call.context, await becomeFirst(await caller(call), of, address, newcomer))
    },
  }),
  endpoint('POST /user/invite/accept', 'acceptInvitation', {
    title: 'Accept an invitation',
    description: 'Accepts an invitation with the token of its link. A new person sets a password; a person who has one proves it.',
    auth: anyone,
    body: Type.Object({ token, name: Type.Optional(personName), password }, closed),
    answers: signedInAnswer,
    errors: ['link_invalid', 'sign_in_refused', 'sso_required', 'invalid_value', 'not_found', ...entering],
    run: async call => {
      const { token: of, ...newcomer } = call.body
      return showSignedIn(call.service, call.context, await acceptInvitation(await caller(call), of, newcomer))
    },
  }),
  endpoint('POST /user/password/forgotten', 'forgotPassword', {
    title: 'Ask for a new password',
    description:
      'Sends a link that sets a new password, if there is an account with this address and a mail server is set. The response is the same in any case.',
    auth: anyone,
    body: Type.Object({ email }, closed),
    answers: doneAnswer,
    errors: ['forbidden'],
    example: { summary: 'A link by mail', value: { email: 'ada@shop.example' } },
    json: async call => {
      checkSite(pageOf(call.headers), call.services.publicUrl)
      const { log } = call.context
      forgotten(call, call.body.email).catch(err => log.warn({ err: { message: (err as Error).message } }, 'no link was sent'))
      return { done: true }
    },
  }),
  endpoint('POST /user/password/reset', 'resetPassword', {
    title: 'Set a new password by a link',
    description:
      'Sets a new password with the token of a link, ends every other credential of the person (passkeys, second factor, recovery codes, sessions, command lines), and signs in. The person is told by mail, if a mail server is set.',
    auth: anyone,
    body: Type.Object({ token, password }, closed),
    answers: signedInAnswer,
    errors: ['link_invalid', 'invalid_value', 'not_found', ...entering],
    run: async call => {
      const signed = await resetPassword(await caller(call), call.body.token, call.body.password)
      const { mailer, context, settings } = call.service
      await settings.written()
      if (mailer !== null) sendLetter(mailer, context.log, signed.session.email, letters.wasReset())
      return showSignedIn(call.service, call.context, signed)
    },
  }),
]

import Type from 'typebox'
import { DEPLOYMENT } from '../../accounts/gsm.ts'
import { randomAlphanumeric } from '../../base/id.ts'
import { refuse } from '../../base/refusal.ts'
import { boundedText, strictObject } from '../../base/shapes.ts'
import { makeChallenge, makeLink, useChallenge } from '../../users/links.ts'
import { letters, sendLetter } from '../../users/mail.ts'
import { type AtPasskey, passkeySignInOptions } from '../../users/passkeys.ts'
import { LONGEST_PASSWORD } from '../../users/passwords.ts'
import { findSession, tokenIn } from '../../users/sessions.ts'
import {
  acceptInvitation,
  becomeFirst,
  type Caller,
  resetPassword,
  type SignedIn,
  signIn,
  signInPasskey,
  signInSso,
  signInTotp,
} from '../../users/sign-in.ts'
import { localPage, notAccepted } from '../../users/sso.ts'
import { email } from '../../users/team.ts'
import { begunTries, countTry, forgetTries, MOST_BEGUN, triesOf } from '../../users/tries.ts'
import { findUserByEmail, plainEmail } from '../../users/user.ts'
import { anyone } from '../auth.ts'
import { type ApiRequest, endpoint } from '../endpoint.ts'
import { single } from '../header.ts'
import { checkSite, pageOf } from '../session.ts'
import { doneAnswer, optionsAnswer, sessionCookie, showSignedIn, signedInAnswer, ssoCookie, ssoCookieIn } from './users-answers.ts'

export const password = Type.String({ minLength: 1, maxLength: LONGEST_PASSWORD, description: 'At least 12 characters' })
export const personName = boundedText(100)
export const code = Type.String({ maxLength: 40, description: 'Of the authenticator, or a recovery code' })
export const credential = Type.Object({}, { additionalProperties: true, description: 'A PublicKeyCredential as JSON' })
/** The members that prove again that a person with a session is there. Keys need no proof. */
export const reauthenticationMembers = {
  password: Type.Optional({ ...password, description: 'Of a person with a session, who proves to be there: the password' }),
  passkey: Type.Optional({ ...credential, description: 'Or a passkey: see `POST /user/sign_in/passkey/options`' }),
}
export const reauthenticationErrors = ['too_many_tries', 'sign_in_refused', 'passkey_refused'] as const
const token = Type.String({ maxLength: 100, description: 'Of the link' })

type Call = Pick<ApiRequest, 'context' | 'address' | 'headers' | 'service'>

export const atPasskey = ({ context, service, address }: Omit<Call, 'headers'>): AtPasskey => ({
  context,
  publicUrl: service.services.publicUrl,
  address,
})

/** Signs in a person who sends the request from a page of this service, and answers with the session that began. */
async function signedIn(call: Call, sign: (from: Caller) => Promise<SignedIn>) {
  const { context, service, headers } = call
  checkSite(pageOf(headers), service.services.publicUrl)
  return showSignedIn(service, context, await sign(await signInAttempt(call)))
}

/** Returns a sign-in's browser, with the session that it has already. */
async function signInAttempt({ context, address, headers }: Pick<Call, 'context' | 'address' | 'headers'>): Promise<Caller> {
  const held = tokenIn(single(headers.cookie))
  const session = held === undefined ? undefined : await findSession(context, held, 'unseen')
  return { context, device: { address, user_agent: single(headers['user-agent']) ?? null }, session }
}

const entering = ['forbidden', 'too_many_tries', 'busy'] as const

/** How many letters an account gets in a quarter of an hour, from all callers together. */
const MOST_LETTERS = 20

/** Sends a link for a new password if there is an account: neither the answer nor its time reveals whether there is. */
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

export const signInOperations = [
  endpoint('POST /user/sign_in', 'signIn', {
    title: 'Sign in',
    description:
      'Begins a session: the response sets a cookie. `next` is `totp` if the second factor follows. After ten wrong attempts from one network for one account, the next is possible after 15 minutes.',
    auth: anyone,
    body: strictObject({ email, password }),
    answers: signedInAnswer,
    errors: ['sign_in_refused', ...entering],
    example: { summary: 'By e-mail address and password', value: { email: 'ada@shop.example', password: 'correct horse battery staple' } },
    run: call => signedIn(call, from => signIn(from, call.body.email, call.body.password)),
  }),
  endpoint('POST /user/sign_in/totp', 'signInTotp', {
    title: 'Sign in with a second factor',
    description: 'Completes a sign-in whose `next` was `totp`, with a code of the authenticator or a recovery code. Each code works once.',
    auth: anyone,
    body: strictObject({ code }),
    answers: signedInAnswer,
    errors: ['session_over', 'code_refused', ...entering],
    example: { summary: 'The code that the authenticator shows', value: { code: '123456' } },
    run: call => signedIn(call, from => signInTotp(from, call.body.code)),
  }),
  endpoint('POST /user/sign_in/passkey/options', 'passkeySignInOptions', {
    title: 'Begin a sign-in by passkey',
    description:
      'Returns what `navigator.credentials.get` takes (`PublicKeyCredential.parseRequestOptionsFromJSON`). Valid for five minutes, once. After a hundred from one network that were not answered, the next is possible after 15 minutes.',
    auth: anyone,
    body: strictObject({}),
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
    body: strictObject({ response: credential }),
    answers: signedInAnswer,
    errors: ['passkey_refused', 'not_found', ...entering],
    run: call => signedIn(call, from => signInPasskey(from, call.service.services.publicUrl, call.body.response)),
  }),
  endpoint('POST /user/first', 'createFirstOwner', {
    title: 'Become the first owner',
    description: 'Makes the first owner of a merchant, with the link that `npm start` prints. The link works once, for a day.',
    auth: anyone,
    body: strictObject({ token, email, name: Type.Optional(personName), password }),
    answers: signedInAnswer,
    errors: ['link_invalid', 'sign_in_refused', 'sso_required', 'invalid_value', ...entering],
    run: call => {
      const { token: of, email: address, ...newcomer } = call.body
      return signedIn(call, from => becomeFirst(from, of, address, newcomer))
    },
  }),
  endpoint('POST /user/invite/accept', 'acceptInvitation', {
    title: 'Accept an invitation',
    description: 'Accepts an invitation with the token of its link. A new person sets a password; a person who has one proves it.',
    auth: anyone,
    body: strictObject({ token, name: Type.Optional(personName), password }),
    answers: signedInAnswer,
    errors: ['link_invalid', 'sign_in_refused', 'sso_required', 'invalid_value', 'not_found', ...entering],
    run: call => {
      const { token: of, ...newcomer } = call.body
      return signedIn(call, from => acceptInvitation(from, of, newcomer))
    },
  }),
  endpoint('POST /user/password/forgotten', 'forgotPassword', {
    title: 'Ask for a new password',
    description:
      'Sends a link that sets a new password, if there is an account with this address and a mail server is set. The response is the same in any case.',
    auth: anyone,
    body: strictObject({ email }),
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
    body: strictObject({ token, password }),
    answers: signedInAnswer,
    errors: ['link_invalid', 'invalid_value', 'not_found', ...entering],
    run: call =>
      signedIn(call, async from => {
        const signed = await resetPassword(from, call.body.token, call.body.password)
        const { mailer, context, settings } = call.service
        await settings.written()
        if (mailer !== null) sendLetter(mailer, context.log, signed.session.email, letters.wasReset())
        return signed
      }),
  }),
]

/** After a failed sign-in. The reason is in the log. */
const FAILED = '/dashboard/sign-in?failed=sso'

function failed({ context }: Call, error: unknown): { redirect: string } {
  const { message, code } = error as Error & { code?: unknown }
  context.log.warn({ err: { message, code } }, 'a single sign-on was refused')
  return { redirect: FAILED }
}

/** The provider's answer must match the state in the browser's own cookie, which is used up. */
async function returned(call: Call, query: object): Promise<{ answer: SignedIn; next: string }> {
  const { context, service, headers, address } = call
  const sso = service.sso ?? notAccepted('there is no provider')
  const kept = ssoCookieIn(single(headers.cookie)) ?? notAccepted('the browser has not begun')
  if ((await useChallenge(context, 'sso', kept.state)) === null) notAccepted('the state is over')
  const search = `?${new URLSearchParams(query as Record<string, string>)}`
  const claims = await sso.finish(context.vault, service.services.publicUrl, search, kept.state)
  const answer = await signInSso(await signInAttempt({ context, address, headers }), claims)
  await forgetTries(context, begunTries(context, 'sso', address))
  await service.settings.written()
  return { answer, next: localPage('next', kept.next) }
}

export const ssoOperations = [
  endpoint('GET /user/sso', 'beginSso', {
    title: 'Begin single sign-on',
    description:
      'Redirects the browser to the provider of the deployment (OpenID Connect). Afterwards it is back at `next`, a path of the dashboard. After a hundred from one network that were not completed, it is back at the sign-in page for 15 minutes.',
    auth: anyone,
    query: strictObject({ next: Type.Optional(Type.String({ maxLength: 2000, description: 'Default /dashboard' })) }),
    answers: 'redirect',
    errors: ['unknown', 'invalid_value'],
    run: async call => {
      const { context, service, query } = call
      const sso = service.sso ?? refuse('unknown', { what: 'single sign-on' })
      const next = localPage('next', query.next)
      const state = randomAlphanumeric(context, 43)
      const { publicUrl } = service.services
      let redirect: string
      try {
        await countTry(context, begunTries(context, 'sso', call.address), MOST_BEGUN)
        redirect = await sso.begin(context.vault, publicUrl, state)
      } catch (error) {
        // The provider does not answer, or the address has begun too often: other ways to sign in may still work.
        return failed(call, error)
      }
      await makeChallenge(context, 'sso', state, null)
      return { redirect, headers: ssoCookie(publicUrl, state, next) }
    },
  }),
  endpoint('GET /user/sso/callback', 'ssoReturned', {
    title: 'Complete single sign-on',
    description:
      'Where the provider sends the browser back to. Begins a session and redirects to the dashboard; to its sign-in page if the provider refused or the person was not invited.',
    auth: anyone,
    query: Type.Object({}, { additionalProperties: true }),
    answers: 'redirect',
    run: async call => {
      try {
        const { answer, next } = await returned(call, call.query)
        return { redirect: next, headers: sessionCookie(call.service.services.publicUrl, answer) }
      } catch (error) {
        return failed(call, error)
      }
    },
  }),
]

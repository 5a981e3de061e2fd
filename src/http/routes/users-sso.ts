import Type from 'typebox'
import { randomAlphanumeric } from '../../base/id.ts'
import { refuse } from '../../base/refusal.ts'
import { closed } from '../../base/shapes.ts'
import { makeChallenge, useChallenge } from '../../users/links.ts'
import { type SignedIn, signInSso } from '../../users/sign-in.ts'
import { localPage, notAccepted } from '../../users/sso.ts'
import { begunTries, countTry, forgetTries, MOST_BEGUN } from '../../users/tries.ts'
import { anyone } from '../auth.ts'
import { type EndpointCall, endpoint } from '../endpoint.ts'
import { single } from '../header.ts'
import { sessionCookie, ssoCookie, ssoCookieIn } from './users-answers.ts'
import { signInAttempt } from './users-sign-in.ts'

type Call = Pick<EndpointCall, 'context' | 'address' | 'headers' | 'service'>

/** The page to which the browser is redirected after a failed sign-in. The reason is in the log. */
const FAILED = '/dashboard/sign-in?failed=sso'

/** Logs why a sign-in failed; the page in the browser says what to do. */
function failed({ context }: Call, error: unknown): { redirect: string } {
  const { message, code } = error as Error & { code?: unknown }
  context.log.warn({ err: { message, code } }, 'a single sign-on was refused')
  return { redirect: FAILED }
}

/**
 * Handles the browser's return from the provider. The answer must match the state in the browser's own cookie, which
 * is used up; other answers are not accepted.
 */
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

/** The operations of single sign-on. */
export const ssoOperations = [
  endpoint('GET /user/sso', 'beginSso', {
    title: 'Begin single sign-on',
    description:
      'Redirects the browser to the provider of the deployment (OpenID Connect). Afterwards it is back at `next`, a path of the dashboard. After a hundred from one network that were not completed, it is back at the sign-in page for 15 minutes.',
    auth: anyone,
    query: Type.Object({ next: Type.Optional(Type.String({ maxLength: 2000, description: 'Default /dashboard' })) }, closed),
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

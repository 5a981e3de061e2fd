import { equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Role } from '../src/users/roles.ts'
import { type Answer, type Body, http } from './call.ts'
import { ADMIN_KEY, type Shop } from './shop.ts'

/** Users of the dashboard and their browsers. */

export const PASSWORD = 'correct horse battery staple'

type Place = Pick<Shop, 'url'>

/** Gives the cookie that an answer sets, as a browser sends it back. */
export const cookieOf = (answer: Answer): string => {
  const set = answer.headers['set-cookie']
  return String(Array.isArray(set) ? set[0] : (set ?? '')).split(';')[0]!
}

/** Gives the token in the URL of a link. */
export const tokenOf = (url: string): string => new URL(url).searchParams.get('token')!

/** Gives a browser that holds a session. */
export function browser({ url }: Place, cookie: string, csrf: string | null) {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    http(method, url + path, body, { cookie, ...(csrf !== null && { 'x-csrf-token': csrf }), ...headers })
  return {
    cookie,
    csrf,
    call,
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown = {}) => call('POST', path, body),
  }
}
export type Browser = ReturnType<typeof browser> & { user: Body }

/** Gives the browser of a user who has just signed in. */
export function entered(place: Place, answer: Answer): Browser {
  equal(answer.status, 200, answer.text)
  return { ...browser(place, cookieOf(answer), answer.body.user?.csrf_token ?? null), user: answer.body.user }
}

export const someEmail = (who = 'person'): string => `${who}.${randomBytes(6).toString('hex')}@shop.example`

export const linkFor = async ({ url }: Place, ask: Body): Promise<Body> =>
  (await http('POST', `${url}/user/link`, ask, { 'api-key': ADMIN_KEY })).body

export const signIn = (place: Place, email: string, password = PASSWORD, headers: Record<string, string> = {}): Promise<Answer> =>
  http('POST', `${place.url}/user/sign_in`, { email, password }, headers)

/** Makes the first owner of a shop; gives the owner's browser. */
export async function openOwner(shop: Pick<Shop, 'url' | 'merchant_id'>, email = someEmail('owner')): Promise<Browser> {
  const { url } = await linkFor(shop, { merchant_id: shop.merchant_id })
  const first = { token: tokenOf(url), email, name: 'Olga Owner', password: PASSWORD }
  return entered(shop, await http('POST', `${shop.url}/user/first`, first))
}

/** Invites a user and accepts the invitation; gives the browser of the new user. */
export async function join(shop: Pick<Shop, 'url'>, owner: Pick<Browser, 'post'>, role: Role, email = someEmail(role)): Promise<Browser> {
  const invited = await owner.post('/user/invite', { email, role, password: PASSWORD })
  equal(invited.status, 200, invited.text)
  const accepted = { token: tokenOf(invited.body.url), name: `Some ${role}`, password: PASSWORD }
  return entered(shop, await http('POST', `${shop.url}/user/invite/accept`, accepted))
}

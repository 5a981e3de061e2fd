// The addresses of the 3-D Secure directory: the merchant's, with a key and under each name of the processor; the
// issuer's, for shoppers, without a key.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from './books.ts'
import { spoilt, takeFault } from './calls.ts'
import { facts, frame, type Html, html, unknownPage } from './challenge-page.ts'
import type { Desk } from './desk.ts'
import { idOf, lookUp, needAuthentication, request as requestAuthentication, showAuthentication } from './directory.ts'
import type { CallName } from './faults.ts'
import { identities } from './identities.ts'
import type { Authentication } from './records.ts'
import { Refusal } from './refusals.ts'
import { readBody } from './requests.ts'
import { accountOf } from './who.ts'

type Params = { Params: { id: string; reference: string; decision: string } }
type Asked = FastifyRequest<Params>
type Act = (account: Account, request: Asked) => Authentication

export function openDirectory(app: FastifyInstance, desk: Desk): void {
  const at = (account: Account) => desk.now(account)
  const call =
    (name: CallName, act: Act) =>
    async (request: Asked, reply: FastifyReply): Promise<FastifyReply> => {
      const account = accountOf(request)
      const order = takeFault(desk, account, name) ?? { fault: undefined, ms: 0 }
      return spoilt(desk, { request, reply }, { name: account, call: name }, order, {
        withoutEffect: () => {},
        effect: () => ({ status: 200, replayed: false, body: showAuthentication(act(desk.account(account), request), desk.url) }),
      })
    }
  const kept = (account: Account, authentication: Authentication): Authentication => {
    desk.write({ account: account.name, documents: [authentication] })
    return authentication
  }
  const begin: Act = (account, { body }) => {
    const wanted = lookUp(account, readBody(body))
    return account.documents.has(wanted.id) ? needAuthentication(account, wanted.id, at(account)) : kept(account, wanted)
  }
  const askIssuer: Act = (account, { body, params }) => {
    const before = needAuthentication(account, params.id, at(account))
    return kept(account, requestAuthentication(before, readBody(body), at(account)))
  }
  const find: Act = (account, { params: { id, reference } }) => needAuthentication(account, id ?? idOf(account, reference), at(account))
  for (const prefix of ['', ...Object.keys(identities).map(name => `/${name}`)]) {
    app.post<Params>(`${prefix}/v1/authentications`, call('authenticate', begin))
    app.post<Params>(`${prefix}/v1/authentications/:id/request`, call('authenticate', askIssuer))
    app.get<Params>(`${prefix}/v1/authentications/:id`, call('lookup', find))
    app.get<Params>(`${prefix}/v1/authentications/by-reference/:reference`, call('lookup', find))
  }
  openIssuer(app, desk)
}

/**
 * Registers the pages of the issuer that a shopper's browser loads: the hidden page that inspects the browser, and the
 * challenge.
 */
function openIssuer(app: FastifyInstance, desk: Desk): void {
  const found = (id: unknown): { account: Account; authentication: Authentication } | null => {
    const name = typeof id === 'string' ? desk.books.authentications.get(id) : undefined
    if (name === undefined) return null
    const account = desk.account(name)
    return { account, authentication: needAuthentication(account, id as string, desk.now(account)) }
  }
  app.post('/3ds/method', (_request, reply) => show(reply, 200, html`<p>Your bank has checked this browser.</p>`, 'One moment'))
  app.post('/3ds/challenge', async (request, reply) => {
    const creq = readRequest(new URLSearchParams(String(request.body ?? '')).get('creq'))
    const known = found(creq?.threeDSServerTransID)
    await desk.synced()
    if (known === null || creq?.acsTransID !== known.authentication.acs_transaction_id) return nothing(reply)
    const { authentication } = known
    if (authentication.trans_status !== 'C') return back(reply, authentication)
    const { amount, currency, reference, merchant } = authentication
    const place = `/3ds/challenge/${authentication.id}/${authentication.acs_transaction_id}`
    const choice = html`<p>Your bank asks you to confirm this payment.</p>
${facts({ amount, currency, reference, challenge: merchant === null ? null : { merchant } })}
<div class="choice">
<form method="post" action="${place}/accept"><button class="accept">Accept</button></form>
<form method="post" action="${place}/reject"><button>Reject</button></form>
</div>`
    return show(reply, 200, choice, 'Confirm your payment')
  })
  app.post<Params>('/3ds/challenge/:id/:reference/:decision', async (request, reply) => {
    const { id, reference, decision } = request.params
    const known = found(id)
    if (known === null || reference !== known.authentication.acs_transaction_id) return nothing(reply)
    if (decision !== 'accept' && decision !== 'reject') throw new Refusal('not_found', 'Unrecognized request URL')
    const { account, authentication } = known
    const decided: Authentication = { ...authentication, trans_status: decision === 'accept' ? 'Y' : 'N', due_at: null }
    const now = authentication.trans_status === 'C' ? decided : authentication
    desk.write({ account: account.name, documents: [now] })
    await desk.synced()
    return back(reply, now)
  })
}

function readRequest(creq: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(creq ?? '', 'base64url').toString())
    return typeof value === 'object' ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const submit = 'document.forms[0].submit()'
const hash = createHash('sha256').update(submit).digest('base64')

/** Returns the shopper to the merchant, with the issuer's final answer (CRes) in a form that submits itself. */
function back(reply: FastifyReply, { notification_url, id, acs_transaction_id, trans_status, version }: Authentication): FastifyReply {
  const word = {
    threeDSServerTransID: id,
    acsTransID: acs_transaction_id,
    messageType: 'CRes',
    messageVersion: version,
    transStatus: trans_status,
  }
  const cres = Buffer.from(JSON.stringify(word)).toString('base64url')
  const form = html`<form method="post" action="${notification_url ?? ''}"><input type="hidden" name="cres" value="${cres}"><button>Back to the merchant</button></form>`
  return show(reply, 200, { html: `${form.html}<script>${submit}</script>` }, 'Thank you')
}

const nothing = (reply: FastifyReply): FastifyReply => reply.code(404).headers(headers).send(unknownPage().html)

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'`,
}

const show = (reply: FastifyReply, status: number, content: Html, heading: string): FastifyReply =>
  reply.code(status).headers(headers).send(frame(heading, content))

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Type from 'typebox'
import { refuse } from '../src/base/refusal.ts'
import { Secret } from '../src/base/secret.ts'
import { connectors } from '../src/connectors/all.ts'
import type { Account, AuthorizeAsk, Connector, Conversation, Outcome, SyncAsk } from '../src/connectors/connector.ts'
import type { MeansOf } from '../src/connectors/means.ts'
import { type NextAction, nextActions } from '../src/connectors/next-action.ts'
import { families } from '../src/means/families.ts'
import type { Family } from '../src/means/family.ts'
import type { Reply } from '../src/world.ts'

/**
 * Wallets as another family, QR codes as another next action, and a processor that takes the one and gives the other: an entry in each of the three tables, and nothing else.
 *
 * Importing this file offers them: it must come before anything that loads the service.
 */

type Sent = { google_pay: { token: string; nonce?: string; email?: string } }
type Seen = { email: string | null }

const wallet: Family<MeansOf<'wallet'>, Sent, Seen> = {
  is: 'wallet',
  method: 'wallet',
  types: ['google_pay'],
  needsType: true,
  at: 'payment_method_data.wallet',
  shape: Type.Object(
    {
      google_pay: Type.Object(
        { token: Type.String(), nonce: Type.Optional(Type.String()), email: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  needs: [],
  sealed: ['payment_method_data.wallet.google_pay.token'],
  fleeting: ['payment_method_data.wallet.google_pay.nonce'],
  read({ google_pay: { token } }) {
    if (token.length < 6)
      refuse('unreadable', { field: 'payment_method_data.wallet.google_pay.token', words: 'is no token of this wallet' })
    return { is: 'wallet', type: 'google_pay', token: new Secret(token) }
  },
  mask: (_vault, _merchant_id, _means, { google_pay: { email } }) => ({ email: email ?? null }),
  forget: () => ({ email: null }),
  seal: ({ token }) => ({ lasting: token!.reveal(), waiting: null }),
  open: (_seen, lasting) => ({ is: 'wallet', type: 'google_pay', token: new Secret(lasting) }),
  seen: Type.Object({ google_pay: Type.Object({ email: Type.Union([Type.String(), Type.Null()]) }) }),
  show: google_pay => ({ google_pay }),
}
Object.assign(families, { wallet })

Object.assign(nextActions, {
  qr_code_information: {
    shows: { image_data_url: Type.String() },
    show: ({ image }: { image: string }) => ({ image_data_url: image }),
    onward: () => null,
  },
})

/** A token that begins so is answered with a code to be scanned. */
export const SCANNED = 'scanned'

type Paid = { id: string; reference: string; amount: number; currency: 'USD' }

function* authorize({ means, money, request_id }: AuthorizeAsk<'wallet'>, { base_url }: Account): Conversation {
  const paid = read(
    yield {
      method: 'POST',
      url: `${base_url}/pay`,
      headers: {},
      body: JSON.stringify({ ...money, request_id, token: means.token!.reveal() }),
    },
  )
  if (!('id' in paid)) return paid
  if (!means.token!.reveal().startsWith(SCANNED)) return done(paid)
  const scan = { type: 'qr_code_information', image: 'data:image/png;base64,AAAA' } as unknown as NextAction
  return { is: 'waiting', reference: paid.id, next_action: scan }
}

function* sync({ request_id }: SyncAsk, { base_url }: Account): Conversation {
  const paid = read(yield { method: 'GET', url: `${base_url}/pay/${request_id}`, headers: {} })
  return 'id' in paid ? done(paid) : paid
}

const read = (reply: Reply): Paid | Outcome =>
  reply.is === 'reply' && reply.status === 200 ? JSON.parse(reply.body) : { is: 'unknown', why: 'no answer' }

const done = ({ id, reference, amount, currency }: Paid): Outcome => ({
  is: 'done',
  reference: id,
  request_id: reference,
  amount: { amount, currency },
  captured: { amount, currency },
  facts: {},
})

const walletpay = {
  name: 'walletpay',
  founded: { documented: 'this file' },
  baseUrl: { test: null, live: null },
  credentials: { auth_type: 'NoKey', members: [] },
  accepts: {
    methods: ['wallet'],
    capture: ['automatic'],
    idempotent_ms: Number.POSITIVE_INFINITY,
    lookup: 'by request id',
    in_flight_ms: 80_000,
  },
  authorize,
  sync,
} satisfies Connector<'wallet'>
Object.assign(connectors, { walletpay })

/** The processor, over HTTP: it says yes to everything. `tokens`: those it was paid with. */
export async function openWalletpay() {
  const tokens: string[] = []
  const payments = new Map<string, Paid>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.method === 'POST') {
      const { request_id, token, amount, currency } = JSON.parse(text)
      tokens.push(token)
      payments.set(request_id, { id: `w_${tokens.length}`, reference: request_id, amount, currency })
      response.end(JSON.stringify(payments.get(request_id)))
    } else {
      const paid = payments.get(request.url!.split('/')[2]!)
      response.writeHead(paid ? 200 : 404).end(JSON.stringify(paid ?? {}))
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens,
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

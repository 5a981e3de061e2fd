import { Secret } from '../src/base/secret.ts'
import { connectors } from '../src/connectors/all.ts'
import type {
  Account,
  AuthorizeRequest,
  Connector,
  Conversation,
  Outcome,
  SyncRequest,
  WebhookUpdate,
} from '../src/connectors/connector.ts'
import { type Grant, noting, withToken } from '../src/connectors/conversation.ts'
import { portOf } from '../src/connectors/port.ts'
import type { Reply, Request } from '../src/context.ts'

/**
 * A processor of another kind than the sandbox, like many real ones: an order is created, then confirmed, and only the
 * confirmation moves money. The processor keeps none of our ids, so an operation can be queried only by the order id;
 * every request needs an access token; webhooks name orders, and are believed only after a request to the processor
 * has verified them. There are no captures, voids or refunds. `orderpay-server.ts` is the processor.
 *
 * Importing this file adds the connector to the table of connectors. Import this file before anything that loads the
 * service.
 */
export const orderpay = {
  name: 'orderpay',
  sources: { documented: 'orderpay-server.ts' },
  baseUrl: { test: null, live: null },
  credentials: { auth_type: 'BodyKey', members: ['client_id', 'client_secret'] },
  accepts: { methods: ['card'], capture: ['automatic'], idempotent_ms: 0, lookup: 'by reference', in_flight_ms: 80_000 },
  authorize,
  sync,
  webhook: { largest: 65_536, byReference: ['authorize'], verify, read },
} satisfies Connector<'card'>

Object.assign(connectors, { orderpay: portOf(orderpay) })

type Order = { id: string; status: 'created' | 'completed' | 'declined'; amount: number; currency: 'USD' }

function* authorize(ask: AuthorizeRequest<'card'>, account: Account): Conversation {
  const created = orderOf(yield* post(account, '/orders', ask.money))
  if ('why' in created) return created
  yield* noting(created.id)
  const { number } = ask.instrument
  const confirmed = orderOf(yield* post(account, `/orders/${created.id}/confirm`, { card: number.reveal() }))
  return 'why' in confirmed ? confirmed : outcomeOf(confirmed)
}

function* sync(ask: SyncRequest, account: Account): Conversation {
  // The order is noted before it is confirmed: an operation without an order has moved no money.
  if (ask.reference === null) return { is: 'not_found' }
  const order = orderOf(yield* call('GET', account, `/orders/${ask.reference}`))
  if ('why' in order) return { is: 'unknown', why: order.why }
  return order.status === 'created' ? { is: 'not_found', reference: order.id } : outcomeOf(order)
}

function* verify(raw: Buffer, _headers: object, account: Account): Conversation<boolean> {
  const reply = yield* post(account, '/verify', { event: raw.toString() })
  return reply.is === 'reply' && reply.status === 200
}

function read(raw: Buffer): WebhookUpdate[] {
  const { order } = JSON.parse(raw.toString()) as { order: string }
  return [{ is: 'outcome', of: [{ reference: order }], outcome: 'ask' }]
}

function* fetchToken({ base_url, credentials }: Account): Generator<Request, Grant, Reply> {
  const body = JSON.stringify({ id: credentials.client_id!.reveal(), secret: credentials.client_secret!.reveal() })
  const reply = yield { method: 'POST', url: `${base_url}/token`, headers: {}, body }
  if (reply.is !== 'reply') return { is: 'unavailable', why: reply.why }
  if (reply.status !== 200) return { is: 'refused', message: 'The client is not known.' }
  const { token, expires_in } = JSON.parse(reply.body) as { token: string; expires_in: number }
  return { is: 'granted', token: new Secret(token), expires_in_s: expires_in }
}

const post = (account: Account, path: string, body: object) => call('POST', account, path, JSON.stringify(body))

const call = (method: 'GET' | 'POST', account: Account, path: string, body?: string) =>
  withToken(
    () => fetchToken(account),
    token => ({
      method,
      url: account.base_url + path,
      headers: { authorization: `Bearer ${token.reveal()}` },
      ...(body !== undefined && { body }),
    }),
  )

type OrderReply = Reply | Exclude<Grant, { is: 'granted' }>

/** Reads the order from a reply; gives an outcome with the reason if the reply has none. */
function orderOf(reply: OrderReply): Order | Extract<Outcome, { is: 'unknown' | 'not_sent' }> {
  if (reply.is === 'silence') return { is: 'unknown', why: reply.why }
  if (reply.is === 'refused') return { is: 'not_sent', why: reply.message }
  if (reply.is !== 'reply') return { is: 'not_sent', why: reply.why }
  try {
    const { id, status, amount, currency } = JSON.parse(reply.body) as Order
    const isOrder = reply.status === 200 && /^ord_\w{1,60}$/.test(id) && ['created', 'completed', 'declined'].includes(status)
    if (isOrder && Number.isSafeInteger(amount) && amount >= 0 && currency === 'USD') return { id, status, amount, currency }
  } catch {}
  return { is: 'unknown', why: `invalid response (HTTP ${reply.status})` }
}

function outcomeOf({ id, status, amount, currency }: Order): Outcome {
  if (status === 'created') return { is: 'unknown', why: 'confirmed, and it says that it is not' }
  if (status === 'declined')
    return { is: 'declined', reference: id, code: 'card_declined', processor_code: 'declined', message: 'Declined.', facts: {} }
  const money = { amount, currency }
  return { is: 'done', reference: id, request_id: null, amount: money, captured: money, facts: {} }
}

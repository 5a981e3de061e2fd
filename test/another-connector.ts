import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connectors } from '../src/connectors/all.ts'
import type { Account, AuthorizeRequest, Connector, Conversation, Outcome, SyncRequest } from '../src/connectors/connector.ts'
import type { InstrumentOf } from '../src/connectors/instrument.ts'
import { portOf } from '../src/connectors/port.ts'
import type { Reply } from '../src/context.ts'

/**
 * Walletpay, a processor that takes only wallets: its connector and its HTTP server.
 *
 * Importing this file adds the connector to the table of connectors. Import this file before anything that loads the
 * service.
 */

/** The beginning of a wallet token whose payment is answered with a QR code for the customer to scan. */
export const SCANNED = 'scanned'

const tokenIn = (instrument: InstrumentOf<'wallet'>): string => instrument.secrets['tokenization_data.token']!.reveal()

type Paid = { id: string; reference: string; amount: number; currency: 'USD' }

function* authorize({ instrument, money, request_id }: AuthorizeRequest<'wallet'>, { base_url }: Account): Conversation {
  const paid = read(
    yield {
      method: 'POST',
      url: `${base_url}/pay`,
      headers: {},
      body: JSON.stringify({ ...money, request_id, token: tokenIn(instrument) }),
    },
  )
  if (!('id' in paid)) return paid
  if (!tokenIn(instrument).startsWith(SCANNED)) return done(paid)
  const image = 'data:image/png;base64,AAAA'
  return {
    is: 'waiting',
    reference: paid.id,
    next_action: { type: 'qr_code_information', data: 'scan me', image, until: null, text: null },
  }
}

function* sync({ request_id }: SyncRequest, { base_url }: Account): Conversation {
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
  sources: { documented: 'this file' },
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
Object.assign(connectors, { walletpay: portOf(walletpay) })

/** Opens the processor as an HTTP server that approves every payment. `tokens`: the wallet tokens it was paid with. */
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

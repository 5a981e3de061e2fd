import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'

/** Adapters with one fault each: the reference adapter, with one thing changed on the way. */

// biome-ignore lint/suspicious/noExplicitAny: bodies of the protocol, and what is made of them
type Body = any
type Ask = { method: string; path: string; headers: Record<string, string>; body: Body }
type Answer = { status: number; body: Body }
type SealedMessage = { raw: Buffer; headers: Record<string, string>; secret: string }

type Spoilt = {
  /** Returns the request that goes on to the reference adapter. */
  ask?(ask: Ask): Ask
  answer?(ask: Ask, answer: Answer, again: (path: string) => Promise<Answer>): Answer | Promise<Answer>
  notification?(letter: SealedMessage): Omit<SealedMessage, 'secret'> | null
  /** Whether the reference adapter never learns that its notification was refused. */
  deaf?: true
}

const operation = (path: string): string | undefined => /^\/v1\/operations\/(\S+)$/.exec(path)?.[1]
const isPut = ({ method, path }: Ask): boolean => method === 'PUT' && operation(path) !== undefined
const changed = (answer: Answer, more: (body: Body) => object): Answer =>
  answer.status === 200 && answer.body?.request_id ? { ...answer, body: { ...answer.body, ...more(answer.body) } } : answer
const sign = (raw: Buffer, secret: string, text: string): string => createHmac('sha256', secret).update(text).update(raw).digest('hex')
const refusedAs = (code: string, { body }: Answer): boolean => body?.error?.code === code

/** Gives operations another id at the reference adapter, unknown to the caller. */
function aliased(isNew: (ask: Ask) => boolean): Spoilt {
  const names = new Map<string, string>()
  return {
    ask(ask) {
      const id = operation(ask.path)
      if (id === undefined) return ask
      if (['authorize', 'payout'].includes(ask.body?.type) && isNew(ask)) names.set(id, `alias_${randomBytes(8).toString('hex')}`)
      const body = ask.body?.authorization
        ? { ...ask.body, authorization: names.get(ask.body.authorization) ?? ask.body.authorization }
        : ask.body
      return { ...ask, path: `/v1/operations/${names.get(id) ?? id}`, body }
    },
    answer: (ask, answer) => changed(answer, () => ({ request_id: operation(ask.path) })),
  }
}

/** The faults, each with the requirement that it violates. */
export const faults: Record<string, { finds: RegExp; spoilt: () => Spoilt }> = {
  'charges every time under one request id': {
    finds: /repeated PUT with the same request id/,
    spoilt: () => aliased(({ method }) => method === 'PUT'),
  },
  'pays out every time under one request id': {
    finds: /payout is paid once/,
    spoilt: () => aliased(({ method, body }) => method === 'PUT' && body?.type === 'payout'),
  },
  'charges twice when it is asked twice at once': {
    finds: /Ten concurrent PUTs/,
    spoilt() {
      const underWay = new Map<string, number>()
      const count = ({ path }: Ask, more: number) => underWay.set(path, (underWay.get(path) ?? 0) + more)
      const twice = aliased(ask => ask.method === 'PUT' && count(ask, 0).get(ask.path)! > 0)
      return {
        ask(ask) {
          const on = twice.ask!(ask)
          count(ask, 1)
          return on
        },
        answer(ask, answer, again) {
          count(ask, -1)
          return twice.answer!(ask, answer, again)
        },
      }
    },
  },
  'forgets requests': {
    finds: /lookup by request id/,
    spoilt: () => ({
      answer: (ask, answer) =>
        ask.method === 'GET' && answer.body?.request_id ? { status: 404, body: { error: { code: 'not_found', message: '' } } } : answer,
    }),
  },
  'rounds to whole units': {
    finds: /for the exact amount/,
    spoilt: () => ({ answer: (_, answer) => changed(answer, ({ amount }) => ({ amount: Math.round(amount / 100) * 100 })) }),
  },
  'counts every currency in hundredths': {
    finds: /for the exact amount/,
    spoilt: () => ({
      answer: (_, answer) => changed(answer, ({ amount, currency }) => (currency === 'JPY' ? { amount: amount * 100 } : {})),
    }),
  },
  'keeps amounts in floating point, as many do': {
    finds: /very large amount/,
    spoilt: () => ({
      answer: (_, answer) => changed(answer, ({ amount }) => ({ amount: Math.min(Math.fround(amount), Number.MAX_SAFE_INTEGER) })),
    }),
  },
  'takes fractions': {
    finds: /invalid request is refused/,
    spoilt: () => ({
      ask: ask =>
        typeof ask.body?.amount === 'number' ? { ...ask, body: { ...ask.body, amount: Math.floor(Math.abs(ask.body.amount)) } } : ask,
    }),
  },
  'signs with another secret': {
    finds: /Notifications are signed/,
    spoilt: () => ({
      notification: ({ raw, headers }) => ({
        raw,
        headers: { ...headers, 'bridge-signature': headers['bridge-signature']!.replace(/v1=.*/, `v1=${sign(raw, 'another', '')}`) },
      }),
    }),
  },
  'signs without the time': {
    finds: /Notifications are signed/,
    spoilt: () => ({
      notification: ({ raw, headers, secret }) => ({
        raw,
        headers: { ...headers, 'bridge-signature': headers['bridge-signature']!.replace(/v1=.*/, `v1=${sign(raw, secret, '')}`) },
      }),
    }),
  },
  'writes the news anew after signing it': {
    finds: /Notifications are signed/,
    spoilt: () => ({
      notification: ({ raw, headers }) => ({ raw: Buffer.from(JSON.stringify(JSON.parse(raw.toString()), null, 1)), headers }),
    }),
  },
  'does not repeat news that was refused': { finds: /Notifications are signed/, spoilt: () => ({ deaf: true }) },
  'takes another body under a request id': {
    finds: /a different body/,
    spoilt: () => ({ answer: (ask, answer, again) => (refusedAs('conflict', answer) ? again(ask.path) : answer) }),
  },
  'answers a decline with a page': {
    finds: /declined payment has a reason/,
    spoilt: () => ({
      answer: (ask, answer) => (isPut(ask) && answer.body?.status === 'declined' ? { status: 402, body: { sorry: true } } : answer),
    }),
  },
  'calls a decline an approval': {
    finds: /declined payment has a reason/,
    spoilt: () => ({
      answer: (_, answer) =>
        changed(answer, body => (body.status === 'declined' ? { status: 'approved', decline: null, captured: body.amount, held: 0 } : {})),
    }),
  },
  'says of unknown requests that they were declined': {
    finds: /unknown request id returns not_found/,
    spoilt: () => ({
      answer: (ask, answer) =>
        ask.method === 'GET' && refusedAs('not_found', answer)
          ? {
              status: 200,
              body: {
                request_id: operation(ask.path),
                type: 'authorize',
                status: 'declined',
                reference: 'none',
                amount: 0,
                currency: 'USD',
                decline: { code: 'card_declined', message: 'No.' },
              },
            }
          : answer,
    }),
  },
  'lets everybody in': {
    finds: /wrong secret/,
    spoilt: () => ({ ask: ask => ({ ...ask, headers: { ...ask.headers, authorization: 'Bearer sandbox_faulty' } }) }),
  },
  'captures more than it holds': {
    finds: /captured in parts/,
    spoilt: () => ({ answer: (ask, answer) => lax('capture', ask, answer) }),
  },
  'refunds more than was taken': { finds: /Refunds never exceed/, spoilt: () => ({ answer: (ask, answer) => lax('refund', ask, answer) }) },
  'voids what was taken': { finds: /cannot be voided/, spoilt: () => ({ answer: (ask, answer) => lax('void', ask, answer) }) },
  'does not say what it has captured': {
    finds: /captured in parts/,
    spoilt: () => ({
      answer: (_, answer) =>
        changed(answer, body => (body.type === 'authorize' && body.captured === 500 ? { captured: 0, held: 1250 } : {})),
    }),
  },
  'answers with an id of its own': {
    finds: /for the exact amount/,
    spoilt: () => ({ answer: (_, answer) => changed(answer, () => ({ request_id: 'mine' })) }),
  },
  'does not count refunds of a payment': {
    finds: /read as a whole/,
    spoilt: () => ({ answer: (_, answer) => changed(answer, ({ movements }) => (movements ? { refunded: 0 } : {})) }),
  },
  'leaves captures out of a payment': {
    finds: /read as a whole/,
    spoilt: () => ({ answer: (_, answer) => changed(answer, ({ movements }) => (movements ? { movements: [] } : {})) }),
  },
  'leaves changes out of its list': {
    finds: /What has changed is listed/,
    spoilt: () => ({
      answer: (_, answer) => (answer.body?.changes ? { ...answer, body: { changes: answer.body.changes.slice(0, 3) } } : answer),
    }),
  },
  'echoes another currency': {
    finds: /for the exact amount/,
    spoilt: () => ({ answer: (_, answer) => changed(answer, ({ currency }) => (currency === 'EUR' ? { currency: 'USD' } : {})) }),
  },
}

/** Turns the refusal of an operation that is not allowed into an approval. */
const lax = (type: string, ask: Ask, answer: Answer): Answer =>
  ask.body?.type === type && refusedAs('not_allowed', answer)
    ? {
        status: 200,
        body: {
          request_id: operation(ask.path),
          type,
          status: 'approved',
          reference: 'lax',
          amount: ask.body.amount,
          currency: ask.body.currency,
        },
      }
    : answer

/** Opens the reference adapter behind a fault. */
export async function openFaulty(
  good: string,
  { ask: spoil = one => one, answer: spoilAnswer = (_, one) => one, notification: spoilNotification, deaf }: Spoilt,
) {
  let listener: { url: string; secret: string } | null = null
  const forward = async ({ method, path, headers, body }: Ask): Promise<Answer> => {
    const response = await request(good + path, {
      method: method as 'GET',
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.statusCode, body: await response.body.json() }
  }
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const say = ({ status, body }: Answer) => outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const headers = only(incoming.headers)
    if (incoming.url === '/news') {
      const letter = { raw, headers, secret: listener!.secret }
      const sent = spoilNotification ? spoilNotification(letter) : letter
      const taken = sent && (await request(listener!.url, { method: 'POST', headers: sent.headers, body: sent.raw }).catch(() => null))
      return say({ status: deaf ? 200 : (taken?.statusCode ?? 500), body: {} })
    }
    const ask: Ask = {
      method: incoming.method!,
      path: incoming.url!,
      headers,
      body: raw.length > 0 ? JSON.parse(raw.toString()) : undefined,
    }
    if (ask.method === 'PUT' && ask.path === '/v1/news') {
      listener = ask.body
      const answer = await forward({ ...ask, body: { ...ask.body, url: `${url()}/news` } })
      return say({ ...answer, body: { url: listener!.url } })
    }
    const answer = await forward(spoil(ask))
    say(await spoilAnswer(ask, answer, path => forward(spoil({ method: 'GET', path, headers, body: undefined }))))
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: url(),
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const only = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    ['authorization', 'content-type', 'bridge-signature', 'idempotency-key'].flatMap(name =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    ),
  )

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttp, type Server as HttpServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { selfMade } from '../../test/certificate.ts'
import { Secret } from '../base/secret.ts'
import type { Reply, Request, Sender } from '../context.ts'
import { openReach } from './reach.ts'
import { openSend, type SendLimits } from './send.ts'

/** Gives a request whose parts are all recognizable, so that `why` can be searched for them. */
const post = (base: string, path = '/pay?token=QUERYSECRET'): Request => ({
  method: 'POST',
  url: base + path,
  headers: { authorization: 'Bearer HEADERSECRET', 'content-type': 'application/json' },
  body: '{"number":"BODYSECRET"}',
})

const ours: Sender = { merchant_id: 'shop', merchant_connector_id: 'mca_1', purpose: 'move' }

/**
 * Opens `send` with limits. A test of one deadline shortens only this one: the others are never reached, however slow
 * the machine.
 */
function open(t: TestContext, limits: Partial<SendLimits> = {}) {
  const { send, close } = openSend(openReach({ loopback: true, plainly: true }), limits)
  t.after(close)
  return (request: Request, sender: Partial<Sender> = {}) => send(request, { ...ours, ...sender })
}

async function listening(t: TestContext, server: Server | HttpServer): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serve = (t: TestContext, listener: RequestListener) => listening(t, createHttp(listener))
/** Starts a server of raw bytes: `talk` is called with each request as it arrives, and its path. */
const serveRaw = (t: TestContext, talk: (socket: Socket, path: string) => void) =>
  listening(
    t,
    createServer(socket =>
      socket.on('data', data => {
        const path = /^POST (\S+)/.exec(data.toString())?.[1]
        if (path !== undefined) talk(socket, path)
      }),
    ),
  )

/** Waits until the one connection exists: the next request is written at once. */
async function connected(send: (request: Request) => Promise<Reply>, base: string): Promise<void> {
  while ((await send(post(base, '/connect'))).is !== 'reply');
}

/** Waits until the stream ends, in any way. */
const closed = (stream: Socket | ServerResponse): Promise<void> =>
  new Promise(resolve => (stream.destroyed ? resolve() : stream.once('close', () => resolve())))

const WHOLE = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

async function timed(ask: () => Promise<Reply>): Promise<{ reply: Reply; ms: number }> {
  const begun = performance.now()
  return { reply: await ask(), ms: performance.now() - begun }
}

function isSilence(reply: Reply, why: RegExp): void {
  assert.ok(reply.is === 'silence', JSON.stringify(reply))
  assert.match(reply.why, why)
  assert.doesNotMatch(reply.why, /SECRET|127\.0\.0\.1|token/)
}

function isNotSent(reply: Reply, why: RegExp): void {
  assert.ok(reply.is === 'not_sent', JSON.stringify(reply))
  assert.match(reply.why, why)
  assert.doesNotMatch(reply.why, /SECRET|127\.0\.0\.1|token/)
}

test('a complete response is returned unchanged, with any status', async t => {
  const seen: unknown[] = []
  const base = await serve(t, (request, response) => {
    seen.push([request.method, request.url, request.headers['accept-encoding'], request.headers.authorization])
    response.writeHead(418, { 'x-one': 'a', 'set-cookie': ['b=1', 'c=2'] }).end('{"é":1}')
  })
  const reply = await open(t)(post(base))
  assert.ok(reply.is === 'reply')
  assert.deepEqual([reply.status, reply.body, reply.headers['x-one'], reply.headers['set-cookie']], [418, '{"é":1}', 'a', 'b=1, c=2'])
  assert.deepEqual(seen, [['POST', '/pay?token=QUERYSECRET', 'identity', 'Bearer HEADERSECRET']])
})

test('a response in many pieces, an empty one and an HTML page are responses', async t => {
  const base = await serve(t, (request, response) => {
    if (request.url === '/empty') return void response.writeHead(204).end()
    if (request.url === '/html') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html></html>')
    for (let i = 0; i < 20; i++) response.write('é'.repeat(100))
    response.end()
  })
  const send = open(t)
  const bodies = await Promise.all(['/pieces', '/empty', '/html'].map(async path => await send(post(base, path))))
  assert.deepEqual(
    bodies.map(reply => reply.is === 'reply' && [reply.status, reply.body.length]),
    [
      [200, 2000],
      [204, 0],
      [502, 13],
    ],
  )
})

test('a download arrives piece by piece, no faster than it is stored, and may be larger than a response', async t => {
  const base = await serve(t, (request, response) => {
    if (request.url === '/none') return void response.writeHead(404).end('not here')
    if (request.url === '/broken') return void response.writeHead(200, { 'content-length': '4000000' }).write('x', () => response.destroy())
    for (let i = 0; i < 40; i++) response.write('é'.repeat(50_000))
    response.end()
  })
  const send = open(t)
  let [size, stored, most] = [0, 0, 0]
  const into = async (bytes: Buffer) => {
    most = Math.max(most, ++stored)
    await new Promise(resolve => setImmediate(resolve))
    size += bytes.length
    stored--
  }
  const download = (path: string, store = into) => send({ ...post(base, path), download: true, into: store })
  const whole = await download('/')
  assert.deepEqual([whole.is === 'reply' && [whole.status, whole.body], size, most], [[200, ''], 4_000_000, 1])
  const none = await download('/none')
  assert.deepEqual(none.is === 'reply' && [none.status, none.body], [404, 'not here'])
  isSilence(await download('/broken'), /incomplete response/)
  isSilence(await download('/', () => Promise.reject(new Error('the disk is full'))), /could not be stored/)
})

test('after a refused connection, unknown host, invalid URL or TLS failure nothing was sent', async t => {
  const vacant = await serve(t, () => {})
  const base = await serve(t, (_request, response) => response.end())
  const closed = createServer()
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const refused = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
  closed.close()
  await once(closed, 'close')
  const send = open(t)
  isNotSent(await send(post(refused)), /no connection \(ECONNREFUSED\)/)
  isNotSent(await send(post('http://nobody.invalid')), /no connection/)
  isNotSent(await send(post(vacant.replace('http:', 'https:'))), /no connection/)
  for (const url of ['ftp://x/', 'http://user:HEADERSECRET@127.0.0.1/', 'http://', '/pay', 'http://[::/', 'http://a:99999']) {
    isNotSent(await send(post(url, '')), /./)
  }
  isNotSent(await send({ ...post(base), headers: { authorization: 'HEADERSECRET\r\nx: y' } }), /no connection/)
  isNotSent(await send(post(base, '/a b')), /no connection/)
})

test('after a connection timeout nothing was sent', async t => {
  // A TLS greeting that is not answered: the connection exists, and the request never leaves.
  const base = await listening(t, createServer())
  const send = open(t, { connect_ms: 150 })
  const { reply, ms } = await timed(() => send(post(base.replace('http:', 'https:'))))
  isNotSent(reply, /connection timeout|no connection \(UND_ERR_CONNECT_TIMEOUT\)/)
  assert.ok(ms >= 149, `${ms}`)
})

test('a request that waits too long for a connection is not sent, and is not sent later', async t => {
  const paths: string[] = []
  let letGo = () => {}
  const base = await serve(t, ({ url }, response) => {
    if (url !== '/connect') paths.push(url!)
    if (url === '/held') letGo = () => response.end('ok')
    else response.end('ok')
  })
  const send = open(t, { connections: 1, connect_ms: 200 })
  await connected(send, base)
  const held = send(post(base, '/held'))
  isNotSent(await send(post(base, '/late')), /too many requests of this account in progress/)
  letGo()
  assert.equal((await held).is, 'reply')
  assert.equal((await send(post(base, '/next'))).is, 'reply')
  assert.deepEqual(paths, ['/held', '/next'])
})

/** Starts a server that leaves every request hanging until the test answers it. */
async function hesitant(t: TestContext) {
  const hanging: ServerResponse[] = []
  let hangs = true
  const base = await serve(t, (request, response) => {
    if (hangs && request.url === '/hang') hanging.push(response)
    else response.end('ok')
  })
  return {
    base,
    release(end: (response: ServerResponse) => void) {
      hangs = false
      for (const response of hanging.splice(0)) end(response)
    },
  }
}

const count = (replies: Reply[], is: Reply['is']): number => replies.filter(reply => reply.is === is).length

test('a hanging account delays no other account and none of its own polls; excess requests are refused at once', async t => {
  const { base, release } = await hesitant(t)
  const send = open(t, { connections: 20, waiting: 3 })
  const slow = Array.from({ length: 20 }, () => send(post(base, '/hang')))
  const refused = await Promise.all(slow.slice(5))
  for (const reply of refused) isNotSent(reply, /too many requests of this account in progress/)
  const others: Partial<Sender>[] = [{ merchant_id: 'another' }, { merchant_connector_id: 'mca_2' }, { purpose: 'ask' }]
  for (const sender of others) assert.equal((await send(post(base, '/fast'), sender)).is, 'reply')
  release(response => response.destroy())
  const replies = await Promise.all(slow.slice(0, 5))
  assert.deepEqual([count(replies, 'silence'), count(replies, 'reply')], [2, 3], 'two were under way, three waited for them')
})

test('a connection is released however the exchange ends', async t => {
  const { base } = await hesitant(t)
  const hurried = open(t, { connections: 1, first_byte_ms: 150 })
  assert.equal((await hurried(post(base, '/hang'))).is, 'silence')
  assert.notEqual((await hurried(post(base, '/fast'))).is, 'not_sent', 'after a deadline')

  const send = open(t, { connections: 1, body_bytes: 10_000 })
  const reset = await serveRaw(t, socket => socket.resetAndDestroy())
  const huge = await serve(t, (_request, response) => response.end('x'.repeat(20_000)))
  const bad: [Request, Reply['is']][] = [
    [post(reset), 'silence'],
    [post(huge), 'silence'],
    [post('http://nobody.invalid'), 'not_sent'],
    [post(base, '/a b'), 'not_sent'],
    [post('http://a:99999', ''), 'not_sent'],
    [{ ...post(base), headers: { authorization: 'a\r\nb: c' } }, 'not_sent'],
  ]
  for (const [request, is] of bad) {
    assert.equal((await send(request)).is, is)
    assert.equal((await send(post(base, '/fast'))).is, 'reply', `after ${request.url}`)
  }
})

test('a process that was paused while connecting does not send the request afterwards', async t => {
  let requests = 0
  const base = await serve(t, (_request, response) => {
    requests++
    response.end('ok')
  })
  const send = open(t, { connect_ms: 5_000 })
  const sending = send(post(base))
  // The process is stopped here, and continues when another process has concluded that nothing was sent. Data that
  // arrived meanwhile is read before any timer runs.
  const { now } = performance
  t.mock.method(performance, 'now', () => now.call(performance) + 60_000)
  isNotSent(await sending, /connection timeout/)
  assert.equal(requests, 0)
})

test('a request without a response ends at the response timeout', async t => {
  const base = await serveRaw(t, () => {})
  const send = open(t, { first_byte_ms: 150 })
  const { reply, ms } = await timed(() => send(post(base)))
  isSilence(reply, /response timeout/)
  assert.ok(ms >= 149, `${ms}`)
})

function dripInto(t: TestContext, socket: Socket): void {
  const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write('x')), 10)
  t.after(() => clearInterval(drip))
}

test('a slow or endless header and an interim response count as no response', async t => {
  const send = open(t, { first_byte_ms: 150 })
  // The answer would go on for minutes: only a deadline ends it.
  const drip = await serveRaw(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\nx-y: ')
    dripInto(t, socket)
  })
  isSilence(await send(post(drip)), /response timeout/)
  const endless = await serveRaw(t, socket => socket.write(`HTTP/1.1 200 OK\r\n${`x-y: ${'z'.repeat(1000)}\r\n`.repeat(20)}`))
  isSilence(await open(t)(post(endless)), /incomplete response \(UND_ERR_HEADERS_OVERFLOW\)/)
  const interim = await serveRaw(t, socket => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'))
  isSilence(await send(post(interim)), /response timeout/)
})

test('a slow body does not extend the deadline', async t => {
  let dripping: Socket | undefined
  const base = await serveRaw(t, (socket, path) => {
    if (path === '/connect') return void socket.write(WHOLE)
    dripping = socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n') ? socket : undefined
    dripInto(t, socket)
  })
  const send = open(t, { connections: 1, total_ms: 300 })
  await connected(send, base)
  const { reply, ms } = await timed(() => send(post(base)))
  isSilence(reply, /incomplete response before the deadline/)
  assert.ok(ms >= 299, `${ms}`)
  await closed(dripping!)
})

test('a body that is too large is not read to its end', async t => {
  let over: Promise<unknown> | undefined
  const base = await serve(t, (_request, response) => {
    over = closed(response)
    const push = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', push)
    push()
  })
  isSilence(await open(t, { body_bytes: 10_000 })(post(base)), /too large/)
  // The answer has no end: this line is reached only if the connection is dropped.
  await over
})

test('a truncated response counts as no response, with or without a content length', async t => {
  const send = open(t)
  const short = await serveRaw(t, socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"status":'))
  isSilence(await send(post(short)), /incomplete response \(UND_ERR/)
  const chunked = await serveRaw(t, socket => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'))
  isSilence(await send(post(chunked)), /incomplete response/)
  const gibberish = await serveRaw(t, socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
  isSilence(await send(post(gibberish)), /incomplete response/)
})

test('a connection reset after the request counts as no response, and nothing is sent again', async t => {
  const paths: string[] = []
  const base = await serveRaw(t, (socket, path) => {
    paths.push(path)
    socket.resetAndDestroy()
  })
  const send = open(t)
  // A request that is sent again would be sent before the next one.
  for (const path of ['/one', '/two', '/three'])
    isSilence(await send(post(base, path)), /incomplete response \((ECONNRESET|UND_ERR_SOCKET)\)/)
  assert.deepEqual(paths, ['/one', '/two', '/three'])
})

test('a reset on a kept-alive connection counts as no response, and nothing is sent again', async t => {
  const paths: string[] = []
  const connections = new Set<Socket>()
  const base = await serveRaw(t, (socket, path) => {
    paths.push(path)
    connections.add(socket)
    if (path === '/whole') socket.write(WHOLE)
    else if (path === '/reset') socket.resetAndDestroy()
    else socket.end()
  })
  const send = open(t, { connections: 1 })
  assert.equal((await send(post(base, '/whole'))).is, 'reply')
  isSilence(await send(post(base, '/end')), /incomplete response/)
  assert.equal(connections.size, 1, 'the connection was kept alive')
  assert.equal((await send(post(base, '/whole'))).is, 'reply')
  isSilence(await send(post(base, '/reset')), /incomplete response/)
  assert.equal((await send(post(base, '/whole'))).is, 'reply')
  assert.deepEqual(paths, ['/whole', '/end', '/whole', '/reset', '/whole'])
})

test('a redirect is returned as a response, and is not followed', async t => {
  const paths: string[] = []
  const base = await serve(t, (request, response) => {
    paths.push(request.url!)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  const reply = await open(t)(post(base, '/pay'))
  assert.ok(reply.is === 'reply' && reply.status === 307)
  assert.deepEqual(paths, ['/pay'])
})

test('two hundred simultaneous requests each get their own response', async t => {
  const base = await serve(t, (request, response) => setImmediate(() => response.end(request.url)))
  const send = open(t, { connections: 200 })
  const replies = await Promise.all(Array.from({ length: 200 }, (_, i) => send(post(base, `/${i}`))))
  assert.deepEqual(
    replies.map(reply => reply.is === 'reply' && reply.body),
    replies.map((_, i) => `/${i}`),
  )
})

test('closing the least recently used origin does not interrupt its requests in progress', async t => {
  const held: (() => void)[] = []
  // No request is answered before all are under way.
  const slow: RequestListener = (_request, response) => {
    held.push(() => response.end('ok'))
    if (held.length === 6) for (const letGo of held) letGo()
  }
  const bases = await Promise.all([1, 2, 3].map(() => serve(t, slow)))
  const send = open(t, { origins: 1 })
  const replies = await Promise.all([...bases, ...bases].map(base => send(post(base))))
  assert.ok(replies.every(reply => reply.is === 'reply'))
})

test('client certificates use connections of their own; a missing or untrusted certificate gets no response', async t => {
  const [server, mine, others] = [selfMade('server'), selfMade('mine'), selfMade('others')]
  const seen: string[] = []
  const tls = createHttps(
    { cert: server.certificate, key: server.key, ca: [mine.certificate, others.certificate], requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      seen.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN))
      response.end('ok')
    },
  )
  const base = (await listening(t, tls)).replace('http:', 'https:')
  const as = ({ certificate, key }: { certificate: string; key: string }) => ({
    ...post(base),
    identity: { certificate, key: new Secret(key) },
  })
  const send = open(t, { ca: server.certificate })
  for (const who of [mine, others, mine]) {
    const reply = await send(as(who))
    assert.ok(reply.is === 'reply', JSON.stringify(reply))
  }
  assert.deepEqual(seen, ['mine', 'others', 'mine'])
  // In TLS 1.3, the server reports a missing or unknown certificate after the request has left: whether the request
  // was read is unknown.
  for (const request of [post(base), as(selfMade('unknown'))]) assert.notEqual((await send(request)).is, 'reply')
  isNotSent(await open(t)(as(mine)), /no connection/)
  isNotSent(await send({ ...as(mine), identity: { certificate: mine.certificate, key: new Secret('none') } }), /no connection|not an http/)
  assert.equal(seen.length, 3)
})

test('a request can have a shorter deadline of its own', async t => {
  const base = await serve(t, () => {})
  const send = open(t)
  isSilence(await send({ ...post(base), within_ms: 300 }), /incomplete response before the deadline/)
})

test('closing waits for running and queued requests, completes each once, and refuses new ones', async t => {
  const { base, release } = await hesitant(t)
  const { send, close } = openSend(openReach({ loopback: true, plainly: true }), { connections: 1 })
  let answers = 0
  const early = Array.from({ length: 5 }, () => send(post(base, '/hang'), ours).finally(() => answers++))
  const over = close()
  isNotSent(await send(post(base), ours), /shutting down/)
  release(response => response.end('ok'))
  await over
  assert.equal(answers, 5)
  assert.equal(count(await Promise.all(early), 'reply'), 5)
})

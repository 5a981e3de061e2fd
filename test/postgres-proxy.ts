import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A way in which the proxy in front of PostgreSQL cuts a writing connection at its commit: at the Sync behind the
 * statements. The service cannot know then whether its statements were committed. (The proxy can also fall silent.)
 * - `before`: PostgreSQL never sees the Sync.
 * - `after`: PostgreSQL commits, its answer is lost.
 * - `unanswered`: PostgreSQL commits, its answer never comes, and the connection stays.
 * - `late`: the client's side is cut at once, but PostgreSQL receives everything, the Sync included, only `lateness`
 *   milliseconds later.
 */
export type Cut = 'before' | 'after' | 'unanswered' | 'late'

const SYNC = 0x53
/** The length of a message's head: its type (1 byte) and its length (4 bytes), which counts itself. */
const HEAD = 5

const slips = {
  BEGIN: Buffer.from('Q\0\0\0\x0aBEGIN\0', 'latin1'),
  Sync: Buffer.from('S\0\0\0\x04', 'latin1'),
}
/**
 * A message that the proxy can send to PostgreSQL between transactions: one that begins a transaction without end, or
 * a Sync, which PostgreSQL answers by saying that it is ready.
 */
export type Slip = keyof typeof slips

/**
 * Follows messages through the pieces of the network. Gives for each piece where its messages begin; a message whose
 * head is incomplete begins in the next piece, at 0 or before it.
 */
function openMessageWalk(): (data: Buffer) => { type: number; at: number }[] {
  let held = Buffer.alloc(0)
  let left = 0
  return data => {
    const begins: { type: number; at: number }[] = []
    const bytes = Buffer.concat([held, data])
    let at = left
    for (; bytes.length - at >= HEAD; at += 1 + bytes.readUInt32BE(at + 1)) begins.push({ type: bytes[at]!, at: at - held.length })
    left = Math.max(0, at - bytes.length)
    held = Buffer.from(bytes.subarray(at))
    return begins
  }
}

/** `unheard`: called with the client's port whenever bytes do not arrive because its connection has fallen silent. */
export async function openProxy(databaseUrl: string, lateness = 30, unheard = (_port: number) => {}) {
  const url = new URL(databaseUrl)
  const socketPath = `${url.searchParams.get('host')}/.s.PGSQL.${url.searchParams.get('port') ?? 5432}`
  const cuts: Cut[] = []
  const sockets = new Set<Socket>()
  let cut = 0
  const late: Promise<unknown>[] = []
  let slip: Slip | null = null

  /** The clients that have fallen silent: no bytes pass any more, and neither side receives an error. */
  const silent = new Set<Socket>()
  /** The first message of each client, which contains its application_name. */
  const introductions = new Map<Socket, string>()
  let gone: RegExp | null = null

  const server = createServer(client => {
    const upstream = connect(socketPath)
    const port = client.remotePort!
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    let deaf = false
    let walk: ReturnType<typeof openMessageWalk> | null = null
    upstream.on('data', data => {
      if (silent.has(client)) unheard(port)
      else if (!deaf) client.write(data)
    })
    upstream.on('close', () => silent.has(client) || client.destroy())
    client.on('close', () => {
      introductions.delete(client)
      if (!deaf && !silent.has(client)) upstream.destroy()
    })
    client.on('data', data => {
      // The first message has no type; it comes alone, because the client waits for PostgreSQL's answer to it.
      const introduced = introductions.has(client)
      if (!introduced) {
        introductions.set(client, data.toString('latin1'))
        if (gone?.test(introductions.get(client)!)) silent.add(client)
        if (data.includes('switchyard writes')) walk = openMessageWalk()
      }
      if (silent.has(client)) return unheard(port)
      const begins = (introduced && walk?.(data)) || []
      if (slip && begins[0]?.at === 0) {
        upstream.write(slips[slip])
        slip = null
      }
      const sync = begins.find(({ type }) => type === SYNC)
      const how = sync && cuts.shift()
      if (!how) {
        upstream.write(data)
        return
      }
      cut++
      if (how === 'unanswered') {
        silent.add(client)
        upstream.write(data)
        return
      }
      deaf = true
      client.destroy()
      if (how === 'before') upstream.write(data.subarray(0, Math.max(0, sync!.at)), () => upstream.destroy())
      else if (how === 'after') upstream.end(data)
      else {
        late.push(once(upstream, 'close'))
        setTimeout(() => upstream.end(data), lateness)
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `postgresql://${url.username}@127.0.0.1:${port}${url.pathname}`,
    /** Cuts the connection where the next transactions commit, one for each argument. */
    cutNext: (...how: Cut[]) => cuts.push(...how),
    cut: () => cut,
    /** Makes the open connections (of the application named so) silent for good. New connections are not affected. */
    fallSilent(pattern = /./) {
      for (const [client, introduction] of introductions) if (pattern.test(introduction)) silent.add(client)
    },
    /** Makes the open connections silent, and new ones silent from their first byte, until the network is back. */
    networkGone(pattern = /./) {
      gone = pattern
      this.fallSilent(pattern)
    },
    networkBack() {
      gone = null
    },
    /** Waits until PostgreSQL is done with all bytes that came late. */
    lateIsOver: () => Promise.all(late),
    /**
     * Sends PostgreSQL a message before the next transaction that the service has not sent; the answer reaches the
     * service as well.
     */
    slipIn(what: Slip) {
      slip = what
    },
    close: () =>
      new Promise<void>(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

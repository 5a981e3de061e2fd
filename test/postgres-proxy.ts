import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A proxy in front of PostgreSQL that can fall silent, or cut a connection that writes where it commits: at the Sync
 * behind the statements. What the service has then sent may or may not have been committed: it cannot know.
 * - `before`: PostgreSQL never sees the Sync.
 * - `after`: PostgreSQL commits, its answer is lost.
 * - `unanswered`: PostgreSQL commits, its answer never comes, and the connection stays.
 * - `late`: the client's side is cut at once, but PostgreSQL gets everything, the Sync included, only `lateness`
 *   milliseconds later.
 */
export type Cut = 'before' | 'after' | 'unanswered' | 'late'

const SYNC = 0x53
/** A message's type and its length, which counts itself. */
const HEAD = 5

const slips = {
  BEGIN: Buffer.from('Q\0\0\0\x0aBEGIN\0', 'latin1'),
  Sync: Buffer.from('S\0\0\0\x04', 'latin1'),
}
/** What PostgreSQL can be told in between: to begin a transaction that has no end, or to say that it is ready. */
export type Slip = keyof typeof slips

/**
 * Follows messages through pieces, however the network has cut them. Gives for each piece where its messages begin;
 * one whose head is not whole begins in the next piece, at 0 or before it.
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

export async function openProxy(databaseUrl: string, lateness = 30) {
  const url = new URL(databaseUrl)
  const socketPath = `${url.searchParams.get('host')}/.s.PGSQL.${url.searchParams.get('port') ?? 5432}`
  const cuts: Cut[] = []
  const sockets = new Set<Socket>()
  let cut = 0
  const late: Promise<unknown>[] = []
  let slip: Slip | null = null

  /** Those that have fallen silent: nothing goes through any more, and neither side is told. */
  const silent = new Set<Socket>()
  /** What each said first, which holds its application_name. */
  const introductions = new Map<Socket, string>()
  let gone: RegExp | null = null

  const server = createServer(client => {
    const upstream = connect(socketPath)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    let deaf = false
    let walk: ReturnType<typeof openMessageWalk> | null = null
    upstream.on('data', data => {
      if (!deaf && !silent.has(client)) client.write(data)
    })
    upstream.on('close', () => silent.has(client) || client.destroy())
    client.on('close', () => {
      introductions.delete(client)
      if (!deaf && !silent.has(client)) upstream.destroy()
    })
    client.on('data', data => {
      // What comes first has no type; it comes alone, because PostgreSQL's answer to it is waited for.
      const introduced = introductions.has(client)
      if (!introduced) {
        introductions.set(client, data.toString('latin1'))
        if (gone?.test(introductions.get(client)!)) silent.add(client)
        if (data.includes('switchyard writes')) walk = openMessageWalk()
      }
      if (silent.has(client)) return
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
    /** Cuts where the next transactions commit, one for each word. */
    cutNext: (...how: Cut[]) => cuts.push(...how),
    cut: () => cut,
    /**
     * The connections that are open now (of the application so named) fall silent for good. New ones are not touched.
     */
    fallSilent(whose = /./) {
      for (const [client, introduction] of introductions) if (whose.test(introduction)) silent.add(client)
    },
    /** The same, and new ones are silent from their first byte, until the network is back. */
    networkGone(whose = /./) {
      gone = whose
      this.fallSilent(whose)
    },
    networkBack() {
      gone = null
    },
    /** Once PostgreSQL is done with everything that came late. */
    lateIsOver: () => Promise.all(late),
    /** Before the next transaction PostgreSQL is told something that the service has not said, and answers it too. */
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

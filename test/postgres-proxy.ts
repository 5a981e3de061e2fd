import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A proxy in front of PostgreSQL that can fall silent, or cut a connection at its COMMIT. What the service has then
 * sent may or may not have been committed: it cannot know.
 * - `before`: PostgreSQL never sees the COMMIT.
 * - `after`: PostgreSQL commits, its answer is lost.
 * - `unanswered`: PostgreSQL commits, its answer never comes, and the connection stays.
 * - `late`: the client's side is cut at once, but PostgreSQL gets everything, COMMIT included, only `lateness`
 *   milliseconds later.
 */
export type Cut = 'before' | 'after' | 'unanswered' | 'late'

export async function openProxy(databaseUrl: string, lateness = 30) {
  const url = new URL(databaseUrl)
  const socketPath = `${url.searchParams.get('host')}/.s.PGSQL.${url.searchParams.get('port') ?? 5432}`
  const cuts: Cut[] = []
  const sockets = new Set<Socket>()
  let cut = 0
  const late: Promise<unknown>[] = []
  let spoilBegin = false

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
    upstream.on('data', data => {
      if (!deaf && !silent.has(client)) client.write(data)
    })
    upstream.on('close', () => silent.has(client) || client.destroy())
    client.on('close', () => {
      introductions.delete(client)
      if (!deaf && !silent.has(client)) upstream.destroy()
    })
    client.on('data', data => {
      if (!introductions.has(client)) {
        introductions.set(client, data.toString('latin1'))
        if (gone?.test(introductions.get(client)!)) silent.add(client)
      }
      if (silent.has(client)) return
      if (spoilBegin && data.includes('BEGIN')) {
        spoilBegin = false
        data[data.indexOf('BEGIN')] = 'X'.charCodeAt(0)
      }
      const how = data.includes('COMMIT') ? cuts.shift() : undefined
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
      const at = data.indexOf('COMMIT')
      // A simple query message: its type and length stand in the five bytes before the text.
      if (how === 'before') upstream.write(data.subarray(0, at - 5), () => upstream.destroy())
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
    /** Cuts the next COMMITs, one for each word. */
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
    /** PostgreSQL does not understand the next BEGIN, and runs what follows without it. */
    spoilNextBegin() {
      spoilBegin = true
    },
    close: () =>
      new Promise<void>(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

import cluster from 'node:cluster'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * A listener accepts one connection a turn of the event loop, milliseconds when busy: 256 clients at once would wait
 * for seconds. Among several, the kernel divides them (docs/design/processes.md). Processes that share a port have one
 * each.
 */
const LISTENERS = 8

type At = { host: string; port: number }

const listening = (server: Server, at: At & { reusePort?: boolean }): Promise<Server> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(at, () => resolve(server)))
const closed = (server: Server): Promise<void> => new Promise(resolve => server.close(() => resolve()))

/**
 * Whether a process may listen several times. The address (a name may mean several) is tried alone first, as several
 * listeners could share it with another program: then the system's error is thrown.
 */
async function canShare(at: At): Promise<boolean> {
  if (process.platform !== 'linux' || cluster.isWorker || at.host === 'localhost') return false
  if (at.port !== 0) await closed(await listening(createServer(), at))
  try {
    await closed(await listening(createServer(), { ...at, reusePort: true }))
    return true
  } catch {
    return false
  }
}

/** Throws the system's error if it cannot listen. `close` waits for requests that are being answered. */
export async function listen(app: FastifyInstance, at: At): Promise<{ address: AddressInfo; close(): Promise<void> }> {
  const reusePort = await canShare(at)
  await app.listen({ ...at, ...(reusePort && { reusePort }) })
  const address = app.server.address() as AddressInfo
  const share = { host: address.address, port: address.port, reusePort }
  const more = Array.from({ length: reusePort ? LISTENERS - 1 : 0 }, () =>
    // With the options of Node's own HTTP server.
    createServer({ allowHalfOpen: true, noDelay: true }, socket => app.server.emit('connection', socket)),
  )
  const close = async () => void (await Promise.all([app.close(), ...more.map(closed)]))
  try {
    await Promise.all(more.map(server => listening(server, share)))
  } catch (error) {
    await close()
    throw error
  }
  return { address, close }
}

import cluster from 'node:cluster'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * A listener accepts one connection a turn of the event loop, and a turn of a busy service takes milliseconds: 256
 * clients that connect at once would wait for seconds. So there are several of the same address, among which the
 * kernel divides connections (decision 190). Processes that share a port accept one each.
 */
const LISTENERS = 8

type At = { host: string; port: number }

const listening = (server: Server, at: At & { reusePort?: boolean }): Promise<Server> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(at, () => resolve(server)))
const closed = (server: Server): Promise<void> => new Promise(resolve => server.close(() => resolve()))

/**
 * May this process listen to an address several times? A name may stand for several addresses. Throws what the system
 * says if another program is there: the address is tried alone first, because several could share it, too.
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

/**
 * Opens the door of a server. Throws what the system says if that cannot be. Gives the address, and `close`, which
 * waits for requests that are being answered.
 */
export async function listen(app: FastifyInstance, at: At): Promise<{ address: AddressInfo; close(): Promise<void> }> {
  const reusePort = await canShare(at)
  await app.listen({ ...at, ...(reusePort && { reusePort }) })
  const address = app.server.address() as AddressInfo
  const share = { host: address.address, port: address.port, reusePort }
  const more = Array.from({ length: reusePort ? LISTENERS - 1 : 0 }, () =>
    // As Node's own server of HTTP accepts them.
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

// Which port to listen on: the one that was asked for or none; of the default, the next free one.
import { createServer } from 'node:net'

export type Wish = { setting: string; given: string | undefined; usual: number; host: string; besides?: number[] }

/** Ports that were given for `0`. Nobody listens on them yet, so the system may offer them a second time. */
const promised = new Set<number>()

export async function choosePort(wish: Wish): Promise<number> {
  const { setting, given, usual, host, besides = [] } = wish
  if (given !== undefined && given !== '') {
    const port = Number(given)
    if (!/^\d+$/.test(given) || port > 65535) throw new Error(`${setting}=${given} is not a port (0 to 65535)`)
    let free = await tryPort(port, host)
    while (port === 0 && free !== null && promised.has(free)) free = await tryPort(port, host)
    if (free === null)
      throw new Error(`${setting}=${given} is taken: something else listens on ${host}:${given}. Choose another ${setting}.`)
    if (port === 0) promised.add(free)
    return free
  }
  for (let port = usual; port < usual + 100; port++) {
    if (!besides.includes(port) && (await tryPort(port, host)) !== null) return port
  }
  throw new Error(`the ports ${usual} to ${usual + 99} on ${host} are all taken; set ${setting}`)
}

/** The port if it is free (0 stands for any), null if it is taken. */
function tryPort(port: number, host: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null)
      else if (error.code === 'EACCES') reject(new Error(`port ${port} may not be used by this user; ports from 1024 on may`))
      else reject(new Error(`HOST=${host} cannot be listened on: ${error.message}`))
    })
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      const found = typeof address === 'object' && address !== null ? address.port : port
      server.close(() => resolve(found))
    })
  })
}

/** How to reach from here what listens there. */
export function baseUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

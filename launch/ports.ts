// Chooses the port to listen on: the configured port or none; if none is configured, the default port or the next free
// one.
import { createServer } from 'node:net'
import { Misconfigured, notListening } from '../src/base/misconfigured.ts'

export type WantedPort = { setting: string; given: string | undefined; usual: number; host: string; besides?: number[] }

/** The ports that were chosen for `0`. No server listens on them yet, so the system may offer them again. */
const promised = new Set<number>()

export async function choosePort(wanted: WantedPort): Promise<number> {
  const { setting, given, usual, host, besides = [] } = wanted
  const tryIt = (port: number) => tryPort(port, host, setting)
  if (given !== undefined && given !== '') {
    const port = Number(given)
    if (!/^\d+$/.test(given) || port > 65535) throw new Misconfigured(`${setting} must be a port, 0 to 65535, not ${given}`)
    if (besides.includes(port))
      throw new Misconfigured(`${setting}=${given} is the port of the service. Choose another ${setting} or another PORT.`)
    let free = await tryIt(port)
    while (port === 0 && free !== null && promised.has(free)) free = await tryIt(port)
    if (free === null) throw notListening({ code: 'EADDRINUSE' }, { host, port }, setting)
    if (port === 0) promised.add(free)
    return free
  }
  for (let port = usual; port < usual + 100; port++) {
    if (!besides.includes(port) && (await tryIt(port)) !== null) return port
  }
  throw new Misconfigured(`All ports from ${usual} to ${usual + 99} on ${host} are in use. Set ${setting} to a free one.`)
}

/** Returns the port if it is free (0 means any free port), null if it is taken. */
function tryPort(port: number, host: string, setting: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null)
      else reject(notListening(error, { host, port }, setting))
    })
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      const found = typeof address === 'object' && address !== null ? address.port : port
      server.close(() => resolve(found))
    })
  })
}

export function baseUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

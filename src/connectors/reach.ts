import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackAddress, isPublic } from '../base/public-address.ts'

/** The URLs to which requests may go: public addresses, and the addresses in the deployment's own settings. */
export type Reach = {
  /** Such a name may resolve to an internal machine. */
  isOwn(url: string): boolean
  /** In words that follow its name; null: it may be reached. An unknown host is no error: it may be known later. */
  unreachable(url: string): Promise<string | null>
  /** Without resolving the host name: called before each delivery. */
  refuses(url: string): string | null
  /** Only addresses that may be reached; the connection goes to one of these. */
  lookup: LookupFunction
}

export type Names = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const LOOKED_UP_WITHIN_MS = 2_000
const elsewhere = 'must be the address of a machine on the public Internet'

/** The parts of a path with which a server would leave that path (`..`, backslashes, blanks). */
const LEAVES = /[\\\s]|\/(?:\.|%2e){1,2}(?:[/?#;]|$)/i

/** `loopback`: this machine too. `own`: the deployment's URLs. `plainly`: public machines over http, at any port. */
export function openReach({
  loopback = false,
  plainly = false,
  own = [],
  names = lookup,
}: {
  loopback?: boolean
  plainly?: boolean
  own?: readonly string[]
  names?: Names | undefined
} = {}): Reach {
  const isOwn = (url: string) =>
    own.some(base => url.startsWith(base) && ['', '/', '?'].includes(url.charAt(base.length))) && !LEAVES.test(url)
  const mayReach = (address: string) => isPublic(address) || (loopback && isLoopbackAddress(address))

  function refuses(url: string): string | null {
    if (isOwn(url)) return null
    // Parsers disagree on such a URL, so it is refused.
    if (!/^https?:\/\/[^/?#\\\s@]+([/?#]|$)/i.test(url) || !URL.canParse(url) || /[\\\s\0]/.test(url))
      return 'must be an absolute https address, without a user name'
    const { protocol, hostname, port, username, password } = new URL(url)
    if (username !== '' || password !== '') return 'must not hold a user name or a password'
    const host = hostname
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '')
      .toLowerCase()
    const isLocal = isLoopbackAddress(host) || host === 'localhost' || host.endsWith('.localhost')
    if (isLocal) return loopback ? null : elsewhere
    if (protocol !== 'https:' && !plainly) return 'must begin with https://'
    if (!plainly && port !== '' && port !== '443' && port !== '8443') return 'must have port 443 or 8443'
    if (isIP(host) !== 0) return mayReach(host) ? null : elsewhere
    return !/[^.]\.[^.]/.test(host) || /\.(local|internal|intranet|lan|home|corp|private|arpa)$/.test(host) ? elsewhere : null
  }

  const find: LookupFunction = (hostname, options, callback) =>
    names(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      // A name that resolves to both public and internal addresses is an attack.
      if (addresses.length === 0 || !addresses.every(({ address }) => mayReach(address)))
        return callback(Object.assign(new Error('not a public address'), { code: 'ENOTPUBLIC' }), '', 0)
      return options.all ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family)
    })

  return {
    isOwn,
    refuses,
    lookup: find,
    unreachable(url) {
      const why = refuses(url)
      if (why !== null || isOwn(url)) return Promise.resolve(why)
      return new Promise(resolve => {
        const timer = setTimeout(() => resolve(null), LOOKED_UP_WITHIN_MS)
        const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '')
        find(hostname, { all: true }, error => {
          clearTimeout(timer)
          resolve(error?.code === 'ENOTPUBLIC' ? elsewhere : null)
        })
      })
    },
  }
}

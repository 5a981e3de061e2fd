import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopback, isPublic } from '../base/public-address.ts'

/** Whom webhooks may reach: public addresses alone, unless loopback is allowed for development. */
export type Reach = {
  /** Why nothing may be sent to this address, in words that follow its name; null if it may. Names are looked up; one that is unknown may come to be known. */
  unreachable(url: string): Promise<string | null>
  /** The same, without looking names up: before each delivery. */
  refuses(url: string): string | null
  /** Looks names up for connections: gives only addresses that may be reached, and the connection goes to these and no others. */
  lookup: LookupFunction
}

const LOOKED_UP_WITHIN_MS = 2_000
const elsewhere = 'must be the address of a machine on the public Internet'

export function openReach(loopback: boolean): Reach {
  const mayReach = (address: string) => isPublic(address) || (loopback && isLoopback(address))

  /** What the address itself says. */
  function refuses(url: string): string | null {
    // Whatever parsers do not agree on is not ours to guess.
    if (!/^https?:\/\/[^/?#\\\s@]+([/?#]|$)/i.test(url) || !URL.canParse(url) || /[\\\s\0]/.test(url))
      return 'must be an absolute https address, without a user name'
    const { protocol, hostname, port, username, password } = new URL(url)
    if (username !== '' || password !== '') return 'must not hold a user name or a password'
    const host = hostname
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '')
      .toLowerCase()
    const isLocal = isLoopback(host) || host === 'localhost' || host.endsWith('.localhost')
    if (isLocal) return loopback ? null : elsewhere
    if (protocol !== 'https:') return 'must begin with https://'
    if (port !== '' && port !== '443' && port !== '8443') return 'must have port 443 or 8443'
    if (isIP(host) !== 0) return mayReach(host) ? null : elsewhere
    return !/[^.]\.[^.]/.test(host) || /\.(local|internal|intranet|lan|home|corp|private|arpa)$/.test(host) ? elsewhere : null
  }

  const find: LookupFunction = (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      // One inside among those outside is a trap, not a choice.
      if (addresses.length === 0 || !addresses.every(({ address }) => mayReach(address)))
        return callback(Object.assign(new Error('not a public address'), { code: 'ENOTPUBLIC' }), '', 0)
      return options.all ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family)
    })

  return {
    refuses,
    lookup: find,
    unreachable(url) {
      const why = refuses(url)
      if (why !== null) return Promise.resolve(why)
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

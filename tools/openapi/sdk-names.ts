import { admits } from '../../src/http/auth.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'

/**
 * Returns the method of the SDK that calls an operation: `payments.create` for `createPayment` of Payments. Null for
 * aliases, and for operations that no server calls: pages, and those of browsers and people.
 */
export function sdkName({ name, sdk, aliasOf, auth, answers, tag }: Endpoint): string | null {
  if (sdk !== undefined) return sdk
  const isForServers = (admits(auth, 'secret') || admits(auth, 'admin')) && answers !== 'page' && answers !== 'redirect'
  if (!isForServers || aliasOf !== undefined) return null
  const [resource, noun] = tag.sdk
  const method = name.replace(new RegExp(`${noun}s?(?![a-z])`), '')
  return `${resource}.${method.charAt(0).toLowerCase()}${method.slice(1)}`
}

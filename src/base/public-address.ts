import ipaddr from 'ipaddr.js'

/**
 * Ranges of IPv6 whose addresses carry one of IPv4, or are not assigned on the Internet, though `ipaddr.js` knows
 * some of them as ordinary.
 */
const notGlobal6 = [
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fec0::/10',
].map(range => ipaddr.parseCIDR(range) as [ipaddr.IPv6, number])

/**
 * Addresses that clouds answer at from inside, though the Internet has them as ordinary: Azure's platform (metadata
 * of machines, DNS). Those of other clouds stand in ranges that are not public.
 */
const ofClouds = ['168.63.129.16']

/**
 * Is this the address of a machine on the public Internet, and not of one inside: private, loopback, link-local
 * (metadata services), shared (CGNAT), or one that carries such an address in it?
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || ofClouds.includes(parsed.toString())) return false
  return parsed.kind() === 'ipv4' ? true : !notGlobal6.some(range => (parsed as ipaddr.IPv6).match(range))
}

/** Is it this very machine's? */
export const isLoopbackAddress = (address: string): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

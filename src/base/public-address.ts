import ipaddr from 'ipaddr.js'

/**
 * IPv6 ranges whose addresses contain an IPv4 address or are not assigned on the Internet. `ipaddr.js` counts some of
 * them as ordinary unicast.
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
 * Addresses of cloud services that answer only from inside the cloud, although they lie in a public range: Azure's
 * platform (metadata of machines, DNS). Other clouds use ranges that are not public.
 */
const ofClouds = ['168.63.129.16']

/**
 * Whether this is the address of a machine on the public Internet. Not public are private, loopback, link-local
 * (metadata services) and shared (CGNAT) addresses, and addresses that contain such an address.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || ofClouds.includes(parsed.toString())) return false
  return parsed.kind() === 'ipv4' ? true : !notGlobal6.some(range => (parsed as ipaddr.IPv6).match(range))
}

/** Whether this address is the machine's own (loopback). */
export const isLoopbackAddress = (address: string): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

import ipaddr from 'ipaddr.js'

/** IPv6 ranges that contain an IPv4 address or are unassigned; `ipaddr.js` counts some as ordinary unicast. */
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

/** Public addresses that answer only inside a cloud: Azure's platform. Other clouds use ranges that are not public. */
const ofClouds = ['168.63.129.16']

/** Not private, loopback, link-local (metadata services) or shared (CGNAT), nor one that contains such an address. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || ofClouds.includes(parsed.toString())) return false
  return parsed.kind() === 'ipv4' ? true : !notGlobal6.some(range => (parsed as ipaddr.IPv6).match(range))
}

/** Whether this address is the machine's own (loopback). */
export const isLoopbackAddress = (address: string): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

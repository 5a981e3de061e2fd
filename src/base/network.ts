/**
 * The network that an address belongs to, as far as it is one household's: an IPv4 address itself, of IPv6 the /64,
 * since a host with one address of it has all of them. IPv4 written as IPv6 is IPv4. What is no address is given back
 * as it is.
 */
export function networkOfAddress(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%')
  const four = plain.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)?.[1]
  if (four !== undefined) return four
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const parts = (text: string) => (text === '' ? [] : text.split(':'))
  const [left, right] = [parts(head), parts(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const all = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${all
    .slice(0, 4)
    .map(part => part.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** Is this network, as `networkOfAddress` gives it, the machine itself? */
export const isLoopbackNetwork = (network: string): boolean => network.startsWith('127.') || network === '0:0:0:0::/64'

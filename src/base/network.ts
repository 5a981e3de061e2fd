/**
 * Sized for one household: the address itself for IPv4 (also if written as IPv6), its /64 for IPv6, all of which a
 * host may have. Other text is returned as it is.
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

/** Whether this network, as returned by `networkOfAddress`, is the machine itself. */
export const isLoopbackNetwork = (network: string): boolean => network.startsWith('127.') || network === '0:0:0:0::/64'

import { BlockList, isIP, isIPv4 } from 'node:net'

/** The groups of an IPv6 address; one that only wraps an IPv4 address gives that one. */
function groupsOf(address: string): number[] | string {
  // The URL parser writes every spelling of an address in one way (RFC 5952); a zone is this machine's own word.
  const written = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1)
  const [head = '', tail] = written.split('::')
  const read = (part: string) => (part ? part.split(':').map((group) => parseInt(group, 16)) : [])
  const [first, last] = [read(head), read(tail ?? '')]
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
  const [high, low] = [groups[6]!, groups[7]!]
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : groups
}

function prefixOf(address: string, bits: { v4: number; v6: number }): string {
  const groups = isIPv4(address) ? address : groupsOf(address)
  if (typeof groups !== 'string')
    return `${groups
      .slice(0, bits.v6 / 16)
      .map((group) => group.toString(16))
      .join(':')}::/${bits.v6}`
  const octets = groups.split('.').slice(0, bits.v4 / 8)
  return bits.v4 === 32
    ? groups
    : `${[...octets, ...Array.from({ length: 4 - octets.length }, () => 0)].join('.')}/${bits.v4}`
}

/** What limits count as one address: one of IPv4, and of IPv6 the /64 that every customer of a network has whole (R78). */
export const networkOf = (address: string): string => prefixOf(address, { v4: 32, v6: 64 })

/** The neighbourhood that one attacker may rent as a whole (R28). It is also what a log may say of an address (R86). */
export const subnetOf = (address: string): string => prefixOf(address, { v4: 24, v6: 48 })

export function networks(...subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, isIP(net) === 6 ? 'ipv6' : 'ipv4')
  return list
}

export const isOf = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

export const loopback = networks(['127.0.0.0', 8], ['::1', 128])
/** RFC 1918, RFC 6598, RFC 4193: the provider's own network. */
export const privateNetworks = networks(
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
)

export const isInside = (address: string): boolean => isOf(loopback, address) || isOf(privateNetworks, address)

import { BlockList, isIP, isIPv4 } from 'node:net'

/** Returns the groups of an IPv6 address, or the IPv4 address that it maps. */
function groupsOf(address: string): number[] | string {
  // The URL parser normalises every spelling of an address (RFC 5952); a zone only has a meaning on this machine.
  const canonical = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const read = (part: string) => (part ? part.split(':').map((group) => parseInt(group, 16)) : [])
  const [first, last] = [read(head), read(tail ?? '')]
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
  const [high = 0, low = 0] = groups.slice(6)
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

/**
 * Returns the network that limits count as one address: an IPv4 address, or an IPv6 /64, which every customer of a network has as a whole
 * (R78).
 */
export const networkOf = (address: string): string => prefixOf(address, { v4: 32, v6: 64 })

/** Returns the network that one attacker may rent as a whole (R28). Logs may contain it instead of an address (R86). */
export const subnetOf = (address: string): string => prefixOf(address, { v4: 24, v6: 48 })

export function networks(...subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, isIP(net) === 6 ? 'ipv6' : 'ipv4')
  return list
}

export const isInNetworks = (list: BlockList, address: string): boolean =>
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

export const isInside = (address: string): boolean =>
  isInNetworks(loopback, address) || isInNetworks(privateNetworks, address)

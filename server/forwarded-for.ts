import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const name = 'x-forwarded-for'

/**
 * Leaves in X-Forwarded-For what can be believed of a proxy's word, before anything is counted by it (R67): addresses alone.
 * Where nothing is left, a visitor counts as the proxy itself.
 */
export function tidyForwardedFor({ headers }: IncomingMessage): void {
  const given = headers[name]
  if (given === undefined) return
  const believed = believableAddresses(String(given))
  if (believed) headers[name] = believed
  else delete headers[name]
}

/** Each proxy adds to the end, so nothing that stands before a word that is no address comes from a known one. */
export function believableAddresses(given: string): string {
  const words = given.split(',').map((word) => word.trim())
  const addresses = words.filter(Boolean).map(addressIn)
  return addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ')
}

/** Some proxies add the port, and brackets then. A zone is the proxy's own business. */
function addressIn(word: string): string | undefined {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(word) ?? []
  const [address = ''] = (bracketed ?? dotted ?? word).split('%')
  return isIP(address) ? address : undefined
}

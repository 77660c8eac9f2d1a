import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const name = 'x-forwarded-for'

/**
 * Keeps only addresses in X-Forwarded-For that can be trusted, before anything is counted by them (R67). If none remain, the
 * visitor counts as the proxy itself.
 */
export function tidyForwardedFor({ headers }: IncomingMessage): void {
  const given = headers[name]
  if (given === undefined) return
  const trusted = believableAddresses(String(given))
  if (trusted) headers[name] = trusted
  else delete headers[name]
}

/** Each proxy appends to the list, so entries before one that is not an address do not come from a known proxy. */
export function believableAddresses(given: string): string {
  const entries = given.split(',').map((entry) => entry.trim())
  const addresses = entries.filter(Boolean).map(addressIn)
  return addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ')
}

/** Some proxies add the port, and brackets with it. The zone is dropped. */
function addressIn(entry: string): string | undefined {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? []
  const [address = ''] = (bracketed ?? dotted ?? entry).split('%')
  return isIP(address) ? address : undefined
}

import { limits } from '../../contract/limits.ts'
import type { TrustedListsPort } from '../platform/ports.ts'
import { callOutRaw, faultOf } from './outgoing.ts'

type Options = Pick<TrustedListsPort, 'url' | 'certificates' | 'countries' | 'report'> & {
  /** Hosts in the operator's own network that lists may be at, as `host` or `host:port`, in addition to that of `url`. */
  hosts?: readonly string[]
  timeoutMs?: number
  maxBytes?: number
}

const { fetchTimeout, bytes, redirects: maxRedirects } = limits.trustedLists

/**
 * Creates the adapter for trusted lists over HTTP. The list of lists names the addresses of the others, so only public ones and the
 * operator's own hosts are called, as for addresses in certificates. A redirect may only lead to a possible address of a list (R194).
 */
export function trustedListsByHttp(options: Options): TrustedListsPort {
  const {
    url: listOfLists,
    certificates,
    countries,
    report,
    timeoutMs = fetchTimeout * 1000,
    maxBytes = bytes,
  } = options
  const hosts = [new URL(listOfLists).host, ...(options.hosts ?? [])]

  async function fetchList(url: URL, left: number): Promise<Uint8Array> {
    if (!/^https?:$/.test(url.protocol)) throw new Error('the address is not one of HTTP')
    const answer = await callOutRaw({ url, method: 'GET', timeoutMs, maxBytes, signedObject: { hosts } })
    if (answer.status === 200) return new Uint8Array(answer.body)
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status)
    if (!isRedirect || answer.location === undefined || !URL.canParse(answer.location, url))
      throw new Error(`HTTP ${answer.status}`)
    if (left === 0) throw new Error('too many redirects')
    return fetchList(new URL(answer.location, url), left - 1)
  }

  return {
    url: listOfLists,
    certificates,
    countries,
    report,
    async fetch(url) {
      try {
        return { bytes: await fetchList(new URL(url), maxRedirects) }
      } catch (error) {
        return { fault: faultOf(error) }
      }
    },
  }
}

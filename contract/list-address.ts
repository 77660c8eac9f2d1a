import { limits } from './limits.ts'

/** A page with several lists has a prefix in its address for each. */
export const casePrefixes = { vouchers: 'voucher-', received: 'received-' } as const

/** What the query of an address says of one list, without its prefix. */
export const listParams = (search: string, prefix = ''): [string, string][] =>
  [...new URLSearchParams(search)]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value])

/** Rows on a page, unless the customer has chosen otherwise; not part of a request. */
export const defaultSize = String(limits.list.size)

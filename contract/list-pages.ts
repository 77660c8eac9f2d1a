import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { text, Uuid } from './fields.ts'
import { limits } from './limits.ts'

type Fields = Record<string, z.ZodMiniType>

export const PageSize = component(
  'PageSize',
  'Rows on a page of a list.',
  z.enum(limits.list.sizes.map((size) => `${size}` as const)),
)

/** Searches of every list of objects: for all words of a text (UIX-26), or for one object, to which the history leads (AUT-12). */
export const searches = {
  search: described('Words that are all in the text of a row, in any order.', text(limits.text.search)),
  id: described('Only the object with this id.', Uuid),
}

/**
 * Returns the schema of a page of a list: its items, the cursor of the next page (null on the last page), and the list's additional fields.
 */
export const pageOf = <I extends z.ZodMiniType, M extends Fields = {}>(item: I, more = {} as M) =>
  z.strictObject({
    items: described('The rows of this page.', z.array(item)),
    next: described('The `cursor` of the next page; null on the last page.', z.nullable(z.string())),
    ...more,
  })

/**
 * Declares a list that is read by page: `cursor` is the `next` of the previous page, `filters` select and order the items; all are
 * optional. An endpoint whose path names an object declares `not-found` as well.
 */
export const pages = <I extends z.ZodMiniType, F extends Fields = {}, M extends Fields = {}>(
  item: I,
  filters = {} as F,
  more = {} as M,
) =>
  ({
    query: z.partial(
      z.strictObject({
        cursor: described('`next` of the previous page; without it, the list begins.', text(512)),
        ...filters,
      }),
    ),
    reply: pageOf(item, more),
    errors: ['cursor-refused'],
  }) as const

/** A page with several lists has a prefix in its address for each. */
export const casePrefixes = { vouchers: 'voucher-', received: 'received-' } as const

/** Returns the parameters of one list in the query of an address, without the list's prefix. */
export const listParams = (search: string, prefix = ''): [string, string][] =>
  [...new URLSearchParams(search)]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value])

/** Rows on a page, unless the customer has chosen otherwise; not part of a request. */
export const defaultSize = String(limits.list.size)

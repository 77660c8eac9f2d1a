import { limits } from '../../contract/limits.ts'
import { SignatureProduct, SignatureSort } from '../../contract/signatures.ts'

export type SignatureFilters = {
  search?: string | undefined
  status?: 'active' | 'inactive' | undefined
  product?: SignatureProduct | undefined
  sort?: SignatureSort | undefined
}

/** Of the fields of the search, or of the address. */
export function filtersOf({ search, status, product, sort }: Record<string, unknown>): SignatureFilters {
  const order = SignatureSort.safeParse(sort).data
  return {
    search: typeof search === 'string' ? search.trim().slice(0, limits.text.search) : undefined,
    status: status === 'active' || status === 'inactive' ? status : undefined,
    product: SignatureProduct.safeParse(product).data,
    sort: order === 'urgency' ? undefined : order,
  }
}

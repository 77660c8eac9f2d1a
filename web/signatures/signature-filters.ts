import { limits } from '../../contract/limits.ts'
import { SignatureProduct, SignatureSort } from '../../contract/signatures.ts'
import { certificateFiltersOf } from '../certificates/certificate-filters.ts'

export type SignatureFilters = ReturnType<typeof filtersOf>

/** Of the fields of the search, or of the address. */
export function filtersOf({ search, sort, organisation, ...values }: Record<string, unknown>) {
  const order = SignatureSort.safeParse(sort).data
  return {
    search: typeof search === 'string' ? search.trim().slice(0, limits.text.search) : undefined,
    ...certificateFiltersOf(SignatureProduct.options, values),
    organisation: typeof organisation === 'string' ? organisation.slice(0, limits.text.described) : undefined,
    sort: order === 'urgency' ? undefined : order,
  }
}

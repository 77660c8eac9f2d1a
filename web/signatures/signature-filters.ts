import { SignatureProduct, SignatureSort } from '../../contract/signatures.ts'
import { certificateFiltersOf } from '../certificates/certificate-filters.ts'

export type SignatureFilters = ReturnType<typeof filtersOf>

/** Of the fields of the search, or of the address. */
export function filtersOf({ sort, ...values }: Record<string, unknown>) {
  const order = SignatureSort.safeParse(sort).data
  return {
    ...certificateFiltersOf(SignatureProduct.options, values),
    sort: order === 'urgency' ? undefined : order,
  }
}

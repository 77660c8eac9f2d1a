import type { ComponentProps } from 'react'
import type { Text } from '../../contract/enums.ts'
import { SignatureProduct, type SignatureSort } from '../../contract/signatures.ts'
import { certificateChoices, useOrganisationChoices } from '../certificates/certificate-filters.ts'
import { useText } from '../locale.tsx'
import { ListSearch } from '../list-search.tsx'
import { filtersOf, type SignatureFilters } from './signature-filters.ts'

const sortText: Record<SignatureSort, Text> = {
  urgency: { pl: 'Najpilniejsze', en: 'Most urgent' },
  'ends-first': { pl: 'Wygasające najwcześniej', en: 'Expiring first' },
  'ends-last': { pl: 'Wygasające najpóźniej', en: 'Expiring last' },
  newest: { pl: 'Od najnowszych', en: 'Newest' },
  name: { pl: 'Nazwa A–Z', en: 'Name A–Z' },
}

const choices = [
  ...certificateChoices(SignatureProduct.options),
  { name: 'sort', label: { pl: 'Kolejność', en: 'Sort by' }, texts: sortText },
]

type Props = {
  organisations: readonly string[] | undefined
  paged: ComponentProps<typeof ListSearch<SignatureFilters>>['paged']
}

/** Search, filters and order of the signatures. */
export function SignatureSearch({ organisations, paged }: Props) {
  const t = useText()
  return (
    <ListSearch
      searchLabel={t({ pl: 'Szukaj osoby lub firmy', en: 'Search for a person or company' })}
      paged={paged}
      choices={[...choices, ...useOrganisationChoices({ pl: 'Firma', en: 'Company' }, organisations)]}
      filtersOf={filtersOf}
    />
  )
}

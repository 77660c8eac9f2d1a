import type { Text } from '../../contract/enums.ts'
import type { SignatureProduct, SignatureSort } from '../../contract/signatures.ts'
import { useText } from '../locale.tsx'
import { ListSearch } from '../list-search.tsx'
import { filtersOf, type SignatureFilters } from './signature-filters.ts'

const statusText = {
  '': { pl: 'Wszystkie', en: 'All' },
  active: { pl: 'Aktywne', en: 'Active' },
  inactive: { pl: 'Nieaktywne', en: 'Inactive' },
}
/** Where the key is. */
const placeText: Record<SignatureProduct, Text> = {
  app: { pl: 'W\u00a0aplikacji', en: 'In the app' },
  card: { pl: 'Na karcie lub tokenie', en: 'On a card or token' },
  file: { pl: 'W\u00a0pliku', en: 'In a file' },
}
const sortText: Record<SignatureSort, Text> = {
  urgency: { pl: 'Najpilniejsze', en: 'Most urgent' },
  'ends-first': { pl: 'Koniec ważności od najbliższego', en: 'Earliest expiry' },
  'ends-last': { pl: 'Koniec ważności od najdalszego', en: 'Latest expiry' },
  newest: { pl: 'Od najnowszych', en: 'Newest' },
  name: { pl: 'Nazwa A–Z', en: 'Name A–Z' },
}

type Props = { filters: SignatureFilters; setFilters: (filters: SignatureFilters) => void }

/** Search, status, kind and order of the signatures. */
export function SignatureSearch({ filters, setFilters }: Props) {
  const t = useText()
  return (
    <ListSearch
      className="listtools"
      label={t({ pl: 'Szukaj osoby lub firmy', en: 'Search for a person or company' })}
      filters={filters}
      choice={{
        name: 'product',
        label: t({ pl: 'Rodzaj', en: 'Kind' }),
        value: filters.product,
        texts: { '': { pl: 'Wszystkie', en: 'All' }, ...placeText },
      }}
      statusLabel={t({ pl: 'Status', en: 'Status' })}
      statusText={statusText}
      sortText={sortText}
      onApply={(values) => setFilters(filtersOf(values))}
    />
  )
}

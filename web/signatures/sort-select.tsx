import { SignatureSort } from '../../contract/signatures.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../locale.tsx'
import { Select } from '../ui/select.tsx'

const sortText: Record<SignatureSort, Text> = {
  urgency: { pl: 'Najpilniejsze', en: 'Most urgent' },
  'ends-first': { pl: 'Koniec ważności od najbliższego', en: 'Earliest expiry' },
  'ends-last': { pl: 'Koniec ważności od najdalszego', en: 'Latest expiry' },
  newest: { pl: 'Od najnowszych', en: 'Newest' },
  name: { pl: 'Nazwa A–Z', en: 'Name A–Z' },
}

/** The order of the list; a chunk of its own, because short lists have no tools. */
export function SortSelect({ value, onChange }: { value: SignatureSort; onChange: (sort: SignatureSort) => void }) {
  const t = useText()
  const options = SignatureSort.options.map((sort) => ({ value: sort, label: t(sortText[sort]) }))
  return (
    <Select
      name="sort"
      label={t({ pl: 'Kolejność', en: 'Order' })}
      value={value}
      options={options}
      onChange={(sort) => onChange(SignatureSort.parse(sort))}
    />
  )
}

import { useState } from 'react'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { SealProduct } from '../../contract/seals.ts'
import { CertificateActivity, Period } from '../../contract/signatures-and-seals.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import { searchedOf, type Choice } from '../lists/list-search.tsx'
import { unbroken } from '../text/format.ts'
import { periodText } from '../text/period-text.ts'

type Product = SignatureProduct | SealProduct

const all = { pl: 'Wszystkie', en: 'All' }
const statusText = { active: { pl: 'Aktywne', en: 'Active' }, inactive: { pl: 'Nieaktywne', en: 'Inactive' } }
/** Texts for the place where the key is, by product. */
const placeText: Record<Product, Text> = {
  app: { pl: 'W\u00a0aplikacji', en: 'In the app' },
  card: { pl: 'Na karcie lub tokenie', en: 'On a card or token' },
  'psd2-card': { pl: 'PSD2 na karcie', en: 'PSD2 on a card' },
  file: { pl: 'W\u00a0pliku', en: 'In a file' },
}

const textsOf = <V extends string>(values: readonly V[], textOf: (value: V) => Text): Record<string, Text> =>
  Object.fromEntries(values.map((value) => [value, textOf(value)]))

/** Returns the filters of signatures and seals, in addition to the organisation (SIG-8, SEA-12). */
export const certificateChoices = (products: readonly Product[]): readonly Choice[] => [
  { name: 'status', label: { pl: 'Status', en: 'Status' }, texts: { '': all, ...statusText } },
  {
    name: 'product',
    label: { pl: 'Rodzaj', en: 'Type' },
    texts: { '': all, ...textsOf(products, (product) => placeText[product]) },
  },
  {
    name: 'period',
    label: { pl: 'Okres', en: 'Period' },
    texts: {
      '': all,
      ...textsOf(Period.options, (period) => ({ pl: periodText('pl', period), en: periodText('en', period) })),
    },
  },
]

/** Returns the filter by organisation, if there are several. */
export function useOrganisationChoices(label: Text, organisations: readonly string[] | undefined): readonly Choice[] {
  // While another list is read, the field stays, with the focus in it.
  const [known, setKnown] = useState(organisations ?? [])
  if (organisations && organisations !== known) setKnown(organisations)
  if (known.length < 2) return []
  const names = textsOf(known, (name) => ({ pl: unbroken(name), en: unbroken(name) }))
  return [{ name: 'organisation', label, texts: { '': all, ...names } }]
}

/** Reads these filters from a form or from the address, and ignores anything else in them. */
export const certificateFiltersOf = <P extends Product>(
  products: readonly P[],
  { status, product, period, organisation, ...searched }: Record<string, unknown>,
) => ({
  ...searchedOf(searched),
  status: CertificateActivity.safeParse(status).data,
  product: products.find((each) => each === product),
  period: Period.safeParse(period).data,
  organisation: typeof organisation === 'string' ? organisation.slice(0, limits.text.described) : undefined,
})

import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { keysOf, type Locale, type Text } from './enums.ts'
import { Instant, Uuid } from './fields.ts'
import { casePrefixes } from './list-pages.ts'
import type { PageName } from './pages.ts'
import { productPhrase } from './product-text.ts'
import { SealProduct } from './seals.ts'
import { SignatureProduct } from './signatures.ts'

/** `page` shows the object: under its id in the path, or in a list with the filter `filter`; without it, the history's own page does. */
type ObjectKind = { noun: Text; removed: Text; page?: PageName; filter?: string }

/** Kinds of objects in the history. An entry is about the first of these that it names; a feature's `historyObjects` finds the object. */
const kinds = {
  document: {
    noun: { pl: 'Sprawa', en: 'Case' },
    removed: { pl: 'Usunięta sprawa', en: 'Removed case' },
    page: 'documents',
    filter: 'id',
  },
  renewal: {
    noun: { pl: 'Podpis', en: 'Signature' },
    removed: { pl: 'Usunięty podpis', en: 'Removed signature' },
    page: 'renewal',
  },
  'voucher-case': {
    noun: { pl: 'Sprawa', en: 'Case' },
    removed: { pl: 'Usunięta sprawa', en: 'Removed case' },
    page: 'myCases',
    filter: `${casePrefixes.vouchers}id`,
  },
  signature: {
    noun: { pl: 'Podpis', en: 'Signature' },
    removed: { pl: 'Usunięty podpis', en: 'Removed signature' },
    page: 'signatures',
    filter: 'id',
  },
  seal: {
    noun: { pl: 'Pieczęć', en: 'Seal' },
    removed: { pl: 'Usunięta pieczęć', en: 'Removed seal' },
    page: 'seals',
    filter: 'id',
  },
  'timestamp-account': {
    noun: { pl: 'Konto', en: 'Account' },
    removed: { pl: 'Usunięte konto', en: 'Removed account' },
    page: 'timestamps',
    filter: 'id',
  },
  passkey: { noun: { pl: 'Klucz', en: 'Passkey' }, removed: { pl: 'Usunięty klucz', en: 'Removed passkey' } },
} satisfies Record<string, ObjectKind>

export type ActivityObjectKind = keyof typeof kinds
export const activityObjectKinds: Readonly<Record<ActivityObjectKind, ObjectKind>> = kinds

/** Objects that the provider can remove if they were filed by mistake (PRV-3), with what the history calls them. */
export const removableObjects = {
  signature: 'signature',
  seal: 'seal',
  'timestamp-account': 'timestamp-account',
  'timestamp-package': 'timestamp-account',
  'document-case': 'document',
} as const satisfies Record<string, ActivityObjectKind>
export type RemovableObject = keyof typeof removableObjects

export const ActivityObject = component(
  'ActivityObject',
  'What an entry of the history is about, as it is named now.',
  z.strictObject({
    kind: described('The kind of object.', z.enum(keysOf(kinds))),
    shown: described(
      'The object itself; null if it was removed.',
      z.nullable(
        z.strictObject({
          id: Uuid,
          name: described('What the customer calls it.', z.string()),
          product: described(
            'The product, for signatures, renewals and seals; null for others.',
            z.nullable(z.enum([...SignatureProduct.options, ...SealProduct.options])),
          ),
          validTo: described('Until when it is valid; null if it does not expire.', z.nullable(Instant)),
          person: described(
            'The other user of a seal, for its Administrator; null for others.',
            z.nullable(z.string()),
          ),
          isListed: described('Whether a page shows it to the customer.', z.boolean()),
        }),
      ),
    ),
  }),
)
export type ActivityObject = z.infer<typeof ActivityObject>

/**
 * Describes the object of a history entry: `Podpis w aplikacji mobilnej, Oliver Smith, do 20.11.2027`; `Sprawa W/2026/0944`. `day` formats
 * a date.
 */
export function activityObjectText(
  locale: Locale,
  { kind, shown }: ActivityObject,
  day: (instant: string) => string,
): string {
  const { noun, removed } = kinds[kind]
  if (!shown) return removed[locale]
  const { name, product, validTo, person } = shown
  if (!product) return `${noun[locale]} ${name}`
  return [
    person,
    `${noun[locale]} ${productPhrase[product][locale]}`,
    name,
    validTo && `${{ pl: 'do', en: 'until' }[locale]} ${day(validTo)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

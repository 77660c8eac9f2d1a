import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import type { Locale, Text } from './enums.ts'
import { Instant, Uuid } from './fields.ts'
import { productText } from './product-text.ts'
import { SealProduct } from './seals.ts'
import { SignatureProduct } from './signatures.ts'

export const ActivityObject = component(
  'ActivityObject',
  'What an entry of the history is about, as it is named now.',
  z.strictObject({
    kind: described(
      'The kind of object.',
      z.enum(['signature', 'renewal', 'seal', 'document', 'voucher-case', 'timestamp-account', 'passkey']),
    ),
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
export type ActivityObjectKind = ActivityObject['kind']

const nouns: Record<ActivityObjectKind, { noun: Text; removed: Text }> = {
  signature: { noun: { pl: 'Podpis', en: 'Signature' }, removed: { pl: 'Usunięty podpis', en: 'Removed signature' } },
  renewal: { noun: { pl: 'Podpis', en: 'Signature' }, removed: { pl: 'Usunięty podpis', en: 'Removed signature' } },
  seal: { noun: { pl: 'Pieczęć', en: 'Seal' }, removed: { pl: 'Usunięta pieczęć', en: 'Removed seal' } },
  document: { noun: { pl: 'Sprawa', en: 'Case' }, removed: { pl: 'Usunięta sprawa', en: 'Removed case' } },
  'voucher-case': { noun: { pl: 'Sprawa', en: 'Case' }, removed: { pl: 'Usunięta sprawa', en: 'Removed case' } },
  'timestamp-account': {
    noun: { pl: 'Konto', en: 'Account' },
    removed: { pl: 'Usunięte konto', en: 'Removed account' },
  },
  passkey: { noun: { pl: 'Klucz', en: 'Passkey' }, removed: { pl: 'Usunięty klucz', en: 'Removed passkey' } },
}

/**
 * Describes the object of a history entry: `Podpis w aplikacji mobilnej, Oliver Smith, do 20.11.2027`; `Sprawa W/2026/0944`. `day` formats
 * a date.
 */
export function activityObjectText(
  locale: Locale,
  { kind, shown }: ActivityObject,
  day: (instant: string) => string,
): string {
  const { noun, removed } = nouns[kind]
  if (!shown) return removed[locale]
  const { name, product, validTo, person } = shown
  if (!product) return `${noun[locale]} ${name}`
  return [
    person,
    `${noun[locale]} ${productText[product][locale]}`,
    name,
    validTo && `${{ pl: 'do', en: 'until' }[locale]} ${day(validTo)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

import type { IdentifierType, Locale, Text } from '../../contract/enums.ts'
import type { Db } from './database/database.ts'
import type { Keys } from './encryption/keys.ts'

export type ExportSource = { db: Db; keys: Keys; accountId: string }
export type ExportData = (source: ExportSource) => Promise<ExportedPart>

/** A feature's part of the copy of all data (DAT-6, R87): instants are `Date`, and secrets are left out. */
export type ExportedPart = {
  /** Its keys in the JSON file. */
  json: Record<string, unknown>
  /** The same for the PDF; what is longer than a page is in the JSON only. */
  sections: ExportedSection[]
}

/** A heading and its things, each a table of its own; `name` is left out where there is only one. */
export type ExportedSection = { title: Text; things: ExportedThing[] }
type ExportedThing = { name?: ExportedValue; rows: ExportedRow[] }
export type ExportedRow = readonly [label: Text, value: ExportedValue]
export type ExportedValue = Text | string | number | Date | null

/** A list: all of it in the JSON file, and what `describe` returns of each item in the PDF. */
export const exportedList = <Item>(
  key: string,
  title: Text,
  items: readonly Item[],
  describe: (item: Item) => ExportedThing | ExportedThing[],
): ExportedPart => ({ json: { [key]: items }, sections: [{ title, things: items.flatMap(describe) }] })

/** Labels that several sections have. */
export const labels = {
  validFrom: { pl: 'Ważność od', en: 'Valid from' },
  validTo: { pl: 'Ważność do', en: 'Valid until' },
  status: { pl: 'Status', en: 'Status' },
  organisation: { pl: 'Organizacja', en: 'Organisation' },
  paired: { pl: 'Aplikacja połączona', en: 'App connected' },
  created: { pl: 'Utworzono', en: 'Created' },
  changed: { pl: 'Zmieniono', en: 'Changed' },
  note: { pl: 'Uwaga dostawcy', en: 'Provider’s note' },
} as const satisfies Record<string, Text>

/** The parts that there are, with a blank between them. */
export const joined = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ')

/** By the clocks of Poland, as on every page of the portal. */
export const momentOf = (locale: Locale, at: Date): string =>
  new Intl.DateTimeFormat(locale === 'pl' ? 'pl-PL' : 'en-GB', {
    timeZone: 'Europe/Warsaw',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)

export const identifierText: Record<IdentifierType, Text> = {
  PNO: { pl: 'numer osobisty (PESEL)', en: 'personal number (PESEL)' },
  TIN: { pl: 'numer podatkowy', en: 'tax number' },
  PAS: { pl: 'paszport', en: 'passport' },
  IDC: { pl: 'dowód osobisty', en: 'identity card' },
  ECN: { pl: 'numer od dostawcy', en: 'provider’s number' },
}

export const languageText: Record<Locale, Text> = {
  pl: { pl: 'polski', en: 'Polish' },
  en: { pl: 'angielski', en: 'English' },
}

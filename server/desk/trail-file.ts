import { allAuditActions } from '../../contract/desk/all-audit-actions.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import type { Entry } from '../platform/audit/audit-newest.ts'
import { csvLines, csvOf, csvSeparator } from '../platform/http/csv.ts'

const heads: readonly Text[] = [
  { pl: 'Nr', en: 'No.' },
  { pl: 'Kiedy (UTC)', en: 'When (UTC)' },
  { pl: 'Działanie', en: 'Action' },
  { pl: 'Opis', en: 'Description' },
  { pl: 'Kto', en: 'Who' },
  { pl: 'Nazwa', en: 'Name' },
  { pl: 'Konto', en: 'Account' },
  { pl: 'Adres sieciowy', en: 'Network address' },
  { pl: 'Szczegóły', en: 'Details' },
]

const actionTexts: Record<string, Text> = allAuditActions

const rowOf = (locale: Locale, { position, at, action, actor, actorName, account, address, details }: Entry) => [
  String(position),
  at,
  action,
  actionTexts[action]?.[locale] ?? '',
  actor,
  actorName ?? '',
  account ?? '',
  address ?? '',
  JSON.stringify(details),
]

type Pages = AsyncIterable<readonly Entry[] | undefined>

/** The trail as a file that is written page by page, while it is sent (DSK-15). Its times are exact, unlike those of files for customers. */
export function trailFile(
  format: 'csv' | 'ndjson',
  locale: Locale,
): { type: string; text: (pages: Pages) => AsyncIterable<string> } {
  if (format === 'ndjson') return { type: 'application/x-ndjson', text: ndjsonOf }
  return { type: 'text/csv; charset=utf-8', text: (pages) => csvTextOf(pages, locale) }
}

async function* ndjsonOf(pages: Pages) {
  for await (const page of pages)
    yield wholePage(page)
      .map(({ cursor, ...entry }) => `${JSON.stringify({ ...entry, position: cursor })}\n`)
      .join('')
}

async function* csvTextOf(pages: Pages, locale: Locale) {
  const separator = csvSeparator[locale]
  yield csvOf([heads.map((head) => head[locale])], separator)
  for await (const page of pages)
    yield csvLines(
      wholePage(page).map((entry) => rowOf(locale, entry)),
      separator,
    )
}

/** The pages were counted before, and what a trail has is never less. */
function wholePage(page: readonly Entry[] | undefined): readonly Entry[] {
  if (!page) throw new Error('The file of the audit trail would not be whole.')
  return page
}

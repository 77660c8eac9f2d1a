import { sql, type RawBuilder } from 'kysely'

/** People type names in any case, without diacritics, and with plain spaces. */
const folded = (text: RawBuilder<unknown>) => sql`translate(lower(${text}), 'ąćęłńóśźż\u00a0', 'acelnoszz ')`

/** What was typed into a search field, as it is compared; undefined if it is empty. */
export const searchOf = (typed: string | undefined): string | undefined => typed?.trim().normalize('NFC') || undefined

/** Whether a text contains what is searched for. */
export const containsText = (text: RawBuilder<unknown>, search: string): RawBuilder<boolean> =>
  sql<boolean>`strpos(${folded(text)}, ${folded(sql`${search}::text`)}) > 0`

import { sql, type RawBuilder } from 'kysely'

/** Search of a list: for all words of a text, or for one object. */
export type Searched = { search?: string | undefined; id?: string | undefined }

/**
 * Returns the condition that a text contains all words that were typed, in any order (UIX-26). `folded` drops case and marks of both; the
 * planner folds the words once for all rows.
 */
export function wordsCondition(text: RawBuilder<unknown>, typed = ''): RawBuilder<boolean> {
  const words = typed.split(/\s+/).filter(Boolean)
  if (!words.length) return sql<boolean>`true`
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, String.raw`\$&`)}%`)
  return sql<boolean>`folded(${text}) like all (string_to_array(folded(${patterns.join(' ')}), ' '))`
}

/** Returns the condition that a row, by its id and its text, matches a search. */
export const searchCondition = ({ search, id }: Searched, idColumn: RawBuilder<unknown>, text: RawBuilder<unknown>) =>
  sql<boolean>`${wordsCondition(text, search)} and ${id ? sql`${idColumn} = ${id}` : sql`true`}`

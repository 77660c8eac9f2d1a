const summaries = new Map<string, string>()

/** The verb and the table of a statement. The texts come from the code, so their number is bounded. */
export function summaryOf(text: string): string {
  const known = summaries.get(text)
  if (known) return known
  const [verb, table] = (
    [
      ['insert', /\binsert into "?(\w+)/],
      ['delete', /\bdelete from "?(\w+)/],
      ['update', /\bupdate "?(\w+)"?(?: \w+)? set\b/],
      ['select', /\bfrom "?(\w+)/],
    ] as const
  )
    .map(([keyword, pattern]) => [keyword, pattern.exec(text)?.[1]] as const)
    .find(([, found]) => found) ?? [text.trim().split(/\W/, 1).join('')]
  const summary = [verb, table].filter(Boolean).join(' ')
  summaries.set(text, summary)
  return summary
}

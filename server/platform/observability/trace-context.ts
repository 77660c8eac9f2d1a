/** W3C Trace Context: to which trace of whose a request belongs. */
export type Parent = { traceId: string; id: string; isSampled: boolean }

const isNothing = (id: string) => /^0+$/.test(id)

/** W3C Trace Context §3.2; a version of the future is read as far as this one goes. */
export function parentOf(header: string | string[] | undefined): Parent | undefined {
  const read = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(String(header ?? ''))
  if (!read) return undefined
  const [, version, traceId, id, flags, more] = read as unknown as [string, string, string, string, string, string?]
  if (version === 'ff' || (version === '00' && more !== undefined) || isNothing(traceId) || isNothing(id))
    return undefined
  return { traceId, id, isSampled: (parseInt(flags, 16) & 1) === 1 }
}

export const traceparentOf = ({ traceId, id, isSampled }: Parent) => `00-${traceId}-${id}-${isSampled ? '01' : '00'}`

/** The last eight digits decide, which are random, so that every node keeps the same traces. */
export const isKept = (traceId: string, percent: number) => parseInt(traceId.slice(-8), 16) < (percent / 100) * 2 ** 32

const summaries = new Map<string, string>()

/** What a statement does and to which table; texts are the code's own, so their number is bounded. */
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
    .map(([word, pattern]) => [word, pattern.exec(text)?.[1]] as const)
    .find(([, found]) => found) ?? [text.trim().split(/\W/)[0]!]
  const summary = [verb, table].filter(Boolean).join(' ')
  summaries.set(text, summary)
  return summary
}

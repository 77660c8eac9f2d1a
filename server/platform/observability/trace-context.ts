/** W3C Trace Context: the trace and the span that a request belongs to. */
export type Parent = { traceId: string; id: string; isSampled: boolean }

const isZero = (id: string) => /^0+$/.test(id)

/** W3C Trace Context §3.2; of a future version only today's fields are read. */
export function parentOf(header: string | string[] | undefined): Parent | undefined {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(String(header ?? ''))
  if (!match) return undefined
  const [, version, traceId = '', id = '', flags = '', more] = match
  if (version === 'ff' || (version === '00' && more !== undefined) || isZero(traceId) || isZero(id)) return undefined
  return { traceId, id, isSampled: (parseInt(flags, 16) & 1) === 1 }
}

export const traceparentOf = ({ traceId, id, isSampled }: Parent) => `00-${traceId}-${id}-${isSampled ? '01' : '00'}`

/** The last eight digits are random and decide, so all nodes keep the same traces. */
export const isKept = (traceId: string, percent: number) => parseInt(traceId.slice(-8), 16) < (percent / 100) * 2 ** 32

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

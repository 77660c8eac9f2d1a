import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { checkSync } from 'recheck'
import type { ESTree } from 'vite'
import { findProblems, type Source } from './source-tree.ts'

// The checker also exists as a native and a Java program; its JavaScript gives the same verdicts everywhere.
process.env['RECHECK_SYNC_BACKEND'] = 'pure'

export type Verdicts = Record<string, string>

/** Steps decide, not times: on a busy machine a pattern would look slow that is not. */
const limits = { timeout: 120_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null }

/** `safe`, or what is wrong with a pattern. Polynomial time is refused too (R70). */
function judge(source: string, flags: string): string {
  const result = checkSync(source, flags, limits)
  if (result.status === 'safe') return 'safe'
  if (result.status === 'vulnerable') return `is slow (${result.complexity.summary}) on ${result.attack.pattern}`
  return `could not be judged (${result.error.kind})`
}

const textOf = (node: ESTree.Argument | undefined) =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

/** R70: every regular expression that external text may reach runs in linear time. Adds the verdicts that it needed to `used`. */
export const regexProblems = (sources: Source[], known: Verdicts = {}, used: Verdicts = {}) =>
  findProblems(sources, (report) => {
    const check = (offset: number, pattern: string, flags: string) => {
      const name = `/${pattern}/${flags}`
      const verdict = (used[name] ??= known[name] ?? judge(pattern, flags))
      if (verdict !== 'safe') report(offset, `${name} ${verdict}`)
    }
    const constructed = ({
      callee,
      arguments: [pattern, flags],
      start,
    }: ESTree.NewExpression | ESTree.CallExpression) => {
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
      const text = textOf(pattern)
      if (text === undefined) report(start, 'makes a regular expression from a value, which cannot be judged')
      else check(start, text, textOf(flags) ?? '')
    }
    return {
      Literal(node) {
        if ('regex' in node) check(node.start, node.regex.pattern, node.regex.flags)
      },
      NewExpression: constructed,
      CallExpression: constructed,
    }
  })

/** Keeps the verdicts that are still used, of one version of the checker, in a file, since a complex pattern takes a second to judge. */
export function withKeptVerdicts<T>(
  file: string,
  checker: string,
  judgeAll: (known: Verdicts, used: Verdicts) => T,
): T {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '{}'
  const kept = JSON.parse(before) as { checker?: string; verdicts?: Verdicts }
  const used: Verdicts = {}
  const result = judgeAll(kept.checker === checker ? (kept.verdicts ?? {}) : {}, used)
  const sorted = Object.fromEntries(Object.entries(used).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const after = `${JSON.stringify({ checker, verdicts: sorted }, null, 2)}\n`
  if (after !== before) writeFileSync(file, after)
  return result
}

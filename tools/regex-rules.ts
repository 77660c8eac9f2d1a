import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { checkSync } from 'recheck'
import { Visitor, type ESTree } from 'vite'
import { lineAt, syntaxTree, type Source } from './source-tree.ts'

// The checker also comes as a native program and as a Java one; its JavaScript is the same everywhere.
process.env['RECHECK_SYNC_BACKEND'] = 'pure'

type Pattern = { source: string; flags: string; line: number }

/** Every regular expression of a program; `unreadable` are lines where one is made from a value and cannot be judged. */
export function patternsOf(program: Source): { patterns: Pattern[]; unreadable: number[] } {
  const patterns: Pattern[] = []
  const unreadable: number[] = []
  const constructed = ({ callee, arguments: [source, flags], start }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
    const line = lineAt(program.text, start)
    const text = (node: ESTree.Argument | undefined) =>
      node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
    const pattern = text(source)
    if (pattern === undefined) unreadable.push(line)
    else patterns.push({ source: pattern, flags: text(flags) ?? '', line })
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node)
        patterns.push({ source: node.regex.pattern, flags: node.regex.flags, line: lineAt(program.text, node.start) })
    },
    NewExpression: constructed,
    CallExpression: constructed,
  }).visit(syntaxTree(program))
  return { patterns, unreadable }
}

export type Verdicts = Record<string, string>

/** `safe`, or what is wrong with a pattern. Polynomial counts as wrong too: R70 wants none. */
function judge({ source, flags }: Pattern): string {
  const result = checkSync(source, flags, { timeout: 120_000 })
  if (result.status === 'safe') return 'safe'
  if (result.status === 'vulnerable') return `is slow (${result.complexity.summary}) on ${result.attack.pattern}`
  return `could not be judged (${result.error.kind})`
}

/** R70: every regular expression that text from outside may meet runs in linear time. Adds what it judges to `verdicts`. */
export function regexProblems(sources: Source[], verdicts: Verdicts = {}): string[] {
  const problems: string[] = []
  for (const source of sources) {
    const { patterns, unreadable } = patternsOf(source)
    for (const line of unreadable)
      problems.push(`${source.path}:${line} makes a regular expression from a value, which cannot be judged`)
    for (const pattern of patterns) {
      const verdict = (verdicts[`/${pattern.source}/${pattern.flags}`] ??= judge(pattern))
      if (verdict !== 'safe')
        problems.push(`${source.path}:${pattern.line} /${pattern.source}/${pattern.flags} ${verdict}`)
    }
  }
  return problems
}

/**
 * Verdicts of earlier runs with the same version of the checker, in a file of the project: a hard pattern takes a second to
 * judge and never changes its nature.
 */
export function withKeptVerdicts<T>(file: string, checker: string, judgeAll: (verdicts: Verdicts) => T): T {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '{}'
  const kept = JSON.parse(before) as { checker?: string; verdicts?: Verdicts }
  const verdicts = kept.checker === checker ? (kept.verdicts ?? {}) : {}
  const result = judgeAll(verdicts)
  const sorted = Object.fromEntries(Object.entries(verdicts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const after = `${JSON.stringify({ checker, verdicts: sorted }, null, 2)}\n`
  if (after !== before) writeFileSync(file, after)
  return result
}

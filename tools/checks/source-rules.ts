import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { checkSync } from 'recheck'
import type { ESTree } from 'vite'
import { logFields, logMessages } from '../../server/platform/observability/log.ts'
import { findProblems, type Source } from './source-tree.ts'

// The checker also exists as a native and a Java program; its JavaScript gives the same verdicts everywhere.
process.env['RECHECK_SYNC_BACKEND'] = 'pure'

export type Verdicts = Record<string, string>

/** Steps decide, not times: on a busy machine a pattern would look slow that is not. */
const limits = { timeout: 120_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null }

/** Returns `safe`, or what is wrong with a pattern. Polynomial time is refused too (R70). */
function judge(source: string, flags: string): string {
  const result = checkSync(source, flags, limits)
  if (result.status === 'safe') return 'safe'
  if (result.status === 'vulnerable') return `is slow (${result.complexity.summary}) on ${result.attack.pattern}`
  return `could not be judged (${result.error.kind})`
}

const textOf = (node: ESTree.Argument | undefined) =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

/**
 * Finds regular expressions that external text may reach and that do not run in linear time (R70). Adds the verdicts that it needed to
 * `used`.
 */
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

const kebabCase =
  /^([a-z0-9]+(-[a-z0-9]+)*(\.(check|all))?(\.(test|d|config))?\.[a-z0-9]+|(NOTICE|LICENSE|README)(\.(txt|md))?)$/
/** Names that say nothing about what a file contains. */
const emptyNames = new Set(['index', 'utils', 'util', 'helpers', 'helper', 'types', 'common', 'misc', 'shared', 'lib'])

/** Finds everything that is wrong with the names of the given files (paths from the root). */
export function nameProblems(paths: string[]): string[] {
  const problems: string[] = []
  const seen = new Map<string, string>()
  for (const path of paths) {
    const [side, ...rest] = path.split('/') as [string, ...string[]]
    const name = posix.basename(path)
    // Served under the names that browsers and the specification require (`/error_bg.jpg`).
    if (path.startsWith('web/static/')) continue
    if (!kebabCase.test(name)) problems.push(`${path} is not kebab-case`)
    if (emptyNames.has(name.split('.')[0]!)) problems.push(`${path} has a meaningless name`)
    if (rest.length === 0) continue
    const before = seen.get(`${side}/${name}`)
    if (before) problems.push(`${path} has the same name as ${before}`)
    seen.set(`${side}/${name}`, path)
  }
  return problems
}

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
/** Checks whether a program may print, because an operator starts it. */
const mayPrint = (path: string) => path === 'server/main.ts' || path.startsWith('cli/')

const nameOf = (node: ESTree.Expression | ESTree.Super | undefined) =>
  node?.type === 'Identifier'
    ? node.name
    : node?.type === 'MemberExpression' && node.property.type === 'Identifier'
      ? node.property.name
      : undefined

/** Finds log entries with an unknown field or text, and output that bypasses the log (R86). */
export const logProblems = (sources: Source[]) =>
  findProblems(sources, (report, { path }) => {
    if (!/^(?:server|cli)\//.test(path)) return {}
    const readFields = (node: ESTree.Argument) => {
      if (node.type !== 'ObjectExpression') return report(node.start, 'logs what is not a list of fields')
      for (const property of node.properties) {
        const name =
          property.type === 'Property' && !property.computed && property.key.type === 'Identifier'
            ? property.key.name
            : '…'
        if (!logFields.includes(name)) report(property.start, `logs the unknown field ${name}`)
      }
    }
    const readMessage = (node: ESTree.Argument) => {
      const isConstant = node.type === 'Literal' && logMessages.includes(String(node.value))
      // All error codes are known.
      const isCode = node.type === 'MemberExpression' && nameOf(node) === 'code'
      if (!isConstant && !isCode) report(node.start, 'logs an unknown text')
    }
    return {
      CallExpression({ callee, arguments: given, start }) {
        if (callee.type !== 'MemberExpression') return
        const [object, method] = [nameOf(callee.object), nameOf(callee)]
        if (object === 'console' || (method === 'write' && /^std(?:out|err)$/.test(object ?? ''))) {
          if (!mayPrint(path)) report(start, 'writes past the log')
        } else if (object === 'log' && method === 'child') report(start, 'creates its own logger')
        else if (object === 'log' && levels.has(method ?? '')) {
          const fields = given[0]?.type === 'Literal' ? [] : given.slice(0, 1)
          fields.forEach(readFields)
          given.slice(fields.length).forEach(readMessage)
        }
      },
    }
  })

type LockedPackage = {
  /** Package name, only if it differs from the name of the folder. */
  name?: string
  resolved?: string
  integrity?: string | undefined
  link?: boolean
  hasInstallScript?: boolean
}

export type Lock = { lockfileVersion: number; packages: Record<string, LockedPackage> }

/** Packages that may run their install script; npm reads the same list. */
export type Manifest = { allowScripts: Record<string, boolean> }

/** SHA-512 in base64. */
const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/

/**
 * Finds what `npm ci` accepts in a lock and R88 does not: a package without a hash, from an address of its own or under the name of
 * another, and an install script that nobody has reviewed.
 */
export function lockfileProblems({ allowScripts }: Manifest, { lockfileVersion, packages }: Lock): string[] {
  // npm reads the packages of an older lock from another place.
  if (lockfileVersion !== 3) return [`package-lock.json has version ${lockfileVersion}; only version 3 is checked`]
  const problems: string[] = []
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '') continue
    if (!sha512.test(locked.integrity ?? '')) problems.push(`${path} has no SHA-512 hash`)
    if (locked.link || locked.resolved !== undefined) problems.push(`${path} has an address of its own`)
    if (locked.name !== undefined) problems.push(`${path} is another package, ${locked.name}`)
    if (locked.hasInstallScript && !Object.hasOwn(allowScripts, path.split('node_modules/').at(-1)!))
      problems.push(`${path} has an install script that is not in allowScripts`)
  }
  return problems
}

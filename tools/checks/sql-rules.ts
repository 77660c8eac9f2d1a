import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { ESTree } from 'vite'
import { findProblems, root, syntaxTree, type Source } from './source-tree.ts'

/** Beginning of a statement: enough to distinguish SQL from prose. */
const statement =
  /^\s*(select\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|merge\s+into\s|with\s+\w+\s+as\s|(create|alter|drop)\s+(table|role|database|schema|index|function|view|type)\s|(grant|revoke)\s|truncate\s|set\s+(role|local|session)\s|notify\s|listen\s)/i

const escapes = new Set(['escapeIdentifier', 'escapeLiteral'])
const rawTags = new Set(['raw', 'lit'])
const statementCall = /^(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto|query)$/

/**
 * Checks whether a file may contain SQL: in the folder of the feature that it belongs to, or in a room of the platform, but not in
 * adapters, checks and what starts a portal.
 */
const mayHoldSql = (path: string) => !path.startsWith('server/') || /^server\/(?!adapters|checks)[^/]+\//.test(path)

/** The tables of the platform. All others of the migrations belong to features, which alone name them. */
const platformTables = new Set(
  `accounts audit audit_default codes detached_chains devices discarded_files document_keys documents_store event_feed events idempotency links nodes outbox
  passkey_challenges passkeys provider_keys rate_limits secrets sessions staff_sessions step_ups`.split(/\s+/),
)
const featureTables = new Set(
  globSync(join(root, 'server/platform/database/migrations/*.sql'))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^create (?:unlogged )?table (\w+)/gm)])
    .map(([, table]) => table!)
    .filter((table) => !platformTables.has(table)),
)
/**
 * Checks whether a file may name tables of features. In the platform, only the feed of events may: it shows the objects of all features,
 * and is written by audit entries, which know no portal and no feature.
 */
const mayNameFeatures = (path: string) =>
  !path.startsWith('server/platform/') || path === 'server/platform/audit/provider-events-feed.ts'

/** Returns the names of the string constants that a file declares at its top level. */
function constantTexts(source: Source): Set<string> {
  const names = new Set<string>()
  for (const item of syntaxTree(source).body) {
    const declaration = item.type === 'ExportNamedDeclaration' ? item.declaration : item
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue
    for (const { id, init } of declaration.declarations)
      if (id.type === 'Identifier' && init?.type === 'Literal' && typeof init.value === 'string') names.add(id.name)
  }
  return names
}

/** Returns the parts of `a + b + c`. */
function addedTexts(node: ESTree.Expression): ESTree.Expression[] {
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return [node]
  return [...addedTexts(node.left), ...addedTexts(node.right)]
}

/**
 * Finds violations of R73: no statement is built from strings, each is in the folder of its feature, and the platform names no table of a
 * feature. Only `query()` runs them.
 */
export function sqlProblems(sources: Source[]): string[] {
  const constants = new Map(sources.map((source) => [source.path, constantTexts(source)]))
  return findProblems(sources, (report, source) => {
    const fixed = new Set(constants.get(source.path))
    const bound = new Set<ESTree.TemplateLiteral>()
    let sqlName = 'sql'

    const isFixed = (node: ESTree.Expression): boolean =>
      node.type === 'Literal' ||
      (node.type === 'Identifier' && fixed.has(node.name)) ||
      (node.type === 'CallExpression' &&
        node.callee.type === 'MemberExpression' &&
        node.callee.property.type === 'Identifier' &&
        escapes.has(node.callee.property.name))

    return {
      ImportDeclaration({ source: from, specifiers, importKind, start }) {
        const target = posix.join(posix.dirname(source.path), from.value)
        for (const specifier of specifiers) {
          if (specifier.type !== 'ImportSpecifier') continue
          const imported = specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value
          if (constants.get(target)?.has(imported)) fixed.add(specifier.local.name)
          const isSql = from.value === 'kysely' && imported === 'sql'
          const isColumn =
            target === 'server/platform/database/described-rows.ts' && ['column', 'decrypted'].includes(imported)
          if (importKind === 'type' || !(isSql || isColumn)) continue
          if (isSql) sqlName = specifier.local.name
          if (!mayHoldSql(source.path)) report(start, 'holds SQL outside the folder of a feature')
        }
      },
      TaggedTemplateExpression({ tag, quasi }) {
        if (tag.type !== 'Identifier' || tag.name !== sqlName) return
        bound.add(quasi)
        if (mayNameFeatures(source.path)) return
        for (const { value, start } of quasi.quasis)
          for (const [, table] of value.raw.matchAll(/\b(?:from|join|into|update)\s+(\w+)/g))
            if (table && featureTables.has(table)) report(start, `names ${table}, a table of a feature`)
      },
      CallExpression({ callee, arguments: args, start }) {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
        const { name } = callee.property
        if (statementCall.test(name) && !mayHoldSql(source.path))
          report(start, `calls ${name} outside the folder of a feature`)
        if (name === 'execute' && callee.object.type === 'TaggedTemplateExpression')
          report(start, 'runs a statement without query()')
        const first = args[0]
        if (
          rawTags.has(name) &&
          callee.object.type === 'Identifier' &&
          [sqlName, 'CompiledQuery'].includes(callee.object.name)
        )
          if (!first || first.type === 'SpreadElement' || !isFixed(first))
            report(start, `passes a value to ${callee.object.name}.${name}`)
      },
      TemplateLiteral(node) {
        const text = node.quasis.map(({ value }) => value.raw).join('value')
        if (!bound.has(node) && statement.test(text) && !node.expressions.every(isFixed))
          report(node.start, 'builds a statement from a value')
      },
      BinaryExpression(node) {
        const parts = addedTexts(node)
        const [first] = parts
        if (first?.type !== 'Literal' || typeof first.value !== 'string' || !statement.test(first.value)) return
        if (!parts.every(isFixed)) report(node.start, 'builds a statement by adding texts')
      },
    }
  })
}

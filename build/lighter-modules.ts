import type { ESTree, Plugin } from 'vite'
import { limits } from '../contract/limits.ts'

/** The fields of an endpoint that the browser's `call()` and `upload()` read; the others are for the server and for types. */
const kept = new Set(['stepUp', 'background', 'upload', 'kept'])

/**
 * Removes from the contract what the browser never runs: the schemas of endpoints, which only the server checks, and every
 * schema that no form uses, by marking them as free of side effects. This makes the login page a tenth smaller.
 */
export function contractForBrowser(): Plugin {
  return {
    name: 'contract-for-browser',
    apply: (_config, { isSsrBuild }) => !isSsrBuild,
    transform: {
      filter: { id: /\/contract\/(?:[\w-]+\/)*[\w-]+\.ts$/ },
      handler(code) {
        const edits = this.parse(code)
          .body.flatMap(declarationsOf)
          .flatMap(({ init }) => (init?.type === 'CallExpression' ? editsOf(init) : []))
        return { code: apply(code, edits), map: null }
      },
    },
  }
}

type Edit = { start: number; end: number; text: string }

const declarationsOf = (statement: ESTree.Directive | ESTree.Statement) => {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  return declared?.type === 'VariableDeclaration' ? declared.declarations : []
}

function editsOf({
  callee,
  arguments: [, , definition],
  start: callStart,
  end: callEnd,
}: ESTree.CallExpression): Edit[] {
  const isEndpoint = callee.type === 'Identifier' && callee.name === 'endpoint'
  const properties = isEndpoint && definition?.type === 'ObjectExpression' ? definition.properties : []
  // What several endpoints share and spread is a part of their schemas (endpoint.test.ts).
  const dropped = properties.filter(
    (property) =>
      property.type === 'SpreadElement' || (property.key.type === 'Identifier' && !kept.has(property.key.name)),
  )
  return [
    { start: callStart, end: callStart, text: '/* @__PURE__ */ (() => ' },
    // An empty spread in place of a property leaves no stray comma.
    ...dropped.map(({ start, end }) => ({ start, end, text: '...{}' })),
    { start: callEnd, end: callEnd, text: ')()' },
  ]
}

const apply = (code: string, edits: Edit[]) =>
  edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code)

/** Inlines the numbers of the specification where they are used, so that no page loads the others. */
export function limitsForBrowser(): Plugin {
  return {
    name: 'limits-for-browser',
    transform: {
      filter: { id: /\/(?:web|contract)\/[^?]+\.tsx?$/, code: /\blimits\./ },
      handler: (code) => ({
        code: code.replace(/(?<![\w./])limits((?:\.\w+)+)/g, (_, path: string) =>
          inline(limits, path.slice(1).split('.')),
        ),
        map: null,
      }),
    },
  }
}

/** `limits`, `['list', 'sizes', 'map']` → `[20,50,100].map`. */
function inline(part: unknown, [name, ...rest]: string[]): string {
  const plain = typeof part === 'number' || Array.isArray(part)
  if (!plain && name !== undefined && part) return inline((part as Record<string, unknown>)[name], rest)
  return [JSON.stringify(part), ...(name === undefined ? [] : [name, ...rest])].join('.')
}

/** Lets unused parts of react-router (its forms and fetchers) be dropped: their wrappers have no side effects. */
export function routerForBrowser(): Plugin {
  return {
    name: 'router-for-browser',
    transform: {
      filter: { id: /react-router\/dist\/production/ },
      handler: (code) => ({
        code: code
          .replace(/^\w+\.displayName = "\w+";$/gm, '')
          .replace(/= (React[\w$]*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1'),
        map: null,
      }),
    },
  }
}

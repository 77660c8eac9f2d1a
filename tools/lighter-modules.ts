import type { Plugin } from 'vite'
import { limits } from '../contract/limits.ts'

/** What the browser's `call()` and `upload()` read of an endpoint; the rest of it is the server's, and of types. */
const kept = new Set(['method', 'path', 'access', 'stepUp', 'background', 'upload'])

type Node = { type: string; start: number; end: number }
type Property = Node & { key: Node & { name?: string } }
type Call = Node & { callee: Node & { name?: string }; arguments: (Node & { properties?: Property[] })[] }
type Declaration = Node & { kind: string; declarations: (Node & { init: Call | null })[] }
type Statement = Node & { declaration?: Declaration | null }

/**
 * Takes out of the contract what the browser never runs: the schemas of endpoints, which the server checks by, and every
 * schema that no form uses, by marking them as free of side effects. The login page is a tenth lighter for it.
 */
export function contractForBrowser(): Plugin {
  return {
    name: 'contract-for-browser',
    apply: (_config, { isSsrBuild }) => !isSsrBuild,
    transform: {
      filter: { id: /\/contract\/[\w-]+\.ts$/ },
      handler(code) {
        const { body } = this.parse(code) as unknown as { body: Statement[] }
        const edits = body
          .flatMap(declarationsOf)
          .flatMap(({ init }) => (init?.type === 'CallExpression' ? editsOf(init) : []))
        return { code: apply(code, edits), map: null }
      },
    },
  }
}

type Edit = { start: number; end: number; text: string }

const declarationsOf = (statement: Statement) => {
  const declared = statement.declaration ?? (statement as unknown as Declaration)
  return declared.type === 'VariableDeclaration' ? declared.declarations : []
}

function editsOf(call: Call): Edit[] {
  const [definition] = call.arguments
  const dropped =
    call.callee.name === 'endpoint' ? (definition?.properties ?? []).filter(({ key }) => !kept.has(key.name ?? '')) : []
  return [
    { start: call.start, end: call.start, text: '/* @__PURE__ */ (() => ' },
    // Without a value a property is as good as gone, and no comma is left over.
    ...dropped.map(({ start, end }) => ({ start, end, text: '...{}' })),
    { start: call.end, end: call.end, text: ')()' },
  ]
}

const apply = (code: string, edits: Edit[]) =>
  edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code)

/** Puts the numbers of the specification where they are used, so that no page carries those it never needs. */
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

/** Lets the parts of react-router that nothing uses (its forms and fetchers) fall away: their wrapping has no side effects. */
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

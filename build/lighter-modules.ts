import type { ESTree, Plugin } from 'vite'
import type { Endpoint } from '../contract/endpoint.ts'
import { limits } from '../contract/limits.ts'

/** The fields of an endpoint that the browser's `call()` and `upload()` read; the others are for the server and for types. */
const browserFields: ReadonlySet<string> = new Set<keyof Endpoint>([
  'stepUp',
  'background',
  'upload',
  'offlineCopy',
  'idempotent',
])

/** Functions that add API documentation to a schema (contract/documented.ts). */
const documenting = new Set(['described', 'component'])

/**
 * Removes from the contract what the browser never runs: the schemas of endpoints, which only the server checks, what documents
 * others, and every schema that no form uses, by marking them as free of side effects. This makes the login page a tenth smaller.
 */
export function contractForBrowser(): Plugin {
  return {
    name: 'contract-for-browser',
    apply: (_config, { isSsrBuild }) => !isSsrBuild,
    transform: {
      filter: { id: /\/contract\/(?:[\w-]+\/)*[\w-]+\.ts$/ },
      handler(code) {
        const { body } = this.parse(code)
        const marks = body.flatMap(declarationsOf).flatMap(({ init }) => (init && isMade(init) ? marksOf(init) : []))
        const edits = [...removalsIn(body), ...marks]
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

/** Checks whether an expression is a call, such as one that makes a schema, or an object that contains one. */
const isMade = (init: ESTree.Expression): boolean =>
  init.type === 'CallExpression' ||
  (init.type === 'ObjectExpression' &&
    init.properties.some((property) => property.type === 'Property' && isMade(property.value)))

const marksOf = ({ start, end }: ESTree.Expression): Edit[] => [
  { start, end: start, text: '/* @__PURE__ */ (() => (' },
  { start: end, end, text: '))()' },
]

/**
 * Returns the edits that remove from a part of the syntax tree everything of an endpoint that the browser does not read, and the
 * documentation around a schema.
 */
function removalsIn(part: unknown): Edit[] {
  if (Array.isArray(part)) return part.flatMap(removalsIn)
  if (!isNode(part)) return []
  const { callee, arguments: given } = part.type === 'CallExpression' ? part : { arguments: [] }
  const name = callee?.type === 'Identifier' ? callee.name : ''
  if (name === 'endpoint') return removalsOfEndpoint(given[2])
  const schema = documenting.has(name) ? given.at(-1) : undefined
  if (!schema) return Object.values(part).flatMap(removalsIn)
  return [
    { start: part.start, end: schema.start, text: '' },
    ...removalsIn(schema),
    { start: schema.end, end: part.end, text: '' },
  ]
}

const isNode = (part: unknown): part is ESTree.Node => part instanceof Object && 'type' in part

function removalsOfEndpoint(definition: ESTree.Argument | undefined): Edit[] {
  const properties = definition?.type === 'ObjectExpression' ? definition.properties : []
  // What several endpoints share and spread is a part of their schemas (endpoint.check.test.ts).
  const dropped = properties.filter(
    (property) =>
      property.type === 'SpreadElement' ||
      (property.key.type === 'Identifier' && !browserFields.has(property.key.name)),
  )
  // An empty spread in place of a property leaves no stray comma.
  return dropped.map(({ start, end }) => ({ start, end, text: '...{}' }))
}

/** Applies edits from the end to the beginning, so that positions stay valid; at the same position removals come first. */
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
        code: code.replace(/(?<![\w./-])limits((?:\.\w+)+)/g, (_, path: string) =>
          inline(limits, path.slice(1).split('.')),
        ),
        map: null,
      }),
    },
  }
}

/** Inlines a value by its path: `limits`, `['list', 'sizes', 'map']` → `[20,50,100].map`. */
function inline(part: unknown, [name, ...rest]: string[]): string {
  const isPlain = typeof part === 'number' || Array.isArray(part)
  if (!isPlain && name !== undefined && part) return inline((part as Record<string, unknown>)[name], rest)
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

import type { ESTree } from 'vite'
import { logFields, logMessages } from '../../server/platform/observability/log.ts'
import { findProblems, type Source } from './source-tree.ts'

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
/** Programs that print to the operator who starts them. */
const mayPrint = (path: string) => path === 'server/main.ts' || path.startsWith('cli/')

const nameOf = (node: ESTree.Expression | ESTree.Super | undefined) =>
  node?.type === 'Identifier'
    ? node.name
    : node?.type === 'MemberExpression' && node.property.type === 'Identifier'
      ? node.property.name
      : undefined

/** R86: what is logged has known fields and a known text, and nothing is written past the log. */
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

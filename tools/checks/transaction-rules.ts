import type { ESTree } from 'vite'
import { findProblems, type Source } from './source-tree.ts'

type Fn = ESTree.Function | ESTree.ArrowFunctionExpression

const takesTx = ({ params }: Fn) => params.some((param) => param.type === 'Identifier' && param.name === 'tx')

/**
 * R114: a function that is given a transaction does not use the pool. What it reaches through a helper is refused at run time
 * (`server/platform/database/database.ts`).
 */
export const transactionProblems = (sources: Source[]) =>
  findProblems(sources, (report) => {
    let depth = 0
    const enter = (node: Fn) => void (depth += takesTx(node) ? 1 : 0)
    const exit = (node: Fn) => void (depth -= takesTx(node) ? 1 : 0)
    return {
      FunctionDeclaration: enter,
      FunctionExpression: enter,
      ArrowFunctionExpression: enter,
      'FunctionDeclaration:exit': exit,
      'FunctionExpression:exit': exit,
      'ArrowFunctionExpression:exit': exit,
      Identifier({ name, start }) {
        if (depth > 0 && name === 'db') report(start, 'uses the pool inside a transaction; use tx (R114)')
      },
    }
  })

import { Visitor, type ESTree } from 'vite'
import { isTest, isTestSupport, lineAt, syntaxTree, type Source } from './source-tree.ts'

type Fn = ESTree.Function | ESTree.ArrowFunctionExpression

/** `tx`, or `{ tx }` as the handler of an idempotent endpoint is given it. */
const isTx = (param: ESTree.ParamPattern): boolean =>
  param.type === 'ObjectPattern'
    ? param.properties.some(
        ({ type, value }) => type === 'Property' && value.type === 'Identifier' && value.name === 'tx',
      )
    : param.type === 'Identifier' && param.name === 'tx'

const takesTx = ({ params }: Fn) => params.some(isTx)

/**
 * R114: a function that is given a transaction does not use the pool. What it reaches by way of a helper is refused when it
 * runs (`server/db.ts`).
 */
export function transactionProblems(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => /^(?:server|cli)\//.test(path) && !isTest(path) && !isTestSupport(path))
    .flatMap(problemsOf)
}

function problemsOf(source: Source): string[] {
  const problems = new Set<string>()
  let inside = 0
  const enter = (node: Fn) => void (inside += takesTx(node) ? 1 : 0)
  const exit = (node: Fn) => void (inside -= takesTx(node) ? 1 : 0)
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    'FunctionDeclaration:exit': exit,
    'FunctionExpression:exit': exit,
    'ArrowFunctionExpression:exit': exit,
    Identifier({ name, start }) {
      if (inside && name === 'db')
        problems.add(`${source.path}:${lineAt(source.text, start)} uses the pool inside a transaction; use tx (R114)`)
    },
  }).visit(syntaxTree(source))
  return [...problems]
}

import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { ESTree } from 'vite'
import {
  findProblems,
  isInProduct,
  isProduct,
  isTest,
  isTestSupport,
  lineAt,
  root,
  type Source,
} from './source-tree.ts'

const below = 'contract/ pki/ paper/'
const productAndTools = `${below} server/ web/ provider/ cli/ build/ tools/ docs/ deploy/ .`
const sharedWeb = `styles app/config.ts calls/api.ts app offline calls art text ui lists toast bot-check phone step-up pdf-preview
  pairing service-authorisation consents certificates layouts`

const inFolder = (folder: string, names: string) => names.split(/\s+/).map((name) => posix.join(folder, name))
/** Returns rows for the rooms of a folder, lowest first: each imports those before it, and `others`. */
const layers = (folder: string, names: string, others = '') =>
  Object.fromEntries(
    inFolder(folder, names).map((room, i, all) => [room, [...all.slice(0, i), others].join(' ')] as const),
  )
const belowFeatures = `${below} server/platform/`
/** Returns the row of a server room that imports these others, and what is below all features. */
const serverRow = (names: string) => [belowFeatures, ...inFolder('server', names)].join(' ')

const belowWeb = 'contract/ pki/'
/** Returns the row of a browser feature that imports these others. */
const webRow = (names: string) => [belowWeb, ...inFolder('web', `${sharedWeb} ${names}`.trim())].join(' ')
/** The features that a feature of the browser may import. */
const webImports: Record<string, string> = {
  documents: 'file-signing',
  home: 'documents file-signing renewal status-requests',
  'personal-data': 'calendar phone-change',
  seals: 'status-requests',
  security: 'activity data-export passkeys',
  signatures: 'renewal status-requests',
  'status-requests': 'account',
  vouchers: 'documents',
}

/** The features that a feature of the server may import. */
const featureImports: Record<string, string> = {
  account: 'personal-data registration',
  customers: 'certificates personal-data registration',
  desk: 'account certificates client-keys customers documents personal-data registration renewal seals signatures software vouchers webhooks',
  documents: 'certificates service-authorisation',
  'file-signing': 'certificates service-authorisation',
  pairing: 'certificates',
  'phone-change': 'personal-data',
  registration: 'personal-data',
  renewal: 'certificates personal-data service-authorisation vouchers',
  seals: 'certificates pairing registration',
  signatures: 'certificates pairing personal-data renewal',
  'status-requests': 'personal-data seals signatures',
}

/**
 * Imports allowed to each room besides itself; docs/guides/house.md explains them. A room is a folder, or a file that has a row. `pki`
 * means the files of that folder, `pki/` also everything below it, and a row `pki/*` is for its rooms that have none.
 */
const rooms: Record<string, string> = {
  'contract/*': 'contract/',
  'paper/*': 'paper/',
  'provider/*': below,
  ...layers(
    'provider',
    '. authority signing-service timestamp-service agreements staff-login back-office demonstration',
    below,
  ),
  ...layers('pki', '. runtime asn1 trusted-lists pdf timestamps pades'),

  ...layers(
    'server/platform',
    `http-clients.ts api-error.ts settings.ts ports.ts observability jobs encryption database brand rate-limits audit
    encrypted-data exported-data.ts messages configuration files pdf portal.ts authentication http openapi pages operations`,
    below,
  ),
  // Adapters, and features that import no other one.
  'server/*': belowFeatures,
  ...Object.fromEntries(Object.entries(featureImports).map(([name, others]) => [`server/${name}`, serverRow(others)])),
  'server/checks': serverRow('adapters'),
  'server/demonstration': `${serverRow('adapters client-keys')} provider/`,
  server: `${below} server/ !server/adapters !server/checks !server/demonstration !server/run-portal.ts !server/main.ts`,
  'server/run-portal.ts': `${below} server/ !server/main.ts`,
  'server/main.ts': `${below} server/`,

  ...layers('web', sharedWeb, belowWeb),
  // What puts the rooms together.
  'web/start': `${belowWeb} web/`,
  'web/*': webRow(''),
  ...Object.fromEntries(Object.entries(webImports).map(([name, others]) => [`web/${name}`, webRow(others)])),

  // The command works on the database itself where no node needs to run, and for the first key of the provider API.
  'cli/*': 'cli/ contract/ server/platform/ server/client-keys server/checks',
  'build/*': 'build/ contract/ web/ server/',
  'e2e/*': `${productAndTools} e2e/`,
  'bench/*': `${productAndTools} bench/`,
  'drills/*': `${productAndTools} drills/ bench/`,
  'release/*': `${productAndTools} release/`,
  'tools/*': productAndTools,
  '.': productAndTools,
}
/** Further imports allowed to tests, besides everything on their side: adapters, the app and the real embedded provider. */
const roomsOfTests: Record<string, string> = {
  server: 'server/ provider/ docs/examples/',
  cli: 'server/adapters/loopback/',
}
/** Tests of every folder ask this file how much to do. */
const breadth = 'server/testing/breadth.ts'

const sideOf = (path: string) => path.split('/')[0]!

function roomOf(path: string) {
  if (path in rooms) return path
  const folders = posix.dirname(path).split('/')
  return folders.slice(0, folders[1] === 'platform' ? 3 : 2).join('/')
}

function mayImport(from: string, target: string): boolean {
  const [side, room, targetRoom] = [sideOf(from), roomOf(from), roomOf(target)]
  const allows = (row = '') => {
    const entries = row.split(' ')
    const isIn = (entry: string) => entry === targetRoom || (entry.endsWith('/') && target.startsWith(entry))
    return entries.some(isIn) && !entries.includes(`!${targetRoom}`)
  }
  // Everything in e2e is for tests; benchmarks use the same harness.
  const inTests = isTest(from) || isTestSupport(from) || /^(e2e|bench|drills)\//.test(from)
  const sameSide = side === sideOf(target)
  if (isTest(target)) return false
  if (isTestSupport(target))
    return (inTests && (sameSide || !['contract', 'pki'].includes(side))) || (isTest(from) && target === breadth)
  if (inTests && (sameSide || allows(roomsOfTests[side]))) return true
  // A room of the platform without a place in the order imports no other one.
  const row = rooms[room] ?? (room.startsWith('server/platform') ? below : rooms[`${side}/*`])
  return room === targetRoom || allows(row)
}

/** Files that browsers get for the `imports` of package.json; Node gets the same exports. */
const runtimes: Partial<Record<string, string>> = {
  '#runtime': 'pki/runtime/web-runtime.ts',
  '#public-keys': 'pki/runtime/web-public-keys.ts',
}

/**
 * Checks whether the contract may import a package. One of its files validates phone numbers, so that browser and server use the same
 * library.
 */
const isOfContract = (path: string, name: string) =>
  name === 'zod/mini' || (path === 'contract/rules/phone.ts' && name.startsWith('libphonenumber-js/'))

type Import =
  | ESTree.ImportDeclaration
  | ESTree.ExportNamedDeclaration
  | ESTree.ExportAllDeclaration
  | ESTree.ImportExpression

/** Finds everything wrong with what the given programs import: static, dynamic and re-exported, types too. */
export function importProblems(sources: Source[]): string[] {
  /** The files and packages that each program imports at run time, with the line. */
  const graph = new Map<string, { target: string; line: number }[]>()
  const problems = findProblems(sources, (report, { path, text }) => {
    const atRunTime: { target: string; line: number }[] = []
    graph.set(path, atRunTime)
    const read = (node: Import) => {
      if (!node.source) return
      const refuse = (problem: string) => report(node.start, problem)
      if (node.source.type !== 'Literal') {
        // The renderer is what the build has made of `web/` (decision 0107).
        if (isInProduct(path) && path !== 'server/platform/pages/page-documents.ts')
          refuse('imports a computed path, which no rule can check')
        return
      }
      const name = String(node.source.value)
      const relative = name.startsWith('.') && posix.join(posix.dirname(path), name.replace(/\?.*$/, ''))
      const file = runtimes[name] ?? relative
      const kind = 'importKind' in node ? node.importKind : 'exportKind' in node && node.exportKind
      if (kind !== 'type') atRunTime.push({ target: file || name, line: lineAt(text, node.start) })
      if (!file) {
        if (sideOf(path) === 'contract' && !isTest(path) && !isOfContract(path, name))
          refuse(`imports ${name}; contract imports only zod/mini`)
      } else if (!existsSync(join(root, file))) refuse(`imports ${name}, which is not a file (with its suffix)`)
      else if (!mayImport(path, file)) refuse(`may not import ${file}`)
    }
    return { ImportDeclaration: read, ExportNamedDeclaration: read, ExportAllDeclaration: read, ImportExpression: read }
  })
  // Browser code reaches nothing that needs Node, directly or through other files.
  const inBrowser = new Map<string, string>()
  for (const source of sources)
    if (isProduct(source) && sideOf(source.path) === 'web') inBrowser.set(source.path, source.path)
  for (const [path, chain] of inBrowser)
    for (const { target, line } of graph.get(path) ?? [])
      if (target.startsWith('node:'))
        problems.push(`${path}:${line} imports ${target} and runs in the browser: ${chain}`)
      else if (!inBrowser.has(target)) inBrowser.set(target, `${chain} → ${target}`)
  return problems
}

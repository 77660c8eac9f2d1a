import { posix } from 'node:path'
import { Visitor, type ESTree } from 'vite'
import { isTest, isTestSupport, lineAt, syntaxTree, type Source } from './source-tree.ts'

type Import = { specifier: string; offset: number; typeOnly: boolean }

/** What a program imports: static, dynamic and re-exported, types too. A computed `import()` has no specifier. */
function importsOf(source: Source): { imports: Import[]; computed: number[] } {
  const imports: Import[] = []
  const computed: number[] = []
  const add = (from: ESTree.StringLiteral | null, offset: number, kind: string | null | undefined) => {
    if (from) imports.push({ specifier: from.value, offset, typeOnly: kind === 'type' })
  }
  new Visitor({
    ImportDeclaration: ({ source: from, start, importKind }) => add(from, start, importKind),
    ExportNamedDeclaration: ({ source: from, start, exportKind }) => add(from, start, exportKind),
    ExportAllDeclaration: ({ source: from, start, exportKind }) => add(from, start, exportKind),
    ImportExpression({ source: from, start }) {
      if (from.type === 'Literal' && typeof from.value === 'string') add(from, start, undefined)
      else computed.push(start)
    },
  }).visit(syntaxTree(source))
  return { imports, computed }
}

const folderOf = (path: string) => posix.dirname(path)
const sideOf = (path: string) => path.split('/')[0]!
/** The second folder: `renewal` of `server/renewal/renewal.ts`, undefined for `server/app.ts`. */
const roomOf = (path: string) => (path.split('/').length > 2 ? path.split('/')[1]! : undefined)

/** The rooms and single files of server/platform, lowest first: each imports only those before it. */
export const platformRooms = [
  'http-clients.ts',
  'api-error.ts',
  'settings.ts',
  'ports.ts',
  'observability',
  'jobs',
  'encryption',
  'database',
  'exported-data.ts',
  'brand',
  'rate-limits',
  'audit',
  'encrypted-data',
  'messages',
  'configuration',
  'files',
  'pdf',
  'portal.ts',
  'authentication',
  'http',
  'operations',
]
/** Folders of server/ that are not features. */
const notFeatures = new Set([undefined, 'platform', 'adapters', 'checks', 'demonstration', 'testing', 'tests'])
/** The features that a feature of the server may import. docs/guides/house.md shows the same list. */
export const featureImports: Record<string, readonly string[]> = {
  account: ['personal-data', 'registration'],
  customers: ['registration', 'personal-data'],
  desk: [
    'account',
    'client-keys',
    'customers',
    'documents',
    'personal-data',
    'registration',
    'renewal',
    'seals',
    'signatures',
    'software',
    'vouchers',
    'webhooks',
  ],
  documents: ['signing'],
  'file-signing': ['signing'],
  'phone-change': ['personal-data'],
  registration: ['personal-data'],
  renewal: ['personal-data', 'signing', 'vouchers'],
  seals: ['pairing', 'registration'],
  signatures: ['pairing', 'personal-data', 'renewal'],
  'status-requests': ['personal-data', 'seals', 'signatures'],
}
/** The rooms of provider/, lowest first. */
const providerRooms = [
  undefined,
  'authority',
  'signing-service',
  'timestamp-service',
  'agreements',
  'staff-login',
  'back-office',
  'demonstration',
]
/** The rooms of pki/, lowest first. */
const pkiRooms = [undefined, 'runtime', 'asn1', 'trusted-lists', 'pdf', 'timestamps', 'pades']
/** The rooms of web/ below the features, lowest first; files directly in web/ are the application's frame. */
const webRooms = [
  'art',
  'text',
  'ui',
  'toast',
  'bot-check',
  'phone',
  'step-up',
  'pdf-preview',
  'pairing',
  'signing',
  'consents',
  'certificates',
  'offline',
  'layouts',
]

const isEntry = (path: string) => ['server/main.ts', 'server/run-portal.ts'].includes(path)

/** Whether both are rooms of an ordered list, and `target` is not above `from`. */
const pointsDownward = (order: readonly (string | undefined)[], from: string | undefined, target: string | undefined) =>
  order.indexOf(target) <= order.indexOf(from) && order.includes(target)

function mayImportWithinServer(from: string, target: string) {
  const [room, targetRoom] = [roomOf(from), roomOf(target)]
  if (isEntry(from)) return !isEntry(target) || from === 'server/main.ts'
  if (isEntry(target)) return false
  if (room === 'platform')
    return targetRoom === room && pointsDownward(platformRooms, from.split('/')[2], target.split('/')[2])
  if (targetRoom === 'platform') return true
  if (room === 'adapters') return targetRoom === 'adapters'
  if (room === 'checks') return ['checks', 'adapters'].includes(targetRoom ?? '')
  if (room === 'demonstration') return ['demonstration', 'adapters', 'client-keys'].includes(targetRoom ?? '')
  if (notFeatures.has(targetRoom)) return false
  return room === undefined || room === targetRoom || featureImports[room]?.includes(targetRoom!) === true
}

function mayImportWithinWeb(from: string, target: string) {
  const [room, targetRoom] = [roomOf(from), roomOf(target)]
  if (room === undefined || targetRoom === undefined || room === targetRoom || targetRoom === 'styles') return true
  return webRooms.includes(targetRoom) && (!webRooms.includes(room) || pointsDownward(webRooms, room, targetRoom))
}

/** The rule for programs that are neither tests nor made for tests. */
function productMayImport(from: string, target: string): boolean {
  const [side, targetSide] = [sideOf(from), sideOf(target)]
  if (side === 'contract') return targetSide === 'contract'
  if (side === 'pki') return targetSide === 'pki' && pointsDownward(pkiRooms, roomOf(from), roomOf(target))
  if (side === 'paper') return targetSide === 'paper'
  if (side === 'provider')
    return (
      ['pki', 'paper', 'contract'].includes(targetSide) ||
      (targetSide === 'provider' && pointsDownward(providerRooms, roomOf(from), roomOf(target)))
    )
  if (side === 'server') {
    if (targetSide === 'provider') return roomOf(from) === 'demonstration'
    return (
      ['contract', 'pki', 'paper'].includes(targetSide) ||
      (targetSide === 'server' && mayImportWithinServer(from, target))
    )
  }
  if (side === 'web')
    return ['contract', 'pki'].includes(targetSide) || (targetSide === 'web' && mayImportWithinWeb(from, target))
  // The command works on the database itself where no node needs to run, and for the first key of the provider API.
  if (side === 'cli')
    return ['cli', 'contract'].includes(targetSide) || /^server\/(platform|client-keys|checks)\//.test(target)
  if (side === 'build') return ['build', 'contract', 'web', 'server'].includes(targetSide)
  // e2e, bench, drills, release, tools and the files at the root import the product, not the reverse.
  return (
    targetSide === side ||
    ['tools', 'build'].includes(targetSide) ||
    !['e2e', 'bench', 'drills', 'release'].includes(targetSide) ||
    (side === 'drills' && targetSide === 'bench')
  )
}

/** Beyond the rule for products: tests use adapters, the app and the embedded provider for real. */
function testMayImport(from: string, target: string): boolean {
  // The command talks to the same services on loopback as the adapters do in their tests.
  if (sideOf(from) === 'cli') return target.startsWith('server/adapters/loopback/')
  if (sideOf(from) !== 'server') return false
  return (
    sideOf(target) === 'provider' ||
    sideOf(target) === 'server' ||
    // Examples that guides offer for copying are tested.
    target.startsWith('docs/examples/')
  )
}

/** Tests of every folder ask this file how much to do. */
const breadth = 'server/testing/breadth.ts'

/** Who may import whom. Both are paths from the root; docs/guides/house.md shows the layers. */
export function mayImport(from: string, target: string): boolean {
  if (isTest(target)) return false
  // Everything in e2e is for tests; benchmarks and screenshots use the same harness.
  const usesHarness = ['e2e', 'bench', 'drills'].includes(sideOf(from)) || from.startsWith('tools/screens/')
  const inTests = isTest(from) || isTestSupport(from) || usesHarness
  if (isTest(from) && target === breadth) return true
  if (isTestSupport(target))
    return inTests && (sideOf(from) === sideOf(target) || !['contract', 'pki'].includes(sideOf(from)))
  return (
    productMayImport(from, target) ||
    (inTests && testMayImport(from, target)) ||
    (inTests && sideOf(from) === sideOf(target))
  )
}

/** What Node and browsers do differently, by the `imports` of package.json. */
const runtimes: Partial<Record<string, string>> = {
  '#runtime': 'pki/runtime/web-runtime.ts',
  '#public-keys': 'pki/runtime/web-public-keys.ts',
}

const runsInBrowser = (path: string) => sideOf(path) === 'web' && !isTest(path) && !isTestSupport(path)

/** One file of the contract validates phone numbers, so that browser and server use the same library. */
const readsPhones = (path: string, specifier: string) =>
  path === 'contract/rules/phone.ts' && specifier.startsWith('libphonenumber-js/')

/** Everything wrong with the imports of the given programs. `exists` returns whether a path from the root is a file. */
export function importProblems(sources: Source[], exists: (path: string) => boolean): string[] {
  const problems: string[] = []
  /** What each program imports at run time. */
  const graph = new Map<string, string[]>()
  const needsNode = new Map<string, string>()
  for (const source of sources) {
    const { path, text } = source
    const { imports, computed } = importsOf(source)
    const targets: string[] = []
    for (const offset of computed)
      // The renderer is what the build has made of `web/` (decision 0107).
      if (
        /^(contract|server|web|pki|provider|paper|cli)\//.test(path) &&
        path !== 'server/platform/http/page-documents.ts'
      )
        problems.push(`${path}:${lineAt(text, offset)} imports a computed path, which no rule can check`)
    for (const { specifier, offset, typeOnly } of imports) {
      const line = lineAt(text, offset)
      if (specifier.startsWith('node:') && !typeOnly) needsNode.set(path, specifier)
      const runtime = runtimes[specifier]
      if (!specifier.startsWith('.') && !runtime) {
        if (sideOf(path) === 'contract' && !isTest(path) && specifier !== 'zod/mini' && !readsPhones(path, specifier))
          problems.push(`${path}:${line} imports ${specifier}; contract imports only zod/mini`)
        continue
      }
      // What browsers get is checked; Node gets the same exports.
      const target = runtime ?? posix.join(folderOf(path), specifier.replace(/\?.*$/, ''))
      if (!/\.[a-z0-9]+$/.test(target) || !exists(target))
        problems.push(`${path}:${line} imports ${specifier}, which is not a file (with its suffix)`)
      else if (!mayImport(path, target)) problems.push(`${path}:${line} may not import ${target}`)
      else if (!typeOnly) targets.push(target)
    }
    graph.set(path, targets)
  }
  // Browser code reaches nothing that needs Node, directly or through other files.
  for (const start of [...graph.keys()].filter(runsInBrowser)) {
    const path = pathToNode(start, graph, needsNode)
    if (path)
      problems.push(`${path.join(' → ')} runs in the browser and imports ${needsNode.get(path.at(-1) ?? start)}`)
  }
  return problems
}

/** The imports that lead from a file to one that needs Node, except through other browser code, which has its own. */
function pathToNode(
  from: string,
  graph: Map<string, string[]>,
  needsNode: Map<string, string>,
  seen = new Set<string>(),
): string[] | undefined {
  if (seen.has(from)) return
  seen.add(from)
  if (needsNode.has(from)) return [from]
  for (const target of graph.get(from) ?? []) {
    const rest = runsInBrowser(target) ? undefined : pathToNode(target, graph, needsNode, seen)
    if (rest) return [from, ...rest]
  }
}

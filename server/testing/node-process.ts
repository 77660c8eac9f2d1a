import type { AddressInfo } from 'node:net'
import type { HashCost } from '../platform/authentication/password-hash.ts'
import type { Trust } from '../platform/pdf/pdf-work.ts'
import type { PasswordHasher, Portal } from '../platform/portal.ts'
import type { Ports } from '../platform/ports.ts'
import type { Settings } from '../platform/settings.ts'
import type { KillPoint } from './faults/kill-point.ts'

/** The options of a node's process, as `openProcess` sends them. */
export type NodeProcess = {
  skewMs: number
  /** The seconds that pass on the process's clock in one real second. */
  speed: number
  databaseUrl: string
  masterKey: Uint8Array
  settings: Omit<Settings, 'hosts'>
  cost: HashCost
  /** The folder of the documents and the trust anchors for signatures on them; without it the node has no documents. */
  documents: { folder: string; trust: Trust } | undefined
  /** The point at which the process is killed. */
  kill: KillPoint | undefined
}

/** A request to a process. `checks`: the passwords checked so far; `memory`: in bytes; `jump-back`: set the clock back by an hour. */
export type NodeRequest = 'checks' | 'memory' | 'jump-back' | 'loop-delay' | 'loop-cpu'

const options = await new Promise<NodeProcess>((resolve) => process.once('message', resolve))
const { skewMs, speed, databaseUrl, masterKey, settings, cost, documents, kill } = options
const trueNow = Date.now
const trueElapsed = performance.now.bind(performance)
const [begunAt, begun] = [trueNow(), trueElapsed()]
let off = skewMs
const wrongNow = () => Math.round(begunAt + off + (trueNow() - begunAt) * speed)

// Changes only the clock of this process, before it loads any module of the portal.
if (skewMs || speed !== 1) {
  performance.now = () => begun + (trueElapsed() - begun) * speed
  globalThis.Date = class extends Date {
    constructor(...given: []) {
      super(...((given.length ? given : [wrongNow()]) as []))
    }
    static override now() {
      return wrongNow()
    }
  } as DateConstructor
}

if (kill) (await import('./faults/kill-point.ts')).killAt(kill)

const { buildApp } = await import('../app.ts')
const { features } = await import('../features.ts')
const { connect } = await import('../platform/database/database.ts')
const { readKeys } = await import('../platform/encrypted-data/open-keys.ts')
const { openPasswordHasher } = await import('../platform/authentication/password-hash.ts')

const { openPdfWork } = await import('../platform/pdf/pdf-work.ts')
const { documentsOnDisk } = await import('../adapters/documents-disk.ts')
const { verificationBuiltIn } = await import('../adapters/verification-built-in.ts')
const { plainPorts, watchLoop } = await import('./node-parts.ts')
const { encryptedDocuments } = await import('../platform/files/encrypted-documents.ts')
const { webhooksByHttp } = await import('../adapters/webhooks-http.ts')

const unused = () => Promise.reject(new Error('not available in this node'))
const keys = await readKeys(databaseUrl, [Buffer.from(masterKey)])
const { db } = connect(databaseUrl, { auditKey: keys.audit })
const pdfWork = openPdfWork()
const ports: Ports = {
  mail: { send: unused, close: unused },
  sms: { send: unused },
  ...plainPorts,
  documents: documents
    ? encryptedDocuments(db, keys, documentsOnDisk(documents.folder))
    : { write: unused, read: unused, remove: unused, removeUnfinished: unused },
  verification: documents ? verificationBuiltIn(pdfWork, async () => documents.trust) : { verify: unused },
  remoteSigning: undefined,
  timestamps: undefined,
  webhooks: webhooksByHttp,
  trustedLists: undefined,
}
const own = await openPasswordHasher(keys.pepper, cost)
let checks = 0
const hasher: PasswordHasher = {
  ...own,
  verify: async (encoded, password) => {
    const fits = await own.verify(encoded, password)
    checks++
    return fits
  },
}
const hosts: string[] = []
const portal: Portal = { db, features, ports, hasher, keys, pdfWork, settings: { ...settings, hosts } }
const app = await buildApp(portal)
await app.listen({ port: 0, host: '127.0.0.1', backlog: 2048 })
hosts.push(`127.0.0.1:${(app.server.address() as AddressInfo).port}`)
process.send!({ origin: `http://${hosts[0]}`, clock: new Date().getTime() })

const loop = watchLoop()
const answers: Record<NodeRequest, () => number | Promise<number>> = {
  checks: () => checks,
  memory: () => process.memoryUsage.rss(),
  'jump-back': () => {
    off -= 3_600_000
    return Date.now()
  },
  'loop-delay': () => loop.delay,
  'loop-cpu': () => loop.cpu,
}
process.on('message', (name: NodeRequest) => {
  void Promise.resolve(answers[name]()).then((answer) => process.send!([name, answer]))
})
process.once('disconnect', () => process.exit())

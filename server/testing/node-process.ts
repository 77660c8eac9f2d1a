import type { AddressInfo } from 'node:net'
import type { PasswordHasher, HashCost } from '../password-hash.ts'
import type { Trust } from '../pdf-work.ts'
import type { Portal, Settings } from '../portal.ts'
import type { Ports } from '../ports/ports.ts'
import type { CscService } from '../ports/remote-signing-csc.ts'
import type { KillPoint } from './kill-point.ts'

/** What `openProcess` hands over. */
export type NodeProcess = {
  skewMs: number
  /** How many seconds pass on its clock while one passes. */
  speed: number
  databaseUrl: string
  connections: number
  masterKey: Uint8Array
  settings: Omit<Settings, 'hosts'>
  cost: HashCost
  /** Where documents are, and whose signatures on them count; without it the node has none. */
  documents: { folder: string; trust: Trust } | undefined
  /** Where it lets documents be signed; without it nowhere. */
  signing: { service: CscService; tsa: { url: string; login: string; password: string } } | undefined
  /** Where the process ends as if killed. */
  kill: KillPoint | undefined
}

/** What a process can be asked for: how many passwords it has checked, how many bytes it holds, to send what is due, and to put its clock back by an hour. */
export type Question = 'checks' | 'memory' | 'deliver' | 'webhooks' | 'jump-back' | 'loop-delay' | 'loop-cpu'

const handed = await new Promise<NodeProcess>((resolve) => process.once('message', resolve))
const { skewMs, speed, databaseUrl, connections, masterKey, settings, cost, documents, signing, kill } = handed
const trueNow = Date.now
const trueElapsed = performance.now.bind(performance)
const [begunAt, begun] = [trueNow(), trueElapsed()]
let off = skewMs
const wrongNow = () => Math.round(begunAt + off + (trueNow() - begunAt) * speed)

// The clock of this process alone, put wrong before anything of the portal's is loaded.
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

if (kill) (await import('./kill-point.ts')).killAt(kill)

const { buildApp } = await import('../app.ts')
const { openDatabase } = await import('../db.ts')
const { deliveriesOf } = await import('../deliveries.ts')
const { readKeys } = await import('../open-keys.ts')
const { sendDue } = await import('../outbox.ts')
const { openPasswordHasher } = await import('../password-hash.ts')

const { openPdfWork } = await import('../pdf-work.ts')
const { documentsOnDisk } = await import('../ports/documents-disk.ts')
const { remoteSigningByCsc } = await import('../ports/remote-signing-csc.ts')
const { timestampsByHttp } = await import('../ports/timestamps-http.ts')
const { verificationBuiltIn } = await import('../ports/verification-built-in.ts')
const { watchLoop } = await import('./loop-watch.ts')
const { sealedDocuments } = await import('../sealed-documents.ts')
const { webhooksByHttp } = await import('../ports/webhooks-http.ts')
const { webhookQueue } = await import('../webhooks.ts')

const unused = () => Promise.reject(new Error('not of this node'))
const keys = await readKeys(databaseUrl, [Buffer.from(masterKey)])
const { db } = openDatabase(databaseUrl, { auditKey: keys.audit, connections })
const pdfWork = openPdfWork()
const ports: Ports = {
  mail: { send: unused, close: unused },
  sms: { send: unused },
  botCheck: {
    kind: 'altcha',
    siteKey: '',
    origin: undefined,
    verify: async (nonce) => ({ verdict: 'human', nonce, expiresInSeconds: 300 }),
  },
  country: { lookUp: async () => undefined },
  documents: documents
    ? sealedDocuments(db, keys, documentsOnDisk(documents.folder))
    : { write: unused, read: unused, remove: unused, removeUnfinished: unused },
  timestampAccounts: undefined,
  revocation: undefined,
  verification: documents ? verificationBuiltIn(pdfWork, async () => documents.trust) : { verify: unused },
  malware: undefined,
  remoteSigning: signing && remoteSigningByCsc(signing.service),
  timestamps: signing && timestampsByHttp(signing.tsa),
  webhooks: webhooksByHttp,
  alarms: { raise: () => {} },
}
const own = await openPasswordHasher(cost, keys.pepper)
own.usePepper()
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
const portal: Portal = { db, ports, hasher, keys, pdfWork, settings: { ...settings, hosts } }
const app = await buildApp(portal)
await app.listen({ port: 0, host: '127.0.0.1', backlog: 2048 })
hosts.push(`127.0.0.1:${(app.server.address() as AddressInfo).port}`)
process.send!({ origin: `http://${hosts[0]}`, clock: new Date().getTime() })

const loop = watchLoop()
const answers: Record<Question, () => number | Promise<number>> = {
  checks: () => checks,
  memory: () => process.memoryUsage.rss(),
  deliver: () => sendDue(db, keys, deliveriesOf(portal)),
  webhooks: () => sendDue(db, keys, deliveriesOf(portal), () => {}, webhookQueue),
  'jump-back': () => {
    off -= 3_600_000
    return Date.now()
  },
  'loop-delay': () => loop.delay,
  'loop-cpu': () => loop.cpu,
}
process.on('message', (question: Question) => {
  void Promise.resolve(answers[question]()).then((answer) => process.send!([question, answer]))
})
process.once('disconnect', () => process.exit())

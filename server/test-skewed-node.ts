import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from './portal.ts'
import type { Ports } from './ports/ports.ts'

/** What `openSkewedNode` hands over. */
export type SkewedNode = {
  skewMs: number
  databaseUrl: string
  masterKey: Uint8Array
  settings: Omit<Settings, 'hosts'>
}

const { skewMs, databaseUrl, masterKey, settings } = workerData as SkewedNode
const trueNow = Date.now

// The clock of this thread alone, put wrong before anything of the portal's is loaded.
globalThis.Date = class extends Date {
  constructor(...given: []) {
    super(...((given.length ? given : [trueNow() + skewMs]) as []))
  }
  static override now() {
    return trueNow() + skewMs
  }
} as DateConstructor

const { buildApp } = await import('./app.ts')
const { openDatabase } = await import('./db.ts')
const { readKeys } = await import('./open-keys.ts')
const { openPasswordHasher } = await import('./password-hash.ts')

const unused = () => Promise.reject(new Error('not of this node'))
const ports: Ports = {
  mail: { send: unused, close: unused },
  sms: { send: unused },
  botCheck: { kind: 'altcha', siteKey: '', origin: undefined, verify: unused },
  country: { lookUp: async () => undefined },
  documents: { write: unused, read: unused, remove: unused },
}
const keys = await readKeys(databaseUrl, [Buffer.from(masterKey)])
const { db, close } = openDatabase(databaseUrl, { auditKey: keys.audit })
const hasher = await openPasswordHasher({ memory: 64, passes: 1, lanes: 1 })
const hosts: string[] = []
const app = await buildApp({ db, ports, hasher, keys, settings: { ...settings, hosts } })
await app.listen({ port: 0, host: '127.0.0.1' })
hosts.push(`127.0.0.1:${(app.server.address() as AddressInfo).port}`)
parentPort!.postMessage({ origin: `http://${hosts[0]}`, clock: new Date().getTime() })

parentPort!.once('message', async () => {
  await app.close()
  await hasher.close()
  await close()
  parentPort!.close()
})

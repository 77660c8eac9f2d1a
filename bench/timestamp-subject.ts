import { randomBytes, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { openAuthority } from '../provider/authority/authority.ts'
import { timestampHttp } from '../provider/timestamp-service/timestamp-http.ts'
import { hashTimestampPassword } from '../provider/timestamp-service/timestamp-password.ts'
import { TimestampStore } from '../provider/timestamp-service/timestamp-store.ts'

/** The timestamp authority as a process of its own, and the bare signing rate of its key in the same process. */
const directory = mkdtempSync(join(tmpdir(), 'sygnet-bench-timestamps-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
process.on('disconnect', () => process.exit())
const now = () => new Date()
const authority = await openAuthority({ directory, baseUrl: 'http://pki.example', now })
const store = new TimestampStore(join(directory, 'timestamps.sqlite'), now)
store.putAccount({
  id: 'bench',
  active: true,
  access: { login: 'bench', passwordHash: await hashTimestampPassword('Znaczniki1') },
})
const unused = { startsAt: new Date(0), endsAt: null, spent: 0 }
store.putPackage('bench', { ...unused, id: 'monthly', kind: 'recurring', size: 100, refillDay: 31, countedFrom: now() })
store.putPackage('bench', { ...unused, id: 'large', kind: 'one-time', size: 1_000_000_000 })
const app = fastify()
await app.register(timestampHttp, { prefix: '/tsa', authority, store, now })
await app.listen({ port: 0, host: '127.0.0.1' })

/** Random bytes as long as the attributes of a token, over which its signature is computed. */
const attributes = randomBytes(170)

function signaturesPerSecond(seconds: number) {
  const started = performance.now()
  let made = 0
  while (performance.now() - started < seconds * 1000) {
    sign('sha256', attributes, authority.timestamping.privateKey)
    made += 1
  }
  return made / ((performance.now() - started) / 1000)
}

process.on('message', ({ signRate }: { signRate?: number }) => {
  const tokens = store.packagesOf('bench').reduce((sum, { spent }) => sum + spent, 0)
  process.send!(signRate ? { signRate: signaturesPerSecond(signRate) } : { tokens })
})
process.send!({ ready: (app.server.address() as AddressInfo).port })

import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openSigningAlone } from '../../testing/signing.ts'
import { openReadiness, watchSigningService } from './readiness.ts'
import { ConfigurationError } from '../configuration/startup-error.ts'
import type { Db } from '../database/database.ts'

async function open() {
  const { signing, close } = await openSigningAlone()
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } } })
  onTestFinished(async () => void (await Promise.all([close(), app.close()])))
  // Only what it notes is asked for.
  const readiness = openReadiness({} as Db)
  const watch = () => watchSigningService(signing.ports.remoteSigning, readiness, app.log)
  return { signing, readiness, app, watch, messages: () => lines.map((line) => JSON.parse(line).msg) }
}

test('SGN-1 a service that goes away and comes back is noted each minute, and reported when that changes', async () => {
  const { signing, readiness, watch, messages } = await open()
  const job = await watch()
  expect([job.everySeconds, readiness.unavailable()]).toEqual([60, []])
  signing.tamperBy(() => 'cut')
  await job.run()
  await job.run()
  expect(readiness.unavailable()).toEqual(['signing-service'])
  signing.tamperBy()
  await job.run()
  expect(readiness.unavailable()).toEqual([])
  expect(messages()).toEqual(['the signing service cannot be used', 'the signing service answers again'])
  // One that becomes unsuitable later does not stop the portal, but signs nothing; a start reports it.
  const newer = { status: 200, body: '{"specs":"3.0.0.0","methods":[]}' }
  signing.tamperBy((path) => (path === 'info' ? newer : undefined))
  await job.run()
  expect(readiness.unavailable()).toEqual(['signing-service'])
  expect(await signing.ports.remoteSigning.credentials('c-1')).toBe('unreachable')
  await expect(watch()).rejects.toThrow(
    new ConfigurationError(
      'CSC_URL cannot be used: the signing service implements version 3.0.0.0 of the CSC API, not 2.',
    ),
  )
})

import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { logger } from '../observability/log.ts'
import { openSkippedCauses } from '../observability/skipped-causes.ts'
import { DeliveryFailed, StorageUnreachable } from '../ports.ts'
import { openReports } from './background-reports.ts'

test('OPS-6 R86 an error in the background names its work and service, each cause once a minute', () => {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({ write: (chunk, _encoding, done) => (lines.push(JSON.parse(String(chunk))), done()) })
  const { log } = Fastify({ logger: { ...logger, stream } })
  let now = 0
  const skipped = openSkippedCauses(() => now)
  const reportOf = openReports(log, skipped)
  const down = Object.assign(new Error('KANAREK'), { code: 'ECONNREFUSED' })
  for (let i = 0; i < 3; i++) reportOf('send-messages')(down)
  reportOf('tidy')(down)
  reportOf('tidy')(new StorageUnreachable('KANAREK'))
  now = 60_000
  reportOf('send-messages')(down)
  const failedTry = { id: 'a', channel: 'mail' as const, tries: 1, isPermanent: false, message: undefined }
  reportOf('send-messages')(new DeliveryFailed('down', false), failedTry)
  expect(lines.map(({ work, service, repeats, msg }) => [work, service, repeats, msg])).toEqual([
    ['send-messages', 'database', 0, 'background work failed'],
    ['tidy', 'database', 0, 'background work failed'],
    ['tidy', 'documents', 0, 'background work failed'],
    ['send-messages', 'database', 2, 'background work failed'],
    [undefined, undefined, undefined, 'a message could not be delivered'],
  ])
  expect(JSON.stringify(lines)).not.toContain('KANAREK')
})

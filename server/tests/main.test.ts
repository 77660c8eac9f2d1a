import { afterEach, expect, onTestFinished, test } from 'vitest'
import { copyDemonstration } from '../testing/filled-demonstration.ts'
import { freePort, killStarted, startMain as start } from '../testing/processes.ts'

afterEach(killStarted)

test('OPS-1 OPS-3 the portal starts on the PostgreSQL of DATABASE_URL, and stops when it is told to', async () => {
  const { settings, owner, drop } = await copyDemonstration()
  onTestFinished(drop)
  const keys = async () => (await owner.query(`select count(*)::int as n from provider_keys`)).rows[0].n
  const before = await keys()
  const good = start(settings)
  await good.until('/demo/messages')
  // The keys of the timestamp server and of the back office, which end with the process.
  expect((await keys()) - before).toBe(2)
  good.child.kill('SIGTERM')
  expect(await good.exit).toBe(0)
})

test('OPS-1 R82 outside of the demonstration nothing is guessed: every missing setting is named', async () => {
  const portal = start({ PORT: String(await freePort()), DATA_DIR: '/nowhere', DEMONSTRATION: 'off', HOST: '' })
  // 2: starting it again would fail in the same way.
  expect(await portal.exit).toBe(2)
  for (const name of ['PUBLIC_URL', 'SMTP_URL', 'BRAND_FILE', 'SMS_URL', 'SMS_TOKEN', 'CSC_URL'])
    expect(portal.output()).toContain(name)
  expect(portal.output()).toMatch(/^(?:[A-Z_]+ [^\n]+\.\n)+$/)
})

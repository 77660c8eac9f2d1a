import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exhaustive } from '../testing/breadth.ts'
import { openRenewalKillTest, renewalKillPoints } from '../testing/renewals/renewal-kills.ts'
import { runRenewalModel } from '../testing/renewals/renewal-walk.ts'
import { openRenewalPortal, type RenewalPortal } from '../testing/samples/sample-renewals.ts'

const documents = mkdtempSync(join(tmpdir(), 'sygnet-renewals-'))
let setup: RenewalPortal
beforeAll(async () => {
  setup = await openRenewalPortal({ sharedKey: true, documents })
})
afterAll(async () => {
  await setup.close()
  rmSync(documents, { recursive: true })
})

test('R56 R58 REN-10 random calls of two tabs over two nodes never leave the plain model of a renewal', async () => {
  // `npm run drills renewal` makes a hundred thousand steps.
  const steps = exhaustive ? 300 : 120
  const run = await runRenewalModel(setup, { steps, seed: 20_261_121 })
  expect(run.steps).toBeGreaterThanOrEqual(steps)
  expect(run.refused).toBeGreaterThan(steps / 8)
  expect(run.pairs).toBeGreaterThan(steps / 15)
}, 600_000)

test.runIf(exhaustive)(
  'R56 R60 REN-10 a call on a node that is killed takes effect as a whole or not at all, and nothing signed is lost or ordered twice',
  async () => {
    // `npm run drills renewal-kills` kills at every point, again and again.
    const chosen = [
      `deliver before update outbox set outcome = 'sent'`,
      'sign after insert into outbox',
      'sign after commit',
      'deliver after rename',
      'deliver after commit',
      'issue after commit',
    ]
    const points = renewalKillPoints.filter(({ action, when, what }) => chosen.includes(`${action} ${when} ${what}`))
    expect(points).toHaveLength(chosen.length)
    const killing = await openRenewalKillTest(setup, documents, 7)
    for (const point of points) expect(await killing.kill(point)).not.toBe('authorised')
    await killing.close()
  },
  600_000,
)

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exhaustive } from '../testing/breadth.ts'
import { openRenewalKilling, renewalKillPoints } from '../testing/renewal-kills.ts'
import { runRenewalModel } from '../testing/renewal-walk.ts'
import { openRenewalHouse, type RenewalHouse } from '../testing/sample-renewals.ts'

const documents = mkdtempSync(join(tmpdir(), 'sygnet-renewals-'))
let house: RenewalHouse
beforeAll(async () => {
  house = await openRenewalHouse({ sharedKey: true, documents })
})
afterAll(async () => {
  await house.close()
  rmSync(documents, { recursive: true })
})

test('R56 R58 REN-10 random calls of two tabs over two nodes never leave the plain model of a renewal', async () => {
  // `npm run bench -- renewal` goes a hundred thousand steps.
  const steps = exhaustive ? 300 : 120
  const run = await runRenewalModel(house, { steps, seed: 20_261_121 })
  expect(run.steps).toBeGreaterThanOrEqual(steps)
  expect(run.refused).toBeGreaterThan(steps / 8)
  expect(run.pairs).toBeGreaterThan(steps / 15)
}, 600_000)

test('R56 R60 REN-10 a node that is killed in the middle of an act leaves it done or not begun, and nothing signed is lost or ordered twice', async () => {
  // `npm run bench -- renewal-kills` kills at every point, again and again.
  const chosen = [`deliver before update outbox set outcome = 'sent'`]
  if (exhaustive)
    chosen.push(
      'sign after with added',
      'sign after commit',
      'deliver after rename',
      'deliver after commit',
      'issue after commit',
    )
  const points = renewalKillPoints.filter(({ act, when, what }) => chosen.includes(`${act} ${when} ${what}`))
  expect(points).toHaveLength(chosen.length)
  const killing = await openRenewalKilling(house, documents, 7)
  for (const point of points) expect(await killing.kill(point)).not.toBe('authorised')
  await killing.close()
}, 600_000)

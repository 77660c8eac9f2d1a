import { expect, test } from 'vitest'
import { exhaustive } from '../testing/breadth.ts'
import { openPortalWithRenewals } from '../testing/open-portal.ts'
import { runRenewalModel } from '../testing/renewals/renewal-walk.ts'

const setup = await openPortalWithRenewals({ sharedKey: true })

test('R56 R58 REN-10 random calls of two tabs over two nodes never leave the plain model of a renewal', async () => {
  const steps = exhaustive ? 300 : 120
  const run = await runRenewalModel(setup, { steps, seed: 20_261_121 })
  expect(run.steps).toBeGreaterThanOrEqual(steps)
  expect(run.refused).toBeGreaterThan(steps / 8)
  expect(run.pairs).toBeGreaterThan(steps / 15)
}, 600_000)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { runRenewalModel } from '../test-renewal-walk.ts'
import { openRenewalHouse, type RenewalHouse } from '../test-renewals.ts'

let house: RenewalHouse
beforeAll(async () => {
  house = await openRenewalHouse({ sharedKey: true })
})
afterAll(() => house.close())

test('R56 R58 REN-10 random calls of two tabs over two nodes never leave the plain model of a renewal', async () => {
  // `npm run bench -- renewal` goes a hundred thousand steps.
  const run = await runRenewalModel(house, { steps: 300, seed: 20_261_121 })
  expect(run.steps).toBeGreaterThanOrEqual(300)
  expect(run.refused).toBeGreaterThan(40)
  expect(run.pairs).toBeGreaterThan(20)
}, 120_000)

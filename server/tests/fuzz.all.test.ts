import { expect, test } from 'vitest'
import { fuzz } from '../testing/fuzz.ts'
import { openPortal } from '../testing/open-portal.ts'

const portal = await openPortal({ settings: { sends: { perNumber: 100_000, perAddress: 100_000 } } })

// In full: npm run drills fuzz.
test('R71 R72 corrupted requests of eight actors get answers of the contract, without data of others', async () => {
  const { findings, statuses, perActor } = await fuzz(portal, { requests: 2000, seed: 20_261_122 })
  expect(findings).toEqual([])
  expect(Object.keys(perActor).length).toBe(8)
  // Some requests are accepted, and some refused.
  expect((statuses[200] ?? 0) + (statuses[204] ?? 0)).toBeGreaterThan(50)
  expect(statuses[400]).toBeGreaterThan(50)
  expect((Object.prototype as { polluted?: unknown }).polluted).toBeUndefined()
})

import { expect, test } from 'vitest'
import { measureFirstVisit } from './testing/first-visit.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

// By its name, the portal offers passkeys, whose code is loaded too.
test.each([
  { path: '/', requests: 6 },
  { path: '/en', requests: 5 },
  { path: '/', named: true, requests: 8 },
] as const)('UIX-9 the first visit of the login page takes at most 100,000 bytes: %o', async (visit) => {
  const { path, requests, ...options } = visit
  const page = await portal.openPage({ alone: true, ...options })
  const measured = await measureFirstVisit(page, path)
  expect(measured.page).toBeGreaterThan(50_000)
  expect(measured.page).toBeLessThanOrEqual(100_000)
  expect(measured.requests.length, measured.requests.join('\n')).toBeLessThanOrEqual(requests)
})

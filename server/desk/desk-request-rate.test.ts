import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { openDesk } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'

const portal = await openPortal({ settings: { requestsPerSecond: 1 } })
const desk = await openDesk(portal)

// An allowance that grew while the test uses it up would depend on how slow the machine is.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterAll(() => void vi.useRealTimers())

test('R110 R233 a flood of logout tokens is answered by 429 before one is verified', async () => {
  const quota = limits.requests.burst
  const send = () =>
    fetch(`${desk.origin}/desk/back-channel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: 'x' }),
    })
  const statuses = (await Promise.all(Array.from({ length: quota * 3 }, send))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(quota)
  expect(statuses.filter((status) => status === 429)).toHaveLength(quota * 2)
})

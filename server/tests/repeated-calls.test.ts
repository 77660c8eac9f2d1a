import { expect, test } from 'vitest'
import { nameOf, openCalls } from '../testing/calls.ts'
import { stateOf } from '../testing/database-state.ts'
import { openPortal } from '../testing/open-portal.ts'

const portal = await openPortal()
const calls = await openCalls(portal)

test('HTT-5 a repeated PUT or DELETE of a customer gets the answer of the first and changes nothing', async () => {
  const changes = portal.app.endpoints
    .filter(({ access, method }) => access !== 'provider' && (method === 'PUT' || method === 'DELETE'))
    .toSorted((a, b) => b.method.localeCompare(a.method))
  expect(changes.map(({ method }) => method)).toContain('DELETE')
  for (const endpoint of changes) {
    const { path, body, headers } = await calls.fill(endpoint)
    const call = async () => {
      const answer = await calls.customer.raw(endpoint.method, path, body, headers)
      return [nameOf(endpoint), answer.status, await answer.text()] as const
    }
    const first = await call()
    expect([first, first[1] < 300]).toEqual([first, true])
    const state = await stateOf(portal)
    const second = await call()
    // What is gone for good leaves no trace; the screens take that as done.
    if (endpoint.method !== 'DELETE' || second[1] !== 404) expect(second).toEqual(first)
    expect([nameOf(endpoint), await stateOf(portal)]).toEqual([nameOf(endpoint), state])
  }
})

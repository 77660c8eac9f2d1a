import { expect, test } from 'vitest'
import { openCircuit } from './outgoing.ts'

function counterpart() {
  const state = { answer: 'unreachable' as 'unreachable' | 'done' | Error, asked: 0, now: 0 }
  const guard = openCircuit(() => state.now)
  const call = guard(async (_what: string) => {
    state.asked++
    if (state.answer instanceof Error) throw state.answer
    return state.answer
  })
  return { state, call, guard }
}

test('ERR-5 a service that failed to answer three times in a row is not called for 15 seconds', async () => {
  const { state, call } = counterpart()
  for (let i = 0; i < 3; i++) expect(await call('x')).toBe('unreachable')
  expect(state.asked).toBe(3)
  state.answer = 'done'
  state.now = 14_999
  expect(await call('x')).toBe('unreachable')
  expect(state.asked).toBe(3)
  state.now = 15_000
  expect(await call('x')).toBe('done')
  expect(await call('x')).toBe('done')
})

test('ERR-5 after the pause one call tries again, and if it fails the pause restarts', async () => {
  const { state, call } = counterpart()
  state.answer = new Error('reset')
  for (let i = 0; i < 3; i++) await expect(call('x')).rejects.toThrow('reset')
  state.now = 15_000
  const both = await Promise.allSettled([call('x'), call('x')])
  expect(state.asked).toBe(4)
  expect(both).toMatchObject([{ status: 'rejected' }, { value: 'unreachable' }])
  state.now = 29_999
  expect(await call('x')).toBe('unreachable')
  expect(state.asked).toBe(4)
})

test('an answer between failures resets the count, and a refusal is an answer', async () => {
  const { state, call } = counterpart()
  for (let i = 0; i < 9; i++) {
    state.answer = i % 3 === 2 ? 'done' : 'unreachable'
    await call('x')
  }
  expect(state.asked).toBe(9)
})

test('calls to one service share its circuit', async () => {
  const { state, call, guard } = counterpart()
  for (let i = 0; i < 3; i++) await call('x')
  let calls = 0
  expect(await guard(async () => ++calls)()).toBe('unreachable')
  expect([calls, state.asked]).toEqual([0, 3])
})

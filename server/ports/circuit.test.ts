import { expect, test } from 'vitest'
import { openCircuit } from './circuit.ts'

function counterpart() {
  const state = { answer: 'unreachable' as 'unreachable' | 'done' | Error, asked: 0, now: 0 }
  const guard = openCircuit(() => state.now)
  const ask = guard(async (_what: string) => {
    state.asked++
    if (state.answer instanceof Error) throw state.answer
    return state.answer
  })
  return { state, ask, guard }
}

test('ERR-5 a counterpart that did not answer three times in a row is not asked for 15 seconds', async () => {
  const { state, ask } = counterpart()
  for (let i = 0; i < 3; i++) expect(await ask('x')).toBe('unreachable')
  expect(state.asked).toBe(3)
  state.answer = 'done'
  state.now = 14_999
  expect(await ask('x')).toBe('unreachable')
  expect(state.asked).toBe(3)
  state.now = 15_000
  expect(await ask('x')).toBe('done')
  expect(await ask('x')).toBe('done')
})

test('ERR-5 after the pause one call tries anew, and when it fails the pause begins again', async () => {
  const { state, ask } = counterpart()
  state.answer = new Error('reset')
  for (let i = 0; i < 3; i++) await expect(ask('x')).rejects.toThrow('reset')
  state.now = 15_000
  const both = await Promise.allSettled([ask('x'), ask('x')])
  expect(state.asked).toBe(4)
  expect(both).toMatchObject([{ status: 'rejected' }, { value: 'unreachable' }])
  state.now = 29_999
  expect(await ask('x')).toBe('unreachable')
  expect(state.asked).toBe(4)
})

test('an answer between failures sets the count back, and a refusal is an answer', async () => {
  const { state, ask } = counterpart()
  for (let i = 0; i < 9; i++) {
    state.answer = i % 3 === 2 ? 'done' : 'unreachable'
    await ask('x')
  }
  expect(state.asked).toBe(9)
})

test('calls of one counterpart share what is known of it', async () => {
  const { state, ask, guard } = counterpart()
  for (let i = 0; i < 3; i++) await ask('x')
  let other = 0
  expect(await guard(async () => ++other)()).toBe('unreachable')
  expect([other, state.asked]).toEqual([0, 3])
})

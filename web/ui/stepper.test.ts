import { expect, test } from 'vitest'
import { isReachable, stepState } from './stepper.tsx'

const steps = [1, 2, 3, 4]

test('UIX-3 steps before the current one are completed, those after it inactive', () => {
  expect(steps.map((step) => stepState(step, 2))).toEqual(['completed', 'active', 'inactive', 'inactive'])
  expect(steps.map((step) => stepState(step, 4))).toEqual(['completed', 'completed', 'completed', 'active'])
})

test('UIX-3 linear mode reaches at most the current step plus one', () => {
  expect(steps.map((step) => isReachable(step, 1))).toEqual([true, true, false, false])
  expect(steps.map((step) => isReachable(step, 3))).toEqual([true, true, true, true])
})

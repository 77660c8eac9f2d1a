import { expect, test } from 'vitest'
import { niceTop } from './usage-dialog.tsx'

test('TSP-4 the scale of the usage chart holds the highest bar and ends with a round number', () => {
  const cases = [0, 1, 2, 3, 5, 6, 10, 11, 41, 99, 100, 101, 412, 5001, 1_000_000]
  expect(cases.map(niceTop)).toEqual([2, 2, 2, 4, 5, 10, 10, 20, 50, 100, 100, 200, 500, 10_000, 1_000_000])
})

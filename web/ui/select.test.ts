import { expect, test } from 'vitest'
import { findLabel } from './select.tsx'

const labels = [
  'Najpilniejsze',
  'Koniec ważności od najbliższego',
  'Koniec ważności od najdalszego',
  'Nazwa A–Z',
  '2\u00a0lata',
]

test.each([
  ['k', -1, 1],
  ['k', 1, 2],
  ['kk', 2, 1],
  ['na', -1, 0],
  ['naz', 0, 3],
  ['koniec ważności od najd', 1, 2],
  ['N', 0, 3],
  ['2 l', 0, 4],
  ['x', 0, undefined],
])('UIX-2 typing %s at option %i leads to option %s', (typed, from, found) => {
  expect(findLabel(labels, typed, from)).toBe(found)
})

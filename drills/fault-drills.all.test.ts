import { expect, test } from 'vitest'
import { isWithinLimit } from '../bench/figures.ts'
import { measureCrashes } from './crashes.ts'

test('R90 nodes and databases that are killed lose nothing that was answered', async () => {
  expect((await measureCrashes(5)).filter((figure) => !isWithinLimit(figure))).toEqual([])
}, 1_200_000)

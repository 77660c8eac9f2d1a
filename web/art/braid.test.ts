import { expect, test } from 'vitest'
import { braidAngles, ringPath } from './braid.tsx'

test('a ring is closed: it ends where it began', () => {
  for (const shape of [
    { radius: 45, amplitude: 12, waves: 9 },
    { radius: 274, amplitude: 32, waves: 18, second: { amplitude: 5, waves: 54 } },
  ]) {
    const path = ringPath(shape)
    expect(path.startsWith(`M${shape.radius} 0C`)).toBe(true)
    expect(path.endsWith(` ${shape.radius} 0Z`)).toBe(true)
  }
})

test('the strands of a braid share one wave evenly', () => {
  expect(braidAngles(9, 4)).toEqual(['10', '20', '30'])
})

import { expect, test } from 'vitest'
import { waitText } from './wait-text.ts'

test('UIX-36 a waiting time is in minutes, rounded up, and in its last minute in seconds', () => {
  expect([600, 599.4, 61, 60, 59.6, 42, 0.2, -3].map(waitText)).toEqual([
    '10\u00a0min',
    '10\u00a0min',
    '2\u00a0min',
    '1\u00a0min',
    '60\u00a0s',
    '42\u00a0s',
    '0\u00a0s',
    '0\u00a0s',
  ])
})

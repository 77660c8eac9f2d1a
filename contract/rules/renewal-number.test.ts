import { expect, test } from 'vitest'
import { renewalNumber } from './access-code.ts'

test('REN-16 the number of a renewal is the beginning of its id in base32', () => {
  expect(renewalNumber('00000000-00ff-4fff-bfff-ffffffffffff')).toBe('R-0000-0000')
  expect(renewalNumber('ffffffff-ff00-4000-8000-000000000000')).toBe('R-ZZZZ-ZZZZ')
  expect(renewalNumber('08864298-e8ff-4000-8000-000000000000')).toBe('R-1234-5678')
})

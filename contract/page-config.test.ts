import { expect, test } from 'vitest'
import { dialled } from './page-config.ts'

test('a telephone link dials digits only', () => {
  expect(dialled('+48 (22) 100-20-30')).toBe('+48221002030')
})

import { expect, test } from 'vitest'
import { unbroken } from './format.ts'

test('UIX-29 the legal form of a company stays on one line', () => {
  expect(unbroken('Żółć i Gęśl sp. z o.o. sp.k. w Szczebrzeszynie')).toBe(
    'Żółć i Gęśl sp.\u00a0z\u00a0o.o. sp.k. w Szczebrzeszynie',
  )
  expect(unbroken('Biuro Zielińska S.A.')).toBe('Biuro Zielińska S.A.')
})

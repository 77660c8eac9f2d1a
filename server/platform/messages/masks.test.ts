import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskNumber } from '../../../contract/rules/masks.ts'
import { maskEmail } from './masks.ts'

test('R86 a masked number ends with three characters at most, and two thirds of a short one are hidden', () => {
  const shown = ['44051401458', 'ABA300000', '533401372', 'Z1000', 'Z-10', 'Z1', 'Z', ''].map(maskNumber)
  expect(shown).toEqual(['••••••••458', '••••••000', '••••••372', '••••0', '•••0', '••', '•', ''])
})

test('R86 a masked address always has the same length, and shows only two first characters and the last label', () => {
  expect(maskEmail('m.wisniewska@kancelaria-zrodlo.example')).toBe('m•••@k•••.example')
  expect(maskEmail('j@x.pl')).toBe('j•••@x•••.pl')
  const part = fc.stringMatching(/^[a-z]{1,20}$/)
  fc.assert(
    fc.property(part, part, (local, domain) => {
      expect(maskEmail(`${local}@mail.${domain}.example`)).toBe(`${local[0]}•••@m•••.example`)
    }),
  )
})

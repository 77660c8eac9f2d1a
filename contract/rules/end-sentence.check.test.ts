import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endSentence } from './end-sentence.ts'

test.each([
  ['Biuro Zielińska S.A.', 'Biuro Zielińska S.A.'],
  ['Yahoo!', 'Yahoo!'],
  ['Anna Nowak', 'Anna Nowak.'],
])('UIX-6 a sentence that ends with „%s” has one full stop', (name, sentence) => {
  expect(endSentence(name)).toBe(sentence)
})

test('UIX-6 no text of the portal puts a full stop after the name of the company by itself', () => {
  const files = globSync(['web/**/*.{ts,tsx}', 'contract/**/*.ts'], { exclude: ['**/*.test.*'] })
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => /\b(?:company|provider)\}\.(?=[\s`'])/.test(readFileSync(file, 'utf8')))).toEqual([])
})

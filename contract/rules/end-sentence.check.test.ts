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

/** A full stop after the name of an organisation, or the last of several, as the texts of screens and mails call them. */
const stopAfterName = /\b(?:company|provider|organisations?|sealNames|which)\}(?:<\/\w+>)?\.(?=[\s`'])/

test.each(['${organisation}.`', '${brand.company}. Then', '${which}.`', '<Verbatim>{organisation}</Verbatim>. '])(
  'UIX-6 the check sees a full stop in %s',
  (text) => expect(text).toMatch(stopAfterName),
)

test('UIX-6 no text of the portal puts a full stop after the name of an organisation by itself', () => {
  const files = globSync(['{web,contract,server,paper,provider}/**/*.{ts,tsx}'], { exclude: ['**/*.test.*'] })
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => stopAfterName.test(readFileSync(file, 'utf8')))).toEqual([])
})

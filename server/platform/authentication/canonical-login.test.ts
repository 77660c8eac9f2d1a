import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalLogin } from './canonical-login.ts'

const once = 'anna.nowak+portal@zażółć.example'

/** Ways to write the same name; each must end in the same bucket. */
const respellings: ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.normalize('NFD'),
  (text) => text.normalize('NFKD'),
  (text) => ` \t${text}\u00a0\n`,
  // Full-width forms of the ASCII characters.
  (text) => text.replace(/[!-~]/g, (c) => String.fromCodePoint(c.codePointAt(0)! + 0xfee0)),
  // The letters as styled for mathematics.
  (text) => text.replace(/[a-z]/g, (c) => String.fromCodePoint(c.codePointAt(0)! - 97 + 0x1d41a)),
  ...['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\ufe0f', '\u{e0041}', '\u202e'].map(
    (invisible) => (text: string) => [...text].join(invisible),
  ),
]

test('R26 R19 two hundred spellings of one e-mail are one key', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...respellings), { minLength: 1, maxLength: 4 }), (changes) => {
      const spelling = changes.reduce((text, change) => change(text), once)
      seen.add(spelling)
      expect(canonicalLogin(spelling)).toBe('anna.nowak+portal@xn--za-6ja4f8n1l.example')
    }),
    { numRuns: 2000 },
  )
  expect(seen.size).toBeGreaterThan(200)
})

test('R19 an e-mail whose domain is written in punycode is the one written in letters', () => {
  expect(canonicalLogin('a@xn--za-6ja4f8n1l.example')).toBe(canonicalLogin('a@zażółć.example'))
  expect(canonicalLogin('a@ZAŻÓŁĆ.example')).toBe(canonicalLogin('a@zażółć.example'))
})

test('R19 a key is its own key, and no form of Unicode changes it', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.emailAddress())
  fc.assert(
    fc.property(text, (typed) => {
      const key = canonicalLogin(typed)
      expect(canonicalLogin(key)).toBe(key)
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) expect(canonicalLogin(typed.normalize(form))).toBe(key)
    }),
    { numRuns: 2000 },
  )
})

test('R26 a letter and its accent are one letter after an invisible character between them is removed', () => {
  for (const invisible of ['\u200d', '\u034f', '\u00ad'])
    expect(canonicalLogin(`z${invisible}\u0307olw`)).toBe(canonicalLogin('Żolw'))
})

test('R19 letters of another script that look the same make another name', () => {
  // Cyrillic а, and Greek ο.
  expect(canonicalLogin('\u0430nna@mail.example')).not.toBe(canonicalLogin('anna@mail.example'))
  expect(canonicalLogin('anna@mail.ex\u0430mple')).not.toBe(canonicalLogin('anna@mail.example'))
  expect(canonicalLogin('n\u03bfwak')).not.toBe(canonicalLogin('nowak'))
})

test('R19 different names stay different', () => {
  const plain = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{2,20}$/)
  fc.assert(
    fc.property(plain, plain, (left, right) => {
      expect(canonicalLogin(left) === canonicalLogin(right)).toBe(left === right)
    }),
  )
})

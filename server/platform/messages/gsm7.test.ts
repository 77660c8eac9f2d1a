import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOneSegment } from './sms-text.ts'

test('R75 160 septets are one segment and 161 are not', () => {
  expect(isOneSegment('a'.repeat(160))).toBe(true)
  expect(isOneSegment('a'.repeat(161))).toBe(false)
})

test('R75 a character of the extension table counts twice', () => {
  for (const character of '\f^{}\\[~]|€') {
    expect(isOneSegment(character.repeat(80))).toBe(true)
    expect(isOneSegment(`${character.repeat(80)}a`)).toBe(false)
  }
})

test('R75 the basic table has 127 characters without the escape', () => {
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
  expect(all.filter((character) => isOneSegment(character.repeat(160)))).toHaveLength(127)
})

test.each(['ą', 'Ł', 'ę', 'ć', '`', '\t', '\u00a0', '’', '„', '–', '\u001b', '😀', 'ç', '\u200b'])(
  'R75 %j would make the message UCS-2',
  (character) => {
    expect(isOneSegment(`kod ${character} 123456`)).toBe(false)
  },
)

test('R75 a text longer than 160 characters is never one segment', () => {
  fc.assert(fc.property(fc.string({ minLength: 161, maxLength: 500, unit: 'grapheme' }), (text) => !isOneSegment(text)))
})

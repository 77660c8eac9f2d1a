import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SignInForm } from './account.ts'
import { Day } from './day.ts'
import { CodeEntry, Email, Instant, line, PhoneNumber, secret, Token } from './fields.ts'
import { limits } from './limits.ts'
import { CodeForm } from './one-time-code.ts'
import { PasswordResetForm } from './passwords.ts'

type Schema = {
  safeParse: (input: unknown) => {
    success: boolean
    data?: unknown
    error?: { issues: { message: string; path: PropertyKey[] }[] } | undefined
  }
}
/** Returns the problem that a form shows: the first one found. */
const problem = (schema: Schema, input: unknown) => schema.safeParse(input).error?.issues[0]?.message

test('VAL-1 an empty field, one of spaces and a missing one are the same problem', () => {
  for (const input of ['', ' ', '\t\n', undefined, null, 7, ['x'], { a: 1 }]) {
    expect(problem(line(10), input)).toBe('required')
    expect(problem(line(10, 'login-required'), input)).toBe('login-required')
  }
})

test('VAL-1 login and password of the sign-in each have their own message when empty', () => {
  const issues = SignInForm.safeParse({}).error?.issues.map(({ path, message }) => [path[0], message])
  expect(issues).toEqual([
    ['login', 'login-required'],
    ['password', 'password-required'],
  ])
})

test('R37 a date is one of the calendar that the database can hold', () => {
  for (const day of ['0001-01-01', '2028-02-29', '9999-12-31']) {
    expect(Day.safeParse(day).success).toBe(true)
    expect(Instant.safeParse(`${day}T00:00:00.000Z`).success).toBe(true)
  }
  for (const day of ['0000-01-01', '2027-02-29', '10000-01-01', '-001-01-01']) {
    expect(Day.safeParse(day).success).toBe(false)
    expect(Instant.safeParse(`${day}T00:00:00.000Z`).success).toBe(false)
  }
})

test('a line is trimmed, composed, counted in code points, and has no control characters', () => {
  expect(line(5).safeParse('  Ana  ').data).toBe('Ana')
  expect(line(5).safeParse('z\u0307o').data).toBe('żo')
  expect(line(5).safeParse('😀😀😀😀😀').success).toBe(true)
  expect(problem(line(5), '😀😀😀😀😀😀')).toBe('too-long')
  // R74 R76: nothing that could split a header or a log line.
  for (const control of ['\r\n', '\u0000', '\u0085', '\u001b', '\u2028', '\ud800', '\udc00'])
    expect(problem(line(50), `a${control}b`)).toBe('format')
  expect(problem(line(50), '\u3164\u2800')).toBe('required')
  for (const sign of ['❤️', '☎\ufe0e']) expect(line(50).safeParse(sign).data).toBe(sign)
  for (const selected of ['\ufe0f', '\u{e0100}\u{e0101}', '\u180b', '\u{16fe4}'])
    for (const before of ['', 'Jan', 'Jan1']) expect(problem(line(50), `${before}${selected}`)).toBe('format')
  expect(problem(line(50), '❤\ufe0f\u{e0150}')).toBe('format')
  for (const invisible of ['\u034f', '\u202e', '\u2066', '\u200f', '\u200b', '\u00ad']) {
    expect(problem(line(50), `a${invisible}b`)).toBe('format')
    expect(line(50).safeParse(`${invisible} a ${invisible}`).data).toBe('a')
    expect(problem(line(50), ` ${invisible}`)).toBe('required')
  }
})

test('R13 R18 a secret is neither trimmed nor cut, and bounded before anything is done with it', () => {
  expect(secret('required').safeParse('  x  ').data).toBe('  x  ')
  expect(problem(secret('password-required'), '')).toBe('password-required')
  expect(secret('required').safeParse('x'.repeat(1024)).success).toBe(true)
  expect(problem(secret('required'), 'x'.repeat(1025))).toBe('too-long')
  expect(problem(secret('required'), 'x'.repeat(10_000))).toBe('too-long')
})

test('PWD-1 R74 one mailbox and nothing else is an e-mail', () => {
  const good = [
    'a@b.pl',
    'Anna.Nowak+x@mail.example',
    'x_1@a-b.c.example',
    "o'neil@mail.example",
    'a@zażółć.example',
    'a@हिन्दी.भारत',
    'a@ไทย.example\u200b',
    ` ${'a'.repeat(64)}@mail.example `,
  ]
  for (const address of good) expect(PasswordResetForm.safeParse({ email: address }).success, address).toBe(true)
  const bad = [
    'a',
    'a@b',
    '@mail.example',
    'a@',
    'a b@mail.example',
    'a@mail.example,b@mail.example',
    'a@mail.example;b@mail.example',
    'Anna <a@mail.example>',
    '"a b"@mail.example',
    'a(x)@mail.example',
    'a@[127.0.0.1]',
    'a@@mail.example',
    'a@mail.example\r\nBcc: b@mail.example',
    'a..b@mail.example',
    '.a@mail.example',
    'a.@mail.example',
    'a@.example',
    'a@mail..example',
    'a@mail.example.',
    'a@ma\u200bil.example',
    'a@mail.example\ufe0f',
    'a@1\ufe0f\u20e3.example',
    '=\ufe0f@mail.example',
    'ａ@mail.example',
    'żółw@mail.example',
    `${'a'.repeat(65)}@mail.example`,
  ]
  for (const address of bad) expect(problem(Email, address), address).toMatch(/^(?:email-format|format)$/)
  expect(problem(Email, '')).toBe('required')
  expect(problem(Email, `a@${'b.'.repeat(140)}pl`)).toMatch(/^(?:too-long|email-format)$/)
})

test('R26 a phone number has one spelling: E.164', () => {
  for (const number of ['+48501502503', '+12025550123', '+4915112345678'])
    expect(PhoneNumber.safeParse(number).success, number).toBe(true)
  const bad = [
    '48501502503',
    '0048501502503',
    '+48 501 502 503',
    '+48-501-502-503',
    '+048501502503',
    '+48５０１502503',
    '+48501502503\u200b',
    '+48501',
    '+4850150250345678',
    '+48501502503\n',
    '',
  ]
  for (const number of bad) expect(problem(PhoneNumber, number), number).toBe('phone-format')
  expect(problem(PhoneNumber, undefined)).toBe('required')
})

test('AUT-2 a code is six digits of any script, with anything between them', () => {
  for (const typed of ['012345', ' 012 345 ', '012-345', '0 1 2 3 4 5', '012\u00a0345\n'])
    expect(CodeEntry.safeParse(typed).data, typed).toBe('012345')
  for (const typed of [
    '０１２３４５',
    '٠١٢٣٤٥',
    '०१२३४५',
    '𝟎𝟏𝟐𝟑𝟒𝟓',
    '012–345',
    '012\u200b345',
    '\u200e012345',
    '012.345',
  ])
    expect(CodeEntry.safeParse(typed).data, typed).toBe('012345')
  for (const typed of ['01234', '0123456', '01234a', '1e5000', '+12345', '0123Ⅳ5', '01234²', ' '.repeat(65)])
    expect(problem(CodeEntry, typed), typed).toBe('code-format')
  for (const typed of ['', '  ', ' - ']) expect(problem(CodeEntry, typed)).toBe('required')
  for (const typed of [12345, 123456, null, undefined, ['012345'], { code: '012345' }])
    expect(problem(CodeEntry, typed)).toBe('required')
  expect(CodeForm.safeParse({ code: '012345', purpose: 'sign-in' }).success).toBe(false)
})

test('AUT-2 every code survives every way of spacing it', () => {
  const digits = fc.nat(999_999).map((n) => String(n).padStart(limits.code.digits, '0'))
  fc.assert(
    fc.property(digits, fc.constantFrom('', ' ', '-', '\u00a0', '\u2009'), (code, gap) => {
      expect(CodeEntry.safeParse(`${gap}${[...code].join(gap)}${gap}`).data).toBe(code)
    }),
  )
})

test('R10 a token is 256 bits in base64url, to the character', () => {
  const token = 'Aa0_-'.padEnd(43, 'x')
  expect(Token.safeParse(token).success).toBe(true)
  for (const bad of [
    '',
    token.slice(1),
    `${token}x`,
    token.replace('_', '/'),
    `${token}\n`,
    ` ${token}`,
    token.replace('A', '%41'),
  ])
    expect(problem(Token, bad), bad).toBe('format')
})

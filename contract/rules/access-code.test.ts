import { expect, test } from 'vitest'
import { AccessCode, AccessCodeForm, renewalNumber } from './access-code.ts'

const code = '0K1Z-7PQR-40VW-91AB'

test.each([
  code,
  '0k1z-7pqr-40vw-91ab',
  '0K1Z7PQR40VW91AB',
  ' 0K1Z 7PQR\u00a040VW\t91AB\n',
  '0K1Z–7PQR—40VW‑91AB',
  'OKIZ-7PQR-4oVW-9LAB',
  'okiz 7pqr 4ovw 9lab',
  '０Ｋ１Ｚ-7PQR-40VW-91AB',
  '\u200b0K1Z-7PQR-\u2060 40VW-91AB\ufeff',
  '٠K١Z.7PQR.٤٠VW.٩١AB.',
  '„0K1Z_7PQR/40VW·91AB”',
  '0-K-1-Z-7-P-Q-R-4-0-V-W-9-1-A-B',
])('DOC-9 a code written as %j is the code', (typed) => {
  expect(AccessCode.parse(typed)).toBe(code)
})

test.each([
  ['', 'required'],
  [' - ', 'required'],
  ['0K1Z-7PQR-40VW-91A', 'access-code-format'],
  [`${code}2`, 'access-code-format'],
  ['UK1Z-7PQR-40VW-91AB', 'access-code-format'],
  ['0K1Z-7PQR-40VW-91Ą8', 'access-code-format'],
  ['0'.repeat(10_000), 'access-code-format'],
])('DOC-9 VAL-1 %j gets its own problem', (typed, problem) => {
  expect(AccessCode.safeParse(typed).error?.issues[0]?.message).toBe(problem)
})

test('VAL-1 an empty field is required', () => {
  expect(AccessCodeForm.safeParse({}).error?.issues[0]?.message).toBe('required')
})

test('REN-16 the number of a renewal is the beginning of its id in base32', () => {
  expect(renewalNumber('00000000-00ff-4fff-bfff-ffffffffffff')).toBe('R-0000-0000')
  expect(renewalNumber('ffffffff-ff00-4000-8000-000000000000')).toBe('R-ZZZZ-ZZZZ')
  expect(renewalNumber('08864298-e8ff-4000-8000-000000000000')).toBe('R-1234-5678')
})

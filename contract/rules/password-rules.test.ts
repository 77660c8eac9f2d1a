import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldProblems } from '../errors.ts'
import { limits } from '../limits.ts'
import { SetPasswordForm } from '../password-link.ts'
import { ChangePasswordForm } from '../passwords.ts'
import { brokenRules, NewPassword, passwordRules, isSamePassword } from './password-rules.ts'

const good = 'Dobre-Haslo-26'

const problemsOf = (result: { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }) =>
  (result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])

test('PWD-4 each rule is broken on its own, and the checklist names it', () => {
  expect(brokenRules(good)).toEqual([])
  expect(brokenRules('Dobre-Hasl-26')).toEqual([])
  expect(brokenRules('Dobre-Has-26')).toEqual(['length'])
  expect(brokenRules('dobre-haslo-26')).toEqual(['upper'])
  expect(brokenRules('DOBRE-HASLO-26')).toEqual(['lower'])
  expect(brokenRules('Dobre-Haslo-xx')).toEqual(['digit'])
  expect(brokenRules('Dobre7Haslo726')).toEqual(['special'])
  expect(brokenRules('')).toEqual(Object.keys(passwordRules))
})

test('PWD-4 R13 the length is 13 to 128 code points, regardless of their bytes', () => {
  const long = (emoji: number) => `aA1-${'😀'.repeat(emoji)}`
  expect(brokenRules(long(8))).toEqual(['length'])
  expect(brokenRules(long(9))).toEqual([])
  expect(brokenRules(long(124))).toEqual([])
  expect(brokenRules(long(125))).toEqual(['length'])
  expect(limits.password).toMatchObject({ min: 13, max: 128, remembered: 5 })
})

test('PWD-4 R13 the rules see a password as it is hashed, whichever form of Unicode it is typed in', () => {
  const piece = fc.constantFrom('a', 'Ż', 'é', 'ﬁ', '½', 'Ａ', '１', '𝟙', '-', ' ', 'x\u0302', '漢', '😀')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const typed = pieces.join('')
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
        expect(brokenRules(typed.normalize(form))).toEqual(brokenRules(typed))
    }),
  )
  // An accent is part of its letter, not a special character.
  expect(brokenRules('Zażółcgęślą26'.normalize('NFD'))).toEqual(['special'])
  expect(brokenRules('Hx\u0302slo12345678')).toEqual(['special'])
})

test('PWD-4 letters and digits of any script count, spaces are neither special nor refused', () => {
  expect(brokenRules('Ωmega żółw ٣ gąski!')).toEqual([])
  expect(brokenRules('Dobre haslo 2026')).toEqual(['special'])
})

test('PWD-4 VAL-1 a new password is missing, too long to read, or against the rules', () => {
  const problem = (password: unknown) => NewPassword.safeParse(password).error?.issues.map(({ message }) => message)
  expect(problem('')?.[0]).toBe('required')
  expect(problem(undefined)).toEqual(['required'])
  expect(problem('short')).toEqual(['password-rules'])
  expect(problem('x'.repeat(1025))?.[0]).toBe('too-long')
  expect(problem(good)).toBeUndefined()
})

test('R13 half a surrogate pair is not a password: all of them would have the same hash', () => {
  for (const half of ['\ud83d', '\ude00'])
    expect(NewPassword.safeParse(good + half).error?.issues[0]?.message).toBe('format')
  expect(NewPassword.safeParse(`${good}😀`).success).toBe(true)
})

test('PWD-5 passwords that differ are a problem of the repeated one; the same in another form of Unicode are equal', () => {
  const set = (newPassword: string, repeatPassword: string) =>
    problemsOf(SetPasswordForm.safeParse({ newPassword, repeatPassword }))
  expect(set(good, good)).toEqual([])
  expect(set(good, `${good}!`)).toEqual([['repeatPassword', 'passwords-differ']])
  expect(set(good, ` ${good}`)).toEqual([['repeatPassword', 'passwords-differ']])
  expect(set('Zażółć-gęślą-1', 'Zażółć-gęślą-1'.normalize('NFD'))).toEqual([])
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => {
      expect(isSamePassword(left, right)).toBe(left.normalize('NFKC') === right.normalize('NFKC'))
    }),
  )
})

test('PWD-3 VAL-1 each empty field of the change of password has its own problem', () => {
  const problems = problemsOf(
    ChangePasswordForm.safeParse({ currentPassword: '', newPassword: '', repeatPassword: '' }),
  )
  const first = new Map(problems.toReversed() as [string, string][])
  expect(Object.fromEntries(first)).toEqual({
    currentPassword: 'current-password-required',
    newPassword: 'required',
    repeatPassword: 'required',
  })
  for (const [, problem] of problems) expect(fieldProblems).toContain(problem)
})

test('R37 a form takes no field that it does not know', () => {
  const result = SetPasswordForm.safeParse({ newPassword: good, repeatPassword: good, role: 'admin' })
  expect(result.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['role'] }])
})

import { describe, expect, test } from 'vitest'
import { SignInForm } from '../../contract/account.ts'
import { CodeForm } from '../../contract/one-time-code.ts'
import { ChangePasswordForm } from '../../contract/passwords.ts'
import { ApiError } from '../calls/api.ts'
import { explain } from '../text/failure-answer.tsx'
import { addFieldTexts } from '../text/field-text.ts'
import { signedInFieldTexts } from '../text/signed-in-field-text.ts'
import { afterCheck, errorText, findProblems, placeFailure, summaryText } from './form-rules.ts'
import { newPasswordTexts } from './new-password-field.tsx'

addFieldTexts(signedInFieldTexts)
addFieldTexts(newPasswordTexts)

const names = new Set(['login', 'password', 'newPassword', 'repeatPassword'])
const spaced = (text: string) => text.replaceAll('\u00a0', ' ')

describe('VAL-1 what is required has its words', () => {
  test('login and password have words of their own', () => {
    const found = findProblems(SignInForm, {})
    expect(found).toEqual({ login: 'login-required', password: 'password-required' })
    expect(errorText('pl', found['login']!)).toBe('Wpisz login lub adres e-mail')
    expect(errorText('pl', found['password']!)).toBe('Wpisz hasło')
  })

  test('the current password too, and any other field the sentence of the specification', () => {
    const found = findProblems(ChangePasswordForm, {})
    expect(errorText('pl', found['currentPassword']!)).toBe('Wpisz obecne hasło')
    expect(errorText('pl', found['newPassword']!)).toBe('Pole musi być wypełnione')
    expect(errorText('en', found['newPassword']!)).toBe('The field must be completed')
  })

  test('PWD-4 PWD-5 the rules of a new password and its repetition', () => {
    const passwords = { currentPassword: 'x', newPassword: 'za-krotkie', repeatPassword: 'inne' }
    expect(findProblems(ChangePasswordForm, passwords)).toEqual({
      newPassword: 'password-rules',
      repeatPassword: 'passwords-differ',
    })
    const good = { ...passwords, newPassword: 'Zielona-Wieza-12' }
    expect(findProblems(ChangePasswordForm, good)).toEqual({ repeatPassword: 'passwords-differ' })
    expect(errorText('pl', 'passwords-differ')).toBe('Hasła muszą być identyczne')
    expect(errorText('pl', 'password-rules')).toBe('Twoje hasło nie spełnia kryteriów bezpieczeństwa')
  })

  test('a code may be pasted with spaces and dashes', () => {
    expect(findProblems(CodeForm, { code: '481 072' })).toEqual({})
    expect(findProblems(CodeForm, { code: '48107' })).toEqual({ code: 'code-format' })
  })
})

describe('VAL-2 after a field was left or committed', () => {
  test('its problem is shown, and no field is touched that was not visited', () => {
    const found = { login: 'login-required', password: 'password-required' } as const
    expect(afterCheck({}, new Set(['login']), found)).toEqual({ login: 'login-required' })
  })

  test('an error goes as soon as it is put right', () => {
    expect(afterCheck({ login: 'login-required' }, new Set(['login']), {})).toEqual({})
  })

  test('an error of another field goes too when this one put it right', () => {
    expect(afterCheck({ repeatPassword: 'passwords-differ' }, new Set(['newPassword']), {})).toEqual({})
  })

  test('an error of the server stays until its own field is visited again', () => {
    const shown = { newPassword: { text: 'Nie można użyć poprzedniego hasła.', answer: null } }
    expect(afterCheck(shown, new Set(['repeatPassword']), {})).toEqual(shown)
    expect(afterCheck(shown, new Set(['newPassword']), {})).toEqual({})
  })
})

describe('VAL-3 a failed call is shown where it belongs', () => {
  test('field by field, by the last part of the path when the form knows no more', () => {
    const failed = new ApiError('invalid-input', 400, {
      fields: [
        { name: 'login', problem: 'too-long' },
        { name: 'password.newPassword', problem: 'password-rules' },
      ],
    })
    expect(placeFailure(explain('pl', failed), failed, {}, names)).toEqual({
      errors: { login: 'too-long', newPassword: 'password-rules' },
    })
  })

  test('above the form when no field of it is meant', () => {
    const failed = new ApiError('invalid-input', 400, { fields: [{ name: 'botProof', problem: 'required' }] })
    expect(placeFailure(explain('en', failed), failed, {}, names)).toEqual({
      errors: {},
      above: { text: 'Correct the highlighted fields.', answer: null },
    })
  })

  test('at the field that the form names for it', () => {
    const failed = new ApiError('password-used-before', 422)
    const placed = placeFailure(explain('en', failed), failed, { 'password-used-before': 'newPassword' }, names)
    expect(placed).toEqual({
      errors: { newPassword: { text: 'Can not use old password. Enter another one.', answer: expect.anything() } },
    })
  })

  test('at the field for all others, with what the server added', () => {
    const failed = new ApiError('code-wrong', 422, { entriesLeft: 1 })
    const { errors } = placeFailure(explain('en', failed), failed, { other: 'code' }, names)
    expect(errorText('en', errors['code']!)).toMatch(/1\u00a0attempt left\.$/)
  })
})

test('the summary names the field where the words do not', () => {
  expect(spaced(summaryText('pl', 'required', 'E-mail'))).toBe('E-mail: pole musi być wypełnione')
  expect(summaryText('pl', 'login-required', 'Login lub adres e-mail')).toBe('Wpisz login lub adres e-mail')
  expect(summaryText('pl', 'required', undefined)).toBe('Pole musi być wypełnione')
})

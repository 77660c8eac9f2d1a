import { expect, test } from 'vitest'
import { ApiError } from '../calls/api.ts'
import { describeFailure, failureText } from './failure-text.ts'

const spaced = (text: string) => text.replaceAll('\u00a0', ' ')

test('ERR-5 AUT-4 PWD-5 the sentences of the specification are there to the letter', () => {
  expect(failureText.unavailable.pl).toBe('Funkcjonalność jest obecnie niedostępna')
  expect(failureText['account-blocked'].pl).toBe('Twoje konto zostało zablokowane. Wymagana zmiana hasła.')
  expect(failureText['password-used-before'].en).toContain('Can not use old password')
})

test('ERR-5 every failure is at most two sentences, and a sentence that another one follows ends', () => {
  const long = Object.entries(failureText).filter(([, text]) =>
    Object.values(text).some((each) => each.split(/[.!?] /).length > 2),
  )
  expect(long).toEqual([])
  const closed = new ApiError('unavailable', 503, { retryAfter: 30 })
  expect(spaced(describeFailure('pl', closed))).toBe(
    'Funkcjonalność jest obecnie niedostępna. Spróbuj ponownie za 30 sekund.',
  )
})

test('AUT-2 a wrong code says how many entries are left, once the server reports it', () => {
  const left = (entriesLeft?: number) =>
    spaced(describeFailure('pl', new ApiError('code-wrong', 422, entriesLeft === undefined ? {} : { entriesLeft })))
  expect(left()).toBe('Kod się nie zgadza. Sprawdź ostatni SMS albo wyślij nowy kod.')
  expect(left(2)).toMatch(/ Zostało: 2 próby\.$/)
  expect(left(1)).toMatch(/ Zostało: 1 próba\.$/)
  expect(left(0)).toMatch(/ Zostało: 0 prób\.$/)
})

test.each([
  [30, 'Spróbuj ponownie za 30 sekund.', 'Try again in 30 seconds.'],
  [61, 'Spróbuj ponownie za 2 minuty.', 'Try again in 2 minutes.'],
  [900, 'Spróbuj ponownie za 15 minut.', 'Try again in 15 minutes.'],
  [86_400, 'Spróbuj ponownie za 24 godziny.', 'Try again in 24 hours.'],
])('a pause of %d seconds is described', (retryAfter, polish, english) => {
  const failed = new ApiError('too-many-attempts', 429, { retryAfter })
  expect(spaced(describeFailure('pl', failed))).toBe(`Za dużo prób. ${polish}`)
  expect(spaced(describeFailure('en', failed))).toBe(`Too many attempts. ${english}`)
})

test('a limit of a day says when it ends, and one that ends soon says “in a moment”', () => {
  const after = (retryAfter: number) => describeFailure('en', new ApiError('too-many-requests', 429, { retryAfter }))
  expect(spaced(after(7200))).toBe('Too many requests. Try again in 2 hours.')
  expect(after(30)).toBe('Too many requests at once. Try again in a moment.')
})

test('a code that this build does not know still gets a sentence', () => {
  expect(describeFailure('en', new ApiError('brand-new' as 'busy', 422))).toBe(failureText.unexpected.en)
})

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { brokenRules } from '../../contract/rules/password-rules.ts'
import { isGuessable } from './guessable-password.ts'
import { isListed } from './password-list.ts'

const owner = { login: 'mw.Krzemien85', email: 'gosia.w@mail.example', firstName: 'Małgorzata', surname: 'Wiśniewska' }
const isRefused = (password: string) => isGuessable(password, owner, 'Sygnet')

/** Expects each password to be refused or accepted. All satisfy PWD-4, so that no other rule refuses them. */
function expectEach(passwords: string[], refused: boolean) {
  for (const password of passwords)
    expect([password, brokenRules(password), isRefused(password)]).toEqual([password, [], refused])
}

test('PWD-6 R13 leaked passwords are refused with digits and marks around them, in substitutions, accents and cases', () => {
  const dressed = [
    'Password12345!',
    'P@ssw0rd!2026x',
    'Haslo1234567!',
    'Hasło-2026-2027',
    'Polska2026!!!!',
    'TRU$7no1-1-1-a',
  ]
  expectEach([...dressed, '1234567Haslo!', 'Ｐａｓｓｗｏｒｄ１２３４！', 'W@rs2@wa!!!!1', 'Kochanie!2026!'], true)
})

test('PWD-6 R13 keyboard runs, alphabet runs and repetitions are refused', () => {
  expectEach(['Qwerty123456!Q', 'Qwertyuiop123!', 'Zaq12wsxCde34rfv!', '1qaz@WSX3edc$', 'Qwerty!@#$%^1'], true)
  expectEach(
    ['Abcdefghijk1!', 'Zyxwvutsrq987!', 'Aaaaaaaaaaaa1!', 'Abcabcabcabc1!', 'PasswordPassword1!', 'Xk9#Xk9#Xk9#Xk9#'],
    true,
  )
})

test('PWD-6 the customer’s own data and the product’s name are refused, with anything between them', () => {
  expectEach(
    ['Malgorzata2026!', 'MAŁGORZATA-wiśniewska-85!', 'Wi$niewsk4-1985!', 'Krzemien85-2026!', 'mw.Krzemien85!!'],
    true,
  )
  expectEach(['Gosia-Gosia-2026!', 'Sygnet-2026-Sygnet!', 'Sygnet.Gosia.1985'], true)
  // They belong to one owner, not to everyone.
  const otherCustomer = { login: 'jnowak', email: 'jnowak@mail.example', firstName: 'Jan', surname: 'Nowak' }
  expect(isGuessable('MAŁGORZATA-wiśniewska-85!', otherCustomer, 'Sygnet')).toBe(false)
  expect(isGuessable('Nowak-Jan-198501!', otherCustomer, 'Sygnet')).toBe(true)
  expect(isGuessable('Notariat-2026-!', otherCustomer, 'Notariat')).toBe(true)
})

test('PWD-6 passphrases and what a password manager makes pass, also with a common word or a name in them', () => {
  expectEach(
    ['Zielony-żółw-je-7-jabłek', 'CorrectHorseBatteryStaple1!', 'Dobre-Haslo-2026!', 'Demo-Sygnet-2026!'],
    false,
  )
  expectEach(['aB#9$!%2&*(7)', '7392-8461-0257-Aa', 'xK7#mQ2$vL9@p', 'Gosia lubi stare lampy, 3 sztuki'], false)
})

const pick = (chars: string) => fc.constantFrom(...chars)

test('PWD-6 no digit, mark or case that is added around a listed password saves it', () => {
  const word = fc.constantFrom('password', 'haslo', 'dragon', 'kochanie', 'polska', 'agnieszka', 'superman')
  const marks = fc.array(pick('0123456789!?.-_#*'), { maxLength: 6 }).map((signs) => signs.join(''))
  const cases = fc.array(fc.boolean(), { minLength: 9, maxLength: 9 })
  fc.assert(
    fc.property(marks, word, cases, marks, (before, listed, upper, after) => {
      const typed = Array.from(listed, (letter, i) => (upper[i] ? letter.toUpperCase() : letter)).join('')
      expect(isListed(listed)).toBe(true)
      expect([typed, isRefused(before + typed + after)]).toEqual([typed, true])
      expect(isRefused((before + typed + after).normalize('NFD'))).toBe(true)
    }),
  )
})

test('PWD-6 no password that a manager draws is refused', () => {
  const all = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join('')
  const drawn = fc.array(pick(all), { minLength: 20, maxLength: 28 }).map((chars) => chars.join(''))
  fc.assert(
    fc.property(
      // Evenly over all characters, as a manager draws them: fast-check alone would prefer repetitions.
      drawn.filter((password) => new Set(password).size > 10),
      (password) => {
        expect([password, isRefused(password)]).toEqual([password, false])
      },
    ),
    { numRuns: 500 },
  )
})

test('PWD-6 every word of the list is found at any position, and nothing else is', () => {
  for (const word of ['password', 'haslo', 'polska', 'zaq12wsx', '****er']) expect(isListed(word)).toBe(true)
  for (const word of ['', '\n', 'passwordz', 'asswordx', 'password\n', 'zzzzzzzzzzzzzzzzzzzz', '!', '~'])
    expect(isListed(word)).toBe(false)
})

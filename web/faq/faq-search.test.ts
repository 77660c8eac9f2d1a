import { expect, test } from 'vitest'
import type { Locale } from '../../contract/enums.ts'
import { markedParts, matchingTopics } from './faq-search.ts'
import { topicsWithout } from './faq-text.ts'

const topics = topicsWithout(() => false)
const idsFor = (wanted: string, locale: Locale = 'pl', within = topics) =>
  matchingTopics(within, wanted, locale).flatMap(({ questions }) => questions.map(({ id }) => id))

test('FAQ-2 questions are found regardless of case and accents', () => {
  expect(idsFor('HASLO').length).toBeGreaterThan(0)
  expect(idsFor('HASLO')).toEqual(idsFor('hasło'))
  expect(idsFor('zablokowane konto')).toContain('blocked-account')
  expect(idsFor('blocked', 'en')).toContain('blocked-account')
})

test.each([
  ['pl', 'pieczęć zaproszenie', 'seal-invitation'],
  ['pl', 'znacznik odrzuca', 'timestamps-rejected'],
  ['pl', 'klucz bluetooth', 'passkey-refused'],
  ['pl', 'kopia danych', 'data-copy'],
  ['pl', 'offline internet', 'no-network'],
  ['pl', 'email', 'email-not-received'],
  ['en', 'email', 'email-not-received'],
  ['en', "can't sign in", 'sign-in-refused'],
  ['en', 'what happened history', 'activity-history'],
  ['en', 'install app', 'install-portal'],
  ['en', 'voucher wrong', 'voucher-refused'],
  ['en', 'change phone number', 'change-number'],
  ['en', 'PAdES scan', 'file-refused'],
] as const)('FAQ-2 words of the question and of its answer find it: %s %s', (locale, wanted, id) => {
  expect(idsFor(wanted, locale)).toContain(id)
})

test('FAQ-2 every word must be there, and nothing asked for shows all', () => {
  expect(idsFor('kod zzz')).toEqual([])
  expect(idsFor('  ')).toHaveLength(topics.flatMap(({ questions }) => questions).length)
})

test('FAQ-2 ERR-5 what is said of a feature that is off finds nothing', () => {
  const rest = topicsWithout((feature) => feature === 'passkeys')
  expect(idsFor('klucz dostępu').length).toBeGreaterThan(0)
  expect(idsFor('klucz dostępu', 'pl', rest)).toEqual([])
  expect(idsFor('passkey', 'en', rest)).toEqual([])
})

test.each([
  ['Nie pamiętam hasła. Co zrobić?', 'hasla', ['Nie pamiętam ', 'hasła', '. Co zrobić?']],
  ['Kod z\u00a0e-\u2060maila nie dotarł', 'email KOD', ['', 'Kod', ' z\u00a0', 'e-\u2060mail', 'a nie dotarł']],
  ['I can’t sign in', "can't in", ['I ', 'can’t', ' sign ', 'in']],
  ['kodkod kody', 'kod ody', ['', 'kodkod', ' ', 'kody']],
  ['I to jest i to', 'i', ['I to jest i to']],
  ['Bez zmian', 'klucz', ['Bez zmian']],
])('FAQ-2 what the search found is marked as it is written: %s, %s', (text, query, parts) => {
  expect(markedParts(text, query)).toEqual(parts)
})

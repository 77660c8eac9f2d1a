import { expect, test } from 'vitest'
import { matchingTopics } from './faq-search.ts'
import { topics } from './faq-text.ts'

const idsFor = (wanted: string, locale: 'pl' | 'en' = 'pl') =>
  matchingTopics(topics, wanted, locale).flatMap(({ questions }) => questions.map(({ id }) => id))

test('NAV-1 questions are found regardless of case and accents', () => {
  expect(idsFor('HASLO').length).toBeGreaterThan(0)
  expect(idsFor('HASLO')).toEqual(idsFor('hasło'))
  expect(idsFor('zablokowane konto')).toContain('blocked-account')
  expect(idsFor('blocked', 'en')).toContain('blocked-account')
})

test('NAV-1 every word must be there, and nothing asked for shows all', () => {
  expect(idsFor('kod zzz')).toEqual([])
  expect(idsFor('  ')).toHaveLength(topics.flatMap(({ questions }) => questions).length)
})

test('NAV-1 every question has an address of its own', () => {
  const ids = topics.flatMap(({ id, questions }) => [id, ...questions.map((question) => question.id)])
  expect(new Set(ids).size).toBe(ids.length)
})

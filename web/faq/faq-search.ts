import type { Locale } from '../../contract/enums.ts'
import type { ShownTopic } from './faq-text.ts'

/** The topics with the questions that contain every search term, ignoring case, accents, apostrophes and hyphens: „haslo” finds „hasło”. */
export function matchingTopics(topics: readonly ShownTopic[], query: string, locale: Locale): readonly ShownTopic[] {
  const terms = plain(query).split(/\s+/).filter(Boolean)
  if (!terms.length) return topics
  return topics
    .map((topic) => ({
      ...topic,
      questions: topic.questions.filter(({ question, answer }) => {
        const text = plain([topic.title, question, ...answer].map((part) => part[locale]).join(' '))
        return terms.every((word) => text.includes(word))
      }),
    }))
    .filter(({ questions }) => questions.length)
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}'’‐‑-]/gu, '')
    .replaceAll('ł', 'l')

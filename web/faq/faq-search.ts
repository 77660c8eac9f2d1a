import type { Locale } from '../../contract/enums.ts'
import type { ShownTopic } from './faq-text.ts'

const termsOf = (query: string) => plain(query).split(/\s+/).filter(Boolean)

/**
 * Returns the topics with the questions that contain every search term, ignoring case, accents, apostrophes and hyphens: „haslo” finds
 * „hasło”.
 */
export function matchingTopics(topics: readonly ShownTopic[], query: string, locale: Locale): readonly ShownTopic[] {
  const terms = termsOf(query)
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

/**
 * Splits a text into parts; every second one, from the second on, is a search hit. A single letter is found everywhere, so it is not
 * marked.
 */
export function markedParts(text: string, query: string): string[] {
  const terms = termsOf(query).filter((term) => term.length > 1)
  if (!terms.length) return [text]
  // What the search compares, and for each of its characters the one of the text that it came from.
  let searched = ''
  const origins: number[] = []
  const chars = [...text]
  for (const [index, char] of chars.entries()) {
    const compared = char === '\u2060' ? '' : plain(char)
    searched += compared
    origins.push(...Array.from(compared.split(''), () => index))
  }
  const isFound = chars.map(() => false)
  for (const term of terms)
    for (let at = searched.indexOf(term); at >= 0; at = searched.indexOf(term, at + 1))
      isFound.fill(true, origins[at], origins[at + term.length - 1]! + 1)
  const parts = ['']
  for (const [index, char] of chars.entries()) {
    if (isFound[index] !== (parts.length % 2 === 0)) parts.push('')
    parts[parts.length - 1] += char
  }
  return parts
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}'’‐‑-]/gu, '')
    .replaceAll('ł', 'l')

import type { Locale } from '../../contract/enums.ts'
import type { Topic } from './faq-text.ts'

/** The topics with the questions that hold every word asked for, whatever its case and accents: „haslo” finds „hasło”. */
export function matchingTopics(topics: readonly Topic[], wanted: string, locale: Locale): readonly Topic[] {
  const words = plain(wanted).split(/\s+/).filter(Boolean)
  if (!words.length) return topics
  return topics
    .map((topic) => ({
      ...topic,
      questions: topic.questions.filter(({ question, answer }) => {
        const text = plain([topic.title, question, ...answer].map((part) => part[locale]).join(' '))
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter(({ questions }) => questions.length)
}

const plain = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l')

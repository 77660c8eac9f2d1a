import { type Text, keysOf } from '../../contract/enums.ts'
import type { Feature } from '../../contract/features.ts'
import { isOffered, questions, type FeatureText, type QuestionId } from '../text/questions.ts'
import { accountTopics } from './account-answers.ts'
import { certificateTopics } from './certificate-answers.ts'
import { documentTopics, portalTopics, serviceTopics } from './service-answers.ts'

export type ShownQuestion = { id: QuestionId; question: FeatureText; answer: readonly FeatureText[] }
/** Checks whether an answer refers the customer to the support, whose number then follows it. */
export const namesSupport = (answer: readonly FeatureText[]) =>
  answer.some(({ pl }) => pl.toLowerCase().includes('zadzwoń do nas'))

export type ShownTopic = { id: string; title: Text; questions: readonly ShownQuestion[] }

/** Visitors ask first how to sign in, customers what they do with their documents and certificates. */
const topicsFor = {
  visitors: [...accountTopics, ...certificateTopics, ...documentTopics, ...serviceTopics, ...portalTopics],
  customers: [...documentTopics, ...certificateTopics, ...serviceTopics, ...accountTopics, ...portalTopics],
}

/** Returns the topics that the page shows with the features that are on. */
export const topicsWithout = (
  isOff: (feature: Feature) => boolean,
  reader: keyof typeof topicsFor = 'visitors',
): readonly ShownTopic[] =>
  topicsFor[reader]
    .map(({ id, title, answers }) => ({
      id,
      title,
      questions: keysOf(answers)
        .filter((name) => isOffered(questions[name], isOff))
        .map((name) => ({
          id: name,
          question: questions[name],
          answer: answers[name]!.filter((paragraph) => isOffered(paragraph, isOff)),
        })),
    }))
    .filter((topic) => topic.questions.length)

/** Questions that the support is asked most, above the topics: by people who cannot sign in, and by those who have signed in. */
export const commonQuestions = {
  visitors: ['forgot-password', 'code-not-received', 'lost-number', 'lost-device', 'sign-document'],
  customers: ['sign-document', 'pair-app', 'when-to-renew', 'connect-timestamps', 'use-voucher'],
} as const satisfies Record<string, readonly QuestionId[]>

import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { locales, keysOf } from '../../contract/enums.ts'
import { featureNames, findFeature, neededBy, type Feature } from '../../contract/features.ts'
import { ApiError, type FailureCode } from '../calls/api.ts'
import { answerOf, explain } from '../text/failure-answer.tsx'
import { isOffered, questions } from '../text/questions.ts'
import { accountTopics } from './account-answers.ts'
import { namesSupport, topicsWithout } from './faq-text.ts'
import { documentTopics } from './service-answers.ts'

const modules = import.meta.glob<Record<string, unknown>>(['../../contract/*.ts', '!../../contract/*.test.ts'], {
  eager: true,
})
const isEndpoint = (value: unknown): value is Endpoint =>
  value instanceof Object && 'method' in value && 'path' in value && 'access' in value
const customerCalls = Object.values(modules)
  .flatMap((module) => Object.values(module).filter(isEndpoint))
  .filter(({ access }) => access !== 'provider')

const all = topicsWithout(() => false)
const idsOf = (topics: typeof all) => topics.flatMap((topic) => topic.questions.map(({ id }) => id))

/** Their texts say everything, or the list is to be loaded again. */
const withoutQuestion: FailureCode[] = ['cursor-refused', 'invalid-input', 'phone-unchanged']

describe('FAQ-1 the questions', () => {
  test('are each in one topic, with an id of their own and an answer in both languages', () => {
    expect(idsOf(all).toSorted()).toEqual(keysOf(questions).toSorted())
    const ids = [...all.map(({ id }) => id), ...idsOf(all)]
    expect(new Set(ids).size).toBe(ids.length)
    for (const { question, answer } of all.flatMap((topic) => topic.questions)) {
      expect(answer.length).toBeGreaterThan(0)
      for (const locale of locales)
        for (const text of [question, ...answer]) expect(text[locale].length).toBeGreaterThan(9)
    }
  })

  test('UIX-37 that send to the support do so in both languages, so that its number follows in both', () => {
    const shown = all.flatMap((topic) => topic.questions)
    const inEnglish = shown.filter(({ answer }) => answer.some(({ en }) => en.toLowerCase().includes('call us')))
    expect(inEnglish.length).toBeGreaterThan(9)
    expect(shown.filter(({ answer }) => namesSupport(answer)).map(({ id }) => id)).toEqual(
      inEnglish.map(({ id }) => id),
    )
  })

  test('cover documents, seals, timestamps, vouchers, passkeys and the phone number', () => {
    const wanted = ['portal', 'documents', 'seals', 'timestamps', 'vouchers', 'passkeys', 'phone', 'renewal', 'sign-in']
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(wanted))
  })
})

test('FAQ-1 visitors first read about signing in, and customers about documents', () => {
  const orderFor = (reader: 'visitors' | 'customers') => topicsWithout(() => false, reader).map(({ id }) => id)
  const [visitors, customers] = [orderFor('visitors'), orderFor('customers')]
  expect([visitors[0], customers[0]]).toEqual([accountTopics[0]!.id, documentTopics[0]!.id])
  expect(customers.toSorted()).toEqual(visitors.toSorted())
})

test('FAQ-1 ERR-5 a feature that is off has no question, and a topic without questions is gone', () => {
  for (const feature of featureNames) {
    const topics = topicsWithout((name) => name === feature)
    for (const { question, answer } of topics.flatMap((topic) => topic.questions))
      for (const text of [question, ...answer]) expect(text.features).not.toEqual([feature])
  }
  const rest = topicsWithout(() => true)
  expect(rest.map(({ id }) => id)).toEqual(['sign-in', 'codes', 'phone', 'blocking', 'certificates', 'portal'])
  expect(rest.flatMap((topic) => topic.questions).every(({ answer }) => answer.length > 0)).toBe(true)
})

describe('FAQ-4 the failures', () => {
  test('lead to questions that the page has', () => {
    expect(idsOf(all)).toEqual(expect.arrayContaining(Object.values(answerOf).filter((id) => id !== null)))
  })

  test('that a customer can get have a question, unless their text says everything', () => {
    const codes = new Set(customerCalls.flatMap(({ errors = [] }) => errors))
    expect(codes.size).toBeGreaterThan(30)
    expect([...codes].filter((code) => answerOf[code] === null && !withoutQuestion.includes(code))).toEqual([])
  })

  test('of a feature have their answer while only this feature is on', () => {
    const missing = customerCalls.flatMap((endpoint) => {
      const feature = findFeature(endpoint)
      if (!feature || feature === 'always') return []
      // What cannot be signed is a document, an agreement or a file.
      const signs: Feature[] = ['signing', 'documents', 'renewal', 'file-signing']
      const isOn = (name: Feature) =>
        name === feature || neededBy(name).includes(feature) || (signs.includes(name) && signs.includes(feature))
      return (endpoint.errors ?? []).filter((code) => {
        const id = answerOf[code]
        return id && !isOffered(questions[id], (name) => !isOn(name))
      })
    })
    expect(missing).toEqual([])
  })

  test('keep their text, and one that this build does not know leads to the usual answer', () => {
    const unknown = explain('en', new ApiError('brand-new' as 'busy', 422))
    // With the number to call.
    expect(unknown.answer).toMatchObject({
      props: { children: expect.arrayContaining([expect.objectContaining({ props: { to: 'portal-unavailable' } })]) },
    })
    expect(explain('pl', new ApiError('phone-unchanged', 422)).answer).toBeNull()
    expect(explain('en', new ApiError('passkeys-full', 422)).answer).toMatchObject({ props: { to: 'add-passkey' } })
    expect(explain('pl', new ApiError('login-refused', 422))).toMatchObject({
      text: 'Login lub hasło się nie zgadza. Sprawdź je i\u00a0spróbuj ponownie.',
      answer: { props: { to: 'sign-in-refused' } },
    })
  })
})

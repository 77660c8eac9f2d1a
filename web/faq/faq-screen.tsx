import { useEffect, useId, useRef, useState } from 'react'
import { useLocale, useText } from '../locale.tsx'
import { Heading } from '../page-head.tsx'
import { usePage } from '../page-title.ts'
import { plural } from '../text/format.ts'
import { Accordion } from '../ui/accordion.tsx'
import { Button } from '../ui/button.tsx'
import { SupportLine } from '../support-line.tsx'
import { config } from '../config.ts'
import { matchingTopics } from './faq-search.ts'
import { topics } from './faq-text.ts'
import { MailLink } from '../ui/verbatim.tsx'
import './faq.css'

const heading = {
  title: { pl: 'Pytania i\u00a0odpowiedzi', en: 'Questions and answers' },
  lede: {
    pl: 'O\u00a0logowaniu, kodach, certyfikatach, aplikacji i\u00a0odnowieniu.',
    en: 'About signing in, codes, certificates, the app and renewal.',
  },
}

/** Questions that open to their answers, each with an address of its own (`/faq#forgot-password`). */
export function FaqScreen() {
  const t = useText()
  const locale = useLocale()
  const field = useId()
  const search = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState('')
  // It may have been typed into before hydration (UIX-5).
  useEffect(() => setWanted(search.current?.value ?? ''), [])
  usePage(heading)
  const found = matchingTopics(topics, wanted, locale)
  const count = found.reduce((sum, topic) => sum + topic.questions.length, 0)

  return (
    <div className="faq">
      <Heading {...heading} />
      <search className="field faq__search">
        <label htmlFor={field}>{t({ pl: 'Szukaj w\u00a0pytaniach', en: 'Search the questions' })}</label>
        <input
          ref={search}
          id={field}
          className="input"
          type="search"
          autoComplete="off"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        <p className="hint" role="status">
          {wanted.trim() && countText(locale, count)}
        </p>
      </search>
      {found.map((topic) => (
        <section key={topic.id} className="faq__topic" aria-labelledby={`topic-${topic.id}`}>
          <h2 id={`topic-${topic.id}`}>{t(topic.title)}</h2>
          <Accordion
            items={topic.questions.map(({ id, question, answer }) => ({
              id,
              title: t(question),
              content: answer.map((paragraph) => <p key={paragraph.en}>{t(paragraph)}</p>),
            }))}
          />
        </section>
      ))}
      {count === 0 && (
        <p className="btns">
          {t({ pl: 'Spróbuj innego słowa albo zapytaj nas.', en: 'Try another word, or ask us.' })}
          <Button size="s" onClick={() => setWanted('')}>
            {t({ pl: 'Pokaż wszystkie pytania', en: 'Show all questions' })}
          </Button>
        </p>
      )}
      <section className="faq__contact">
        <h2 className="h-s">{t({ pl: 'Nie ma tu Twojego pytania?', en: 'Can’t find your question?' })}</h2>
        <p>
          {t({ pl: 'Zadzwoń: ', en: 'Call us: ' })}
          <SupportLine />
        </p>
        <p>
          {t({ pl: 'Napisz: ', en: 'Write to us: ' })}
          <MailLink to={config.brand.email} />
        </p>
      </section>
    </div>
  )
}

function countText(locale: 'pl' | 'en', count: number) {
  const forms =
    locale === 'pl'
      ? { one: 'pytanie', few: 'pytania', many: 'pytań', other: 'pytania' }
      : { one: 'question', other: 'questions' }
  if (!count) return locale === 'pl' ? 'Nie ma takich pytań.' : 'No questions found.'
  return `${locale === 'pl' ? 'Znaleziono' : 'Found'}: ${count} ${plural(locale, count, forms)}`
}

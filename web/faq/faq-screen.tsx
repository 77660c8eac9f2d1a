import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { Locale } from '../../contract/enums.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { Heading } from '../app/page-head.tsx'
import { usePage } from '../app/page-title.ts'
import { useHandover } from '../app/screen-handover.ts'
import { useCurrentSession } from '../app/session.tsx'
import { faqTitle } from '../app/support-line.tsx'
import { Icon } from '../art/icons.tsx'
import { BackToSignIn } from '../layouts/back-to-sign-in.tsx'
import { plural } from '../text/format.ts'
import { isOffered, questions, type FeatureText, type QuestionId } from '../text/questions.ts'
import { Button } from '../ui/button.tsx'
import { CallButton, Contacts } from '../ui/call-button.tsx'
import { Link } from '../ui/link.tsx'
import { markedParts, matchingTopics } from './faq-search.ts'
import { commonQuestions, namesSupport, topicsWithout, type ShownTopic } from './faq-text.ts'
import './faq.css'

const heading = {
  title: faqTitle,
  lede: {
    pl: 'O\u00a0logowaniu, kodach, certyfikatach, dokumentach i\u00a0działaniu portalu.',
    en: 'Frequently asked questions about signing in, codes, certificates, documents and the portal itself.',
  },
}

/** Shows questions that open to their answers, each with an address of its own (`/faq#forgot-password`). */
export function FaqScreen() {
  const t = useText()
  const field = useId()
  const search = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState('')
  // The field may have been typed into before hydration (UIX-5).
  useEffect(() => setWanted(search.current?.value ?? ''), [])
  useHandover(wanted, setWanted)
  usePage(heading)
  const reader = useCurrentSession() ? 'customers' : 'visitors'
  const topics = topicsWithout(isOff, reader)
  useNamedPart(reader, () => setWanted(''))
  const found = matchingTopics(topics, wanted, t.locale)
  const count = found.reduce((sum, topic) => sum + topic.questions.length, 0)
  const isSearching = !!wanted.trim()

  return (
    <div className="faq">
      <BackToSignIn />
      <Heading {...heading} />
      <search className="field faq__search">
        <label htmlFor={field}>{t({ pl: 'Szukaj w\u00a0pytaniach', en: 'Search the FAQ' })}</label>
        <input
          ref={search}
          id={field}
          className="input"
          type="search"
          autoComplete="off"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        <Icon name="search" />
        <p className="hint" role="status">
          {isSearching && foundText(t.locale, count)}
        </p>
      </search>
      <div className="faq__body">
        {!isSearching && <CommonQuestions reader={reader} />}
        <div className="faq__all">
          {found.map((topic) => (
            <Topic
              key={`${topic.id} ${isSearching}`}
              topic={topic}
              query={wanted.trim()}
              // A search opens its first result, so that it shows an answer, and not questions alone.
              opened={isSearching ? found[0]!.questions[0]!.id : undefined}
            />
          ))}
          {count === 0 && (
            <p className="buttons">
              {t({ pl: 'Spróbuj innego słowa albo zapytaj nas.', en: 'Try another word, or ask us.' })}
              <Button size="s" onClick={() => setWanted('')}>
                {t({ pl: 'Pokaż wszystkie pytania', en: 'Show all questions' })}
              </Button>
            </p>
          )}
        </div>
        <section className="faq__contact">
          <h2 className="small-heading">{t({ pl: 'Nie ma tu odpowiedzi?', en: 'Can’t find the answer?' })}</h2>
          <Contacts isShort />
        </section>
      </div>
    </div>
  )
}

function CommonQuestions({ reader }: { reader: keyof typeof commonQuestions }) {
  const t = useText()
  const title = useId()
  return (
    <nav className="faq__common" aria-labelledby={title}>
      <h2 id={title} className="small-heading">
        {t({ pl: 'Najczęstsze pytania', en: 'Most asked' })}
      </h2>
      <ul>
        {commonQuestions[reader]
          .map((id) => ({ id, question: questions[id] }))
          .filter(({ question }) => isOffered(question, isOff))
          .map(({ id, question }) => (
            <li key={id}>
              <Link to={`#${id}`}>{t(question)}</Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}

type AccordionItem = {
  /** Id of the summary, because the browser focuses the target of an address only if it can take the focus. */
  id: string
  title: ReactNode
  content: ReactNode
  isOpen?: boolean
}

/** Shows questions that open to their answers. The elements are native, so it works without script and in the browser's own search. */
const Accordion = ({ items }: { items: readonly AccordionItem[] }) => (
  <div className="accordion">
    {items.map(({ id, title, content, isOpen }) => (
      <details key={id} open={isOpen}>
        <summary id={id}>
          <h3>{title}</h3>
          <Icon name="down" />
        </summary>
        <div className="accordion__body">{content}</div>
      </details>
    ))}
  </div>
)

/** Shows a topic. The closed topics serve as the list of topics; a search opens those that it finds. */
function Topic({ topic, query, opened }: { topic: ShownTopic; query: string; opened: QuestionId | undefined }) {
  const t = useText()
  return (
    <details className="faq__topic" open={!!query}>
      <summary id={topic.id}>
        <h2>
          <Marked text={t(topic.title)} query={query} />
        </h2>
        <span className="faq__count">{questionCount(t.locale, topic.questions.length)}</span>
        <Icon name="down" />
      </summary>
      <Accordion
        items={topic.questions.map(({ id, question, answer }) => ({
          id,
          title: <Marked text={t(question)} query={query} />,
          isOpen: id === opened,
          content: (
            <>
              {answer.map((paragraph) => (
                <Paragraph key={paragraph.en} text={paragraph} query={query} />
              ))}
              {namesSupport(answer) && <CallButton />}
            </>
          ),
        }))}
      />
    </details>
  )
}

function Paragraph({ text, query }: { text: FeatureText; query: string }) {
  const t = useText()
  return (
    <p>
      <Marked text={t(text)} query={query} />
    </p>
  )
}

/** Shows a text with the search hits marked. */
const Marked = ({ text, query }: { text: string; query: string }) =>
  markedParts(text, query).map((part, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- the parts have nothing else that tells them apart
    index % 2 ? <mark key={index}>{part}</mark> : part,
  )

/**
 * Opens the question that the address names, or shows the topic, and focuses it, after the page has focused its heading. A later
 * address ends the search, which may have hidden that part. A customer, who is known later than the page, gets another order of topics.
 */
function useNamedPart(reader: string, endSearch: () => void) {
  const location = useLocation()
  const { hash } = location
  const [shown, setShown] = useState(location)
  if (shown !== location) {
    setShown(location)
    if (hash) endSearch()
  }
  const order = useRef(reader)
  useEffect(() => {
    const isReordered = order.current !== reader
    order.current = reader
    const part = hash && document.querySelector<HTMLElement>(`.faq [id="${CSS.escape(hash.slice(1))}"]`)
    if (!part) return
    // The reader may be elsewhere by now.
    if (isReordered && document.activeElement !== part && document.activeElement !== document.body) return
    for (let each = part.closest('details'); each; each = each.parentElement!.closest('details')) each.open = true
    part.focus({ preventScroll: true })
    part.scrollIntoView()
  }, [hash, location, reader])
}

function questionCount(locale: Locale, count: number) {
  const forms =
    locale === 'pl'
      ? { one: 'pytanie', few: 'pytania', many: 'pytań', other: 'pytania' }
      : { one: 'question', other: 'questions' }
  return `${count} ${plural(locale, count, forms)}`
}

function foundText(locale: Locale, count: number) {
  if (!count) return locale === 'pl' ? 'Nie znaleziono pytań.' : 'No questions found.'
  const counted = questionCount(locale, count)
  return locale === 'pl' ? `Znaleziono ${counted}.` : `${counted} found.`
}

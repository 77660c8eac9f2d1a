import { inLocale, pages } from '../../contract/pages.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { isOffered, questions, type QuestionId } from './questions.ts'
import './answer-link.css'

/** Leads from a message to its answer on the FAQ page, in a new tab, so that nothing typed or begun is lost (FAQ-4). */
export function AnswerLink({ to }: { to: QuestionId }) {
  const t = useText()
  if (isOff(pages.faq.path) || !isOffered(questions[to], isOff)) return null
  const question = t(questions[to])
  const lastWord = question.lastIndexOf(' ') + 1
  return (
    <a className="answer" href={inLocale(t.locale, `${pages.faq.path}#${to}`)} target="_blank">
      {question.slice(0, lastWord)}
      {/* The drawing is never alone on a line. */}
      <span className="nowrap">
        {question.slice(lastWord)}
        <Icon name="external" size="s" />
      </span>
      <span className="unseen">{t({ pl: ' (otwiera się w\u00a0nowej karcie)', en: ' (opens in a new tab)' })}</span>
    </a>
  )
}

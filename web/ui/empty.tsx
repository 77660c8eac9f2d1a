import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import type { IconName } from '../art/icons.tsx'
import { Medallion, type Family } from '../art/medallion.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import type { QuestionId } from '../text/questions.ts'
import { Button } from './button.tsx'
import { OfList } from './list-name.tsx'

type Props = {
  title?: string
  reason: ReactNode
  action?: ReactNode
  /** Question that a customer with an empty list asks first. */
  answer?: QuestionId
  family?: Family | undefined
  /** Icon of a list that belongs to no family of products. */
  icon?: IconName | undefined
}

/** Shows why a list is empty, and what to do (ERR-5). An error is never shown as empty. */
export function Empty({ title, reason, action, answer, family = 'signature', icon }: Props) {
  const t = useText()
  return (
    <div className="empty">
      <Medallion family={family} icon={icon} size={96} isOff />
      <p className="empty__title">{title ?? t({ pl: 'Brak danych', en: 'No data' })}</p>
      <p className="soft">{reason}</p>
      {action}
      {answer && <AnswerLink to={answer} />}
    </div>
  )
}

export type EmptyTexts = Omit<Props, 'title' | 'reason'> & {
  /** Text that nothing matches the filters. */
  noMatch: Text
  /** Reason why the list is empty. */
  reason: Text
}

/** `onClear` clears the filters, where some are set. */
type ListProps = EmptyTexts & { onClear: (() => void) | undefined }

/** Shows a list without entries, or without a match for its filters. */
export function EmptyList({ noMatch, reason, onClear, ...empty }: ListProps) {
  const t = useText()
  if (!onClear) return <Empty {...empty} reason={t(reason)} />
  const clear = (
    <Button onClick={onClear}>
      <span>
        {t({ pl: 'Wyczyść filtry', en: 'Clear filters' })}
        <OfList />
      </span>
    </Button>
  )
  return <Empty family={empty.family} icon={empty.icon} reason={t(noMatch)} action={clear} />
}

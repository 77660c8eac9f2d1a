import type { DocumentCase } from '../../contract/documents.ts'
import { refusalText } from '../../contract/refusal-text.ts'
import { useText } from '../locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { Notice } from '../ui/notice.tsx'
import { SupportLine } from '../support-line.tsx'
import { afterRefusal } from './document-text.ts'

/** DOC-6: why an upload was refused, and what to do. */
export function RefusalNotice({ refusal: { reason, note } }: { refusal: NonNullable<DocumentCase['refusal']> }) {
  const t = useText()
  const { why, advice } = refusalText[reason]
  return (
    <Notice
      kind="err"
      title={`${t({ pl: 'Nie przyjęliśmy przesłanego pliku.', en: 'We didn’t accept the file you uploaded.' })} ${t(why)}`}
    >
      {note && <p>{t(note)}</p>}
      <p>
        {t(advice)} {t(afterRefusal)} <SupportLine />. <AnswerLink to="file-refused" />
      </p>
    </Notice>
  )
}

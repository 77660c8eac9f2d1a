import type { DocumentCase } from '../../contract/documents.ts'
import { refusalText } from '../../contract/refusal-text.ts'
import { CallButton } from '../calls/call-button.tsx'
import { useText } from '../app/locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { Notice } from '../ui/notice.tsx'
import { afterRefusal } from './document-text.ts'

/** DOC-6: why an upload was refused, in the provider’s own words where there are any, and what to do. */
export function RefusalNotice({ refusal: { reason, note } }: { refusal: NonNullable<DocumentCase['refusal']> }) {
  const t = useText()
  return (
    <Notice
      kind="err"
      title={`${t({ pl: 'Nie przyjęliśmy przesłanego pliku.', en: 'We didn’t accept the file you uploaded.' })} ${t(note ?? refusalText[reason].why)}`}
    >
      <p>
        {t(afterRefusal[reason])} <AnswerLink to="file-refused" />
      </p>
      <CallButton />
    </Notice>
  )
}

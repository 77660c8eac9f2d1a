import type { ReactNode } from 'react'
import type { DocumentCase } from '../../contract/documents.ts'
import { useText } from '../app/locale.tsx'
import { Submit } from '../ui/form.tsx'
import { AccessCodeField } from './access-code-field.tsx'

type Props = { document: DocumentCase; onCodeSent: () => void; children: ReactNode }

/** The fields to open a locked file with its document's code, for its preview only; the form around them does it. */
export function UnlockFields({ document, onCodeSent, children }: Props) {
  const t = useText()
  return (
    <>
      <p>{children}</p>
      <AccessCodeField document={document} onSent={onCodeSent} />
      <p>
        <Submit variant="secondary" size="s" icon="eye" busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })}>
          {t({ pl: 'Pokaż podgląd', en: 'Show preview' })}
        </Submit>
      </p>
    </>
  )
}

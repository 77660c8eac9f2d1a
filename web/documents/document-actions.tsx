import { documentActions, type DocumentCase } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import type { IconName } from '../art/icons.tsx'
import { readAndSignText } from '../text/product-text.ts'
import { Button } from '../ui/button.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { CaseName } from './case-name.tsx'
import { documentDescription } from './document-text.ts'

export type DocumentDialog = 'download' | 'sign-here' | 'upload' | 'details'

/** The watch over documents that are still being generated; `isLate` once that takes longer than usual. */
export type Watch = { isLate: boolean; isChecking: boolean; hasFailed: boolean; check: () => void }

type Props = {
  document: DocumentCase
  watch: Watch | undefined
  isForemost: boolean
  onOpen: (dialog: DocumentDialog, document: DocumentCase) => void
}

/** Shows the actions of a row, each with the name of the row in its own (UIX-20). */
export function DocumentActions({ document, watch, isForemost, onOpen }: Props) {
  const t = useText()
  const can = documentActions(document)
  const which = t(documentDescription(document))
  const open = (dialog: DocumentDialog) => ({
    size: 's' as const,
    'aria-haspopup': 'dialog' as const,
    onClick: () => onOpen(dialog, document),
  })
  const button = (dialog: DocumentDialog, icon: IconName, label: Text, isPrimary: boolean) => (
    <Button {...open(dialog)} variant={isPrimary ? 'primary' : 'secondary'} icon={icon}>
      <span>
        {t(label)}
        <span className="unseen">
          {' '}
          (<CaseName document={document} />)
        </span>
      </span>
    </Button>
  )

  if (watch) return <CheckAgain watch={watch} which={which} />
  const signsHere = can.includes('sign-here')
  const uploads = can.includes('upload')
  // DOC-10: where the document can be signed here, its download and upload come second.
  const isFirst = isForemost && !signsHere
  if (!signsHere && !uploads && !can.includes('download') && !can.includes('download-signed')) return null
  return (
    <div className="row-buttons">
      {signsHere && button('sign-here', 'pen', readAndSignText, isForemost)}
      {button('download', 'download', { pl: 'Pobierz', en: 'Download' }, isFirst && !uploads)}
      {uploads && button('upload', 'upload', { pl: 'Prześlij podpisany plik', en: 'Upload signed file' }, isFirst)}
    </div>
  )
}

/** Shows a button to check again while the document is still being generated (DOC-7). */
function CheckAgain({ watch: { isLate, hasFailed, isChecking, check }, which }: { watch: Watch; which: string }) {
  const t = useText()
  return (
    <div className="documents__check">
      <RetryButton
        isCheck
        size="s"
        isBusy={isChecking}
        busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}
        aria-label={t({ pl: `Sprawdź ponownie: ${which}`, en: `Check again: ${which}` })}
        onClick={check}
      />
      <p className="hint" role="status">
        {hasFailed
          ? t({ pl: 'Nie udało się sprawdzić. Spróbuj ponownie.', en: 'We couldn’t check. Try again.' })
          : isLate
            ? t({
                pl: 'To trwa dłużej niż zwykle. Spróbuj ponownie za chwilę.',
                en: 'This is taking longer than usual. Try again in a moment.',
              })
            : t({
                pl: 'Przygotowujemy dokument. Spróbuj za chwilę.',
                en: 'We’re preparing the document. Try again shortly.',
              })}
      </p>
    </div>
  )
}

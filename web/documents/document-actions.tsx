import { documentActions, type DocumentCase } from '../../contract/documents.ts'
import { useText } from '../locale.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import type { DocumentDialog, Watch } from './document-table.tsx'
import { whichText } from './document-text.ts'

type Props = {
  document: DocumentCase
  watch: Watch | undefined
  foremost: boolean
  onOpen: (dialog: DocumentDialog, document: DocumentCase) => void
}

/** The verbs of a row, each named for it (ux 5.8). */
export function DocumentActions({ document, watch, foremost, onOpen }: Props) {
  const t = useText()
  const can = documentActions(document)
  const which = t(whichText(document))
  const open = (dialog: DocumentDialog) => ({
    size: 's' as const,
    'aria-haspopup': 'dialog' as const,
    onClick: () => onOpen(dialog, document),
  })
  const named = <span className="vh">: {which}</span>

  if (watch) return <CheckAgain watch={watch} which={which} />
  if (can.includes('upload')) {
    const signsHere = can.includes('sign-here')
    return (
      <div className="acts">
        {signsHere && (
          <Button {...open('sign-here')} variant={foremost ? 'primary' : 'secondary'} icon="pen">
            <span>
              {t({ pl: 'Podpisz tutaj', en: 'Sign here' })}
              {named}
            </span>
          </Button>
        )}
        <span className="docs__pair">
          {can.includes('download') && (
            <IconButton
              {...open('download')}
              variant="secondary"
              icon="download"
              label={t({ pl: `Pobierz ponownie: ${which}`, en: `Download again: ${which}` })}
            />
          )}
          <Button {...open('upload')} variant={foremost && !signsHere ? 'primary' : 'secondary'} icon="upload">
            <span>
              {t({ pl: 'Prześlij podpisany', en: 'Send the signed one' })}
              {named}
            </span>
          </Button>
        </span>
      </div>
    )
  }
  if (!can.includes('download') && !can.includes('download-signed')) return null
  return (
    <div className="acts">
      <Button {...open('download')} variant={foremost ? 'primary' : 'secondary'} icon="download">
        <span>
          {t({ pl: 'Pobierz', en: 'Download' })}
          {named}
        </span>
      </Button>
    </div>
  )
}

/** DOC-7: the document is still being made. */
function CheckAgain({ watch: { late, failed, checking, check }, which }: { watch: Watch; which: string }) {
  const t = useText()
  return (
    <div className="docs__check">
      <Button
        size="s"
        icon="refresh"
        busy={checking}
        busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}
        aria-label={t({ pl: `Sprawdź ponownie: ${which}`, en: `Check again: ${which}` })}
        onClick={check}
      >
        {t({ pl: 'Sprawdź ponownie', en: 'Check again' })}
      </Button>
      <p className="hint" role="status">
        {failed
          ? t({ pl: 'Nie udało się sprawdzić. Spróbuj ponownie.', en: 'Could not check. Try again.' })
          : late
            ? t({
                pl: 'To trwa dłużej niż zwykle. Spróbuj za chwilę.',
                en: 'This takes longer than usual. Try in a moment.',
              })
            : t({ pl: 'Dokument powstaje. Spróbuj za chwilę.', en: 'Being generated. Try again shortly.' })}
      </p>
    </div>
  )
}

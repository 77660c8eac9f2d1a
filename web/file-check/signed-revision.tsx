import { useMemo, useState, type ReactNode } from 'react'
import type { Locale } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { Button } from '../ui/button.tsx'
import { saveFile } from '../ui/save-file.ts'
import type { Addition } from './later-additions.tsx'
import type { RevisionDialogProps } from './revision-dialog.tsx'

const RevisionDialog = partOnDemand<RevisionDialogProps>(() =>
  import('./revision-dialog.tsx').then((module) => module.RevisionDialog),
)

type Props = {
  file: File
  password: string
  /** The length of the file up to the end of what the signature covers. */
  end: number
  /** The number of the signature, for the name of its revision. */
  number: number
  /** Whether nothing was added later. */
  isNewest: boolean
  /** Later additions, if nothing else was changed. */
  additions: readonly Addition[] | undefined
  /** Whether the shown content is certainly as it was signed. */
  isUnchanged: boolean
  /** Text that tells the buttons of several signatures apart. */
  which: ReactNode
}

/**
 * Opens the file as it was signed, to read; if something was added later, it is shown next to the current version and can be saved (CHK-9).
 */
export function SignedRevision({ file, password, end, number, isNewest, additions, isUnchanged, which }: Props) {
  const t = useText()
  const [isOpen, setIsOpen] = useState(false)
  const signed = useMemo(() => (isNewest ? undefined : file.slice(0, end, 'application/pdf')), [file, end, isNewest])
  return (
    <span className="buttons">
      <Button size="s" icon="document" onClick={() => setIsOpen(true)}>
        <span>
          {signed
            ? t({ pl: 'Porównaj wersje', en: 'Compare versions' })
            : t({ pl: 'Otwórz dokument', en: 'Open the document' })}
          {which}
        </span>
      </Button>
      {signed && (
        <Button size="s" icon="download" onClick={() => saveFile(signed, signedName(t.locale, file.name, number))}>
          <span>
            {t({ pl: 'Pobierz tę wersję', en: 'Download this version' })}
            {which}
          </span>
        </Button>
      )}
      {isOpen && (
        <RevisionDialog
          file={file}
          password={password}
          signed={signed}
          additions={additions}
          isUnchanged={isUnchanged}
          onClose={() => setIsOpen(false)}
        />
      )}
    </span>
  )
}

/** Returns the name of a signed revision: `umowa.pdf` → `umowa-podpis-1.pdf`. */
const signedName = (locale: Locale, name: string, number: number) =>
  `${name.toLowerCase().endsWith('.pdf') ? name.slice(0, -4) : name}-${{ pl: 'podpis', en: 'signature' }[locale]}-${number}.pdf`

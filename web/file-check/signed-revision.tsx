import { useMemo, useState, type ReactNode } from 'react'
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
  /** Nothing was added later. */
  isNewest: boolean
  /** What was added, where nothing else was changed. */
  additions: readonly Addition[] | undefined
  /** What is shown is certainly as it was signed. */
  isUnchanged: boolean
  /** Tells the buttons of several signatures apart. */
  which: ReactNode
}

/** CHK-9: the file as it was signed, to read, where something was added later next to the current one and to save. */
export function SignedRevision({ file, password, end, number, isNewest, additions, isUnchanged, which }: Props) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const signed = useMemo(() => (isNewest ? undefined : file.slice(0, end, 'application/pdf')), [file, end, isNewest])
  return (
    <span className="btns">
      <Button size="s" icon="doc" onClick={() => setOpen(true)}>
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
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}

/** `umowa.pdf` → `umowa-podpis-1.pdf`. */
const signedName = (locale: 'pl' | 'en', name: string, number: number) =>
  `${name.toLowerCase().endsWith('.pdf') ? name.slice(0, -4) : name}-${{ pl: 'podpis', en: 'signature' }[locale]}-${number}.pdf`

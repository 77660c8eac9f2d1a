import { useState } from 'react'
import { useText } from '../app/locale.tsx'
import { PageReader } from '../pdf-preview/page-reader.tsx'
import { firstView } from '../pdf-preview/shown-page.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

export type AgreementReaderProps = {
  file: Blob
  name: string
  /** Reports the number of pages once one is shown; null if none can be. */
  onPages: (pages: number | null) => void
  /** Whether it has the whole screen, as on a phone. */
  isFull: boolean
  onLeaveFull: () => void
}

/** Shows every page of the agreement (REN-7), in the reader of the documents that are signed in the portal (DOC-12). */
export function AgreementReader({ file, name, onPages, isFull, onLeaveFull }: AgreementReaderProps) {
  const t = useText()
  // The page stays the same when the reader gets the whole screen.
  const view = useState(firstView)
  const reader = <PageReader file={file} name={name} onPages={onPages} shared={view} />
  if (!isFull) return reader
  return (
    <Dialog
      title={name}
      width="page"
      initialFocus="title"
      onClose={onLeaveFull}
      footer={<Button onClick={onLeaveFull}>{t({ pl: 'Wróć do podpisywania', en: 'Back to signing' })}</Button>}
    >
      {reader}
    </Dialog>
  )
}

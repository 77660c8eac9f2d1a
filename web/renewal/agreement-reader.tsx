import { useText } from '../locale.tsx'
import { PageReader } from '../pdf-preview/page-reader.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

export type AgreementReaderProps = { file: Blob; name: string; onClose: () => void }

/** REN-7: every page of the agreement, as a document that is signed in the portal is read (DOC-12). */
export function AgreementReader({ file, name, onClose }: AgreementReaderProps) {
  const t = useText()
  return (
    <Dialog
      title={name}
      width="page"
      initialFocus="title"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t({ pl: 'Wróć do podpisywania', en: 'Back to signing' })}</Button>}
    >
      <PageReader file={file} name={name} />
    </Dialog>
  )
}

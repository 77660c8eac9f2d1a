import { documentActions, type DocumentCase } from '../../contract/documents.ts'
import { useText } from '../locale.tsx'
import { Dialog } from '../ui/dialog.tsx'

type Props = {
  document: DocumentCase
  onClose: () => void
  /** What the list shows is no longer so: it is read anew. */
  onChanged: () => void
}

export function DownloadDialog({ document, onClose }: Props) {
  const t = useText()
  return (
    <Dialog
      title={t({ pl: 'Pobierz dokument', en: 'Download the document' })}
      description={`${t(document.process)}, ${document.application}`}
      onClose={onClose}
    >
      <p>{documentActions(document).join(' ')}</p>
    </Dialog>
  )
}

import { useText } from '../locale.tsx'
import { PageReader } from '../pdf-preview/page-reader.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { ReadyFile } from './chosen-files.ts'

/** All pages of a file that will be signed (SGN-20). */
export function ReadFileDialog({
  file,
  password,
  onClose,
}: Pick<ReadyFile, 'file' | 'password'> & { onClose: () => void }) {
  const t = useText()
  return (
    <Dialog
      width="page"
      title={t({ pl: 'Przeczytaj przed podpisaniem', en: 'Read before you sign' })}
      description={<span translate="no">{file.name}</span>}
      initialFocus="title"
      onClose={onClose}
    >
      <PageReader file={file} name={file.name} isLocal {...(password && { code: password })} />
    </Dialog>
  )
}

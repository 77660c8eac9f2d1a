import { useState } from 'react'
import { documentActions, type DocumentCase } from '../../contract/documents.ts'
import './download-dialog.css'
import { LockedDocument } from './locked-document.tsx'
import { SignedDocument } from './signed-document.tsx'

export type DownloadProps = {
  document: DocumentCase
  onClose: () => void
  /** What the list shows is no longer so: it is read anew. */
  onChanged: () => void
}

/** DOC-3: the document with both signatures once there is one, until then the encrypted one. */
export function DownloadDialog(props: DownloadProps) {
  // What was opened stays, whatever becomes of the case meanwhile.
  const [signed] = useState(() => documentActions(props.document).includes('download-signed'))
  return signed ? <SignedDocument {...props} /> : <LockedDocument {...props} />
}

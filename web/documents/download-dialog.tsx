import { useState } from 'react'
import { documentActions } from '../../contract/documents.ts'
import './download-dialog.css'
import { LockedDocument } from './locked-document.tsx'
import { SignedDocument } from './signed-document.tsx'
import type { DownloadProps } from './use-download.ts'

/** Shows the document with both signatures if there is one, until then the encrypted one (DOC-3). */
export function DownloadDialog(props: DownloadProps) {
  // What was opened stays, even if the case changes meanwhile.
  const [signed] = useState(() => documentActions(props.document).includes('download-signed'))
  return signed ? <SignedDocument {...props} /> : <LockedDocument {...props} />
}

import type { ReactNode } from 'react'
import { useText } from '../locale.tsx'
import { PageReader } from '../pdf-preview/page-reader.tsx'
import { Dialog } from '../ui/dialog.tsx'
import './revision-dialog.css'

export type RevisionDialogProps = {
  file: File
  password: string
  /** The file as it was signed; undefined where it is the whole file. */
  signed: Blob | undefined
  onClose: () => void
}

/** CHK-9: a signed file page by page, next to what it has become. */
export function RevisionDialog({ file, password, signed, onClose }: RevisionDialogProps) {
  const t = useText()
  const code = password ? { code: password } : {}
  const before = t({ pl: 'W\u00a0chwili podpisania', en: 'When it was signed' })
  const now = t({ pl: 'Teraz', en: 'Now' })
  return (
    <Dialog
      width="page"
      title={
        signed
          ? t({ pl: 'Co się zmieniło od podpisania', en: 'What has changed since it was signed' })
          : t({ pl: 'Podpisany dokument', en: 'The signed document' })
      }
      description={<span translate="no">{file.name}</span>}
      initialFocus="title"
      onClose={onClose}
    >
      {signed ? (
        <div className="revisions">
          <Revision title={before}>
            <PageReader file={signed} name={`${file.name}, ${before}`} {...code} />
          </Revision>
          <Revision title={now}>
            <PageReader file={file} name={`${file.name}, ${now}`} {...code} />
          </Revision>
        </div>
      ) : (
        <PageReader file={file} name={file.name} {...code} />
      )}
    </Dialog>
  )
}

const Revision = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="revisions__one" aria-label={title}>
    <h3 className="h-s">{title}</h3>
    {children}
  </section>
)

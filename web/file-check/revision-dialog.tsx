import { useState, type ReactNode } from 'react'
import { keysOf } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { PageReader } from '../pdf-preview/page-reader.tsx'
import { firstView } from '../pdf-preview/shown-page.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LaterAdditions, type Addition } from './later-additions.tsx'
import './file-check.css'
import { sameContent } from './signature-problems.ts'

export type RevisionDialogProps = {
  file: File
  password: string
  /** The file as it was signed; undefined where it is the whole file. */
  signed: Blob | undefined
  /** Later additions, if nothing else was changed. */
  additions: readonly Addition[] | undefined
  /** Whether the shown content is certainly as it was signed. */
  isUnchanged: boolean
  onClose: () => void
}

const versionText = { signed: { pl: 'W\u00a0chwili podpisania', en: 'When signed' }, now: { pl: 'Teraz', en: 'Now' } }

/** Shows a signed file page by page, next to its current version (CHK-9); both at the same page, one at a time in a narrow window. */
export function RevisionDialog({ file, password, signed, additions, isUnchanged, onClose }: RevisionDialogProps) {
  const t = useText()
  const code = password ? { code: password } : {}
  const shared = useState(firstView)
  const [shown, setShown] = useState<keyof typeof versionText>('signed')
  const reader = (version: keyof typeof versionText, content: Blob) => (
    <Revision title={t(versionText[version])}>
      <PageReader file={content} name={`${file.name}, ${t(versionText[version])}`} shared={shared} {...code} />
    </Revision>
  )
  return (
    <Dialog
      width="page"
      title={t(
        signed
          ? additions
            ? { pl: 'Porównaj wersje', en: 'Compare versions' }
            : { pl: 'Co się zmieniło od podpisania', en: 'What has changed since it was signed' }
          : { pl: 'Podpisany dokument', en: 'The signed document' },
      )}
      description={
        <>
          <span translate="no">{file.name}</span>
          {signed && additions && (
            <>
              <br />
              <LaterAdditions additions={additions} />
              {isUnchanged && ` ${t(sameContent)}`}
            </>
          )}
        </>
      }
      initialFocus="title"
      onClose={onClose}
    >
      {signed ? (
        <div className={`revisions revisions--${shown}`}>
          <div
            className="revisions__switch"
            role="group"
            aria-label={t({ pl: 'Pokazana wersja', en: 'Version shown' })}
          >
            {keysOf(versionText).map((version) => (
              <Button key={version} size="s" aria-pressed={version === shown} onClick={() => setShown(version)}>
                {t(versionText[version])}
              </Button>
            ))}
          </div>
          {reader('signed', signed)}
          {reader('now', file)}
        </div>
      ) : (
        <PageReader file={file} name={file.name} {...code} />
      )}
    </Dialog>
  )
}

const Revision = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="revisions__one" aria-label={title}>
    <h3 className="small-heading">{title}</h3>
    {children}
  </section>
)

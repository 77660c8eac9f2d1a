import type { ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { PageReader } from '../pdf-preview/page-reader.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import './sign-here-dialog.css'
import { FileRow } from '../ui/file-row.tsx'

/** Shows a downloaded file, and whether it was saved. */
export function ReadyFile({ name, file, isSaved }: { name: string; file: Blob; isSaved: boolean }) {
  const t = useText()
  return (
    <FileRow name={name}>
      <p className="hint number">PDF, {formatBytes(t.locale, file.size)}</p>
      <p className="file-row__state" role="status">
        {isSaved && (
          <>
            <Icon name="check-circle" size="s" />
            {t({ pl: 'Zapisany na Twoim urządzeniu', en: 'Saved on your device' })}
          </>
        )}
      </p>
    </FileRow>
  )
}

/** Shows a placeholder for the first page, which a locked document shows once its code is entered. */
export function PreviewPlaceholder({ isLocked }: { isLocked: boolean }) {
  const t = useText()
  return (
    <figure className="pdf">
      <div className="pdf__page pdf__page--none" aria-hidden="true">
        <Icon name="lock" size="l" />
      </div>
      <figcaption>
        {isLocked &&
          t({
            pl: 'Dokument przeczytasz po wpisaniu kodu.',
            en: 'You can read the document once you enter the code.',
          })}
      </figcaption>
    </figure>
  )
}

type Props = { file: Blob; code?: string | undefined; name: string; children: ReactNode }

/** Shows a downloaded document page by page, with its actions next to it (DOC-12). */
export const Reading = ({ children, ...document }: Props) => (
  <div className="reading">
    <div className="reading__document">
      <PageReader {...document} />
    </div>
    <div className="reading__panel">{children}</div>
  </div>
)

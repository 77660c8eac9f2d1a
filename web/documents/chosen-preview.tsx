import { DocumentCodeForm } from '../../contract/rules/access-code.ts'
import type { DocumentCase } from '../../contract/documents.ts'
import { useText } from '../locale.tsx'
import { FirstPage, PageFigure } from '../pdf-preview/first-page.tsx'
import { Form } from '../ui/form.tsx'
import { useFirstPage } from '../pdf-preview/page-drawing.ts'
import type { ChosenFile } from './chosen-file.ts'
import { wrongCode } from './document-decryption.ts'
import { UnlockFields } from './unlock-fields.tsx'
import './download-dialog.css'

type Props = { file: ChosenFile | undefined; document: DocumentCase; onCodeSent: () => void }

/** It stays the same through all steps, because the customer decides by it. */
export function ChosenPreview({ file, ...rest }: Props) {
  const t = useText()
  if (!file)
    return (
      <p className="up__none hint">
        {t({ pl: 'Tu zobaczysz pierwszą stronę pliku.', en: 'You’ll see the first page of the file here.' })}
      </p>
    )
  return file.isEncrypted ? <LockedPreview file={file} {...rest} /> : <FirstPage file={file.content} name={file.name} />
}

/** A file signed in its locked form is opened by the code of its document, and only in the browser. */
function LockedPreview({ file, document, onCodeSent }: Props & { file: ChosenFile }) {
  const t = useText()
  const { drawn, unlock } = useFirstPage(file.content)
  // The preview of a file that is not signed is not worth a code.
  const isLocked = file.hasSignature && drawn && 'failed' in drawn && drawn.failed === 'locked'

  async function open({ code }: { code: string }) {
    if (!(await unlock(code))) throw wrongCode()
  }

  return (
    <div className="up__locked">
      {isLocked ? (
        <Form className="bare" schema={DocumentCodeForm} onSubmit={open} failures={{ other: 'code' }} summary={false}>
          <div className="stack stack--s">
            <UnlockFields document={document} onCodeSent={onCodeSent}>
              {t({
                pl: 'Plik jest zaszyfrowany. Wpisz kod do dokumentu z\u00a0tej sprawy, a\u00a0pokażemy pierwszą stronę.',
                en: 'The file is encrypted. Enter the document code of this case and we’ll show the first page.',
              })}
            </UnlockFields>
          </div>
        </Form>
      ) : (
        <PageFigure drawn={drawn} name={file.name} />
      )}
    </div>
  )
}

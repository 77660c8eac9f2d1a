import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { downloadDocument, listSigners, type DocumentCase, type DocumentSigner } from '../../contract/documents.ts'
import { DocumentCodeForm } from '../../contract/rules/access-code.ts'
import { failedWith } from '../api.ts'
import { useText } from '../locale.tsx'
import { PageReader } from '../pdf-preview/page-reader.tsx'
import { useRead } from '../reads.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { BlockForm } from '../ui/form-state.ts'
import { Cancel, Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { saveFile } from '../ui/save-file.ts'
import { AccessCodeField } from './access-code-field.tsx'
import { readAndSignText } from '../text/read-and-sign-text.ts'
import { CaseName } from './case-name.tsx'
import { decryptDocument } from './document-decryption.ts'
import { DownloadFailure } from './download-failure.tsx'
import { DownloadProgress } from './download-progress.tsx'
import { fileName } from './file-name.ts'
import { SigningNote } from './signing-note.tsx'
import { Signers, SigningPanel } from './signing-panel.tsx'
import './reading.css'
import './sign-here-dialog.css'
import { useDownload } from './use-download.ts'

/** The panel names a certificate while the document is still locked. */
const OpeningForm = z.extend(DocumentCodeForm, { signer: z.optional(z.string()) })
const SignerForm = z.strictObject({ signer: z.string() })

type Props = {
  document: DocumentCase
  /** Why the last attempt to sign failed. */
  failure: ReactNode
  /** The signature chosen before, where the customer is back from the code. */
  signerId: string | undefined
  /** The document without its lock; it stays for as long as the dialog. */
  plain: Blob | undefined
  onOpened: (plain: Blob) => void
  onChanged: () => void
  onChosen: (signer: DocumentSigner) => Promise<void>
  onClose: () => void
}

/**
 * DOC-11: the document is fetched and opened with its code, and read, before an SMS code can be requested. Neither the code
 * nor what it opens leaves the browser (DOC-9).
 */
export function ReadAndSign({ document, failure, signerId, plain, onOpened, onChanged, onChosen, onClose }: Props) {
  const t = useText()
  const signers = useRead(listSigners, { params: { id: document.id } })
  const [missing, setMissing] = useState(0)
  const { state, fetchFile, start } = useDownload(downloadDocument, document.id)
  const [locked, setLocked] = useState<Blob>()
  const [pages, setPages] = useState<number | null>()
  const [chosenId, setChosenId] = useState(signerId)
  const found = signers.data?.signers
  const chosen = found?.find(({ id }) => id === chosenId) ?? found?.[0]
  const isUnreadable = pages === null
  const isElsewhere = isUnreadable || found?.length === 0
  // While the document is locked, the panel offers the retry, because the button opens the document.
  const failed = plain && !found && !signers.isFetching && failedWith(signers.error) ? signers.error : undefined
  /** The button disappears, and the focus must not move to the top of the page (WCAG 2.4.3). */
  function readAgain({ currentTarget }: { currentTarget: Element }) {
    currentTarget.closest('dialog')?.querySelector('h2')?.focus()
    void signers.refetch()
  }
  const savePlain = () => plain && saveFile(plain, fileName(t.locale, document, 'plain'))
  const canEnter = !!locked || document.codeSentAt !== null

  async function take() {
    const file = await start()
    onChanged()
    setLocked(file)
  }
  // The first download sends the code by e-mail, so it begins with the dialog.
  const begin = useEffectEvent(() => void (canEnter || take()))
  useEffect(() => begin(), [])

  async function open({ code }: { code: string }) {
    const file = locked ?? (await fetchFile())
    setLocked(file)
    onOpened(await decryptDocument({ file, password: code }))
  }

  async function choose({ signer: id }: { signer: string }) {
    const signer = found?.find((each) => each.id === id)
    if (signer && pages) await onChosen(signer)
  }

  const dialog = (
    <Dialog
      title={
        plain ? t(readAndSignText) : t({ pl: 'Otwórz dokument, aby go podpisać', en: 'Open the document to sign it' })
      }
      description={<CaseName document={document} />}
      width={plain ? 'page' : 'xl'}
      initialFocus={plain ? 'title' : 'field'}
      onClose={onClose}
      footer={
        <>
          <SigningNote
            document={document}
            signers={found}
            failed={!!failed}
            chosen={plain && chosen}
            reading={isUnreadable ? 'impossible' : pages ? 'begun' : undefined}
            maskedPhone={signers.data?.maskedPhone}
          />
          <Cancel onClick={onClose} />
          {plain && isElsewhere ? (
            <Button key="save" variant="primary" icon="download" onClick={savePlain}>
              {t({ pl: 'Pobierz PDF', en: 'Download PDF' })}
            </Button>
          ) : failed ? (
            <RetryButton key="retry" variant="primary" onClick={readAgain} />
          ) : plain ? (
            <Submit key="send" icon="send" aria-disabled={missing > 0 || !found || !pages}>
              {t({ pl: 'Wyślij kod SMS', en: 'Send code' })}
            </Submit>
          ) : (
            <Submit key="open" icon="lock" aria-disabled={!canEnter} busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })}>
              {t({ pl: 'Otwórz dokument', en: 'Open document' })}
            </Submit>
          )}
        </>
      }
    >
      <div className="reading">
        <div className="reading__doc">
          <FailureNotice text={failure} />
          {plain ? (
            <PageReader file={plain} name={t(document.process)} onPages={setPages}>
              <IconButton
                size="s"
                icon="download"
                label={t({ pl: 'Pobierz odszyfrowany PDF', en: 'Download decrypted PDF' })}
                onClick={savePlain}
              />
            </PageReader>
          ) : (
            <>
              {canEnter && (
                <>
                  <Notice
                    kind="info"
                    title={t({
                      pl: 'Kod do dokumentu wysłaliśmy e-mailem',
                      en: 'We’ve e-mailed you the document code',
                    })}
                  >
                    {t({
                      pl: 'Po otwarciu przeczytasz dokument, zanim go podpiszesz.',
                      en: 'Once it’s open, you can read the document before you sign it.',
                    })}
                  </Notice>
                  <AccessCodeField document={document} onSent={onChanged} />
                </>
              )}
              {state.busy && (
                <DownloadProgress name={fileName(t.locale, document, 'encrypted')} progress={state.progress} />
              )}
              {!state.busy && state.failure && <DownloadFailure failure={state.failure} onRetry={take} />}
            </>
          )}
        </div>
        <SigningPanel
          document={document}
          opened={plain && { bytes: plain.size, pages }}
          signedBy={isElsewhere ? 'other-program' : failed ? undefined : 'portal'}
          certificate={
            !isUnreadable && (
              // Without it the document can be opened and read all the same.
              <BlockForm value={setMissing}>
                {failed ? (
                  <Notice kind={failed.code === 'unavailable' ? 'info' : 'err'} role="alert">
                    <p>{explainFailure(t.locale, failed)}</p>
                  </Notice>
                ) : (
                  <Region
                    query={signers}
                    lines={2}
                    label={t({ pl: 'Szukamy Twoich podpisów', en: 'Looking for your signatures' })}
                  >
                    {(listed) => <Signers signers={listed.signers} onChosen={setChosenId} />}
                  </Region>
                )}
              </BlockForm>
            )
          }
        />
      </div>
    </Dialog>
  )
  return plain ? (
    <Form
      className="bare"
      schema={SignerForm}
      onSubmit={choose}
      summary={false}
      {...(signerId && { initial: { signer: signerId } })}
    >
      {dialog}
    </Form>
  ) : (
    <Form className="bare" schema={OpeningForm} onSubmit={open} failures={{ other: 'code' }} summary={false}>
      {dialog}
    </Form>
  )
}

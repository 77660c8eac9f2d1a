import { useEffect, useEffectEvent, useState, type Dispatch, type ReactNode, type SetStateAction } from 'react'
import * as z from 'zod/mini'
import { listDocumentSigners, type DocumentCase, type DocumentSigner } from '../../contract/documents.ts'
import { DocumentCodeForm } from '../../contract/rules/access-code.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { hasFailedWith } from '../calls/api.ts'
import { useRead } from '../calls/reads.ts'
import { PageReader } from '../pdf-preview/page-reader.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { readAndSignText } from '../text/product-text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { BlockForm } from '../ui/form-state.ts'
import { Cancel, Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { saveFile } from '../ui/save-file.ts'
import { SentCode } from './access-code-field.tsx'
import { CaseName } from './case-name.tsx'
import { fileName } from './document-text.ts'
import { DownloadStatus } from './download-progress.tsx'
import './sign-here-dialog.css'
import { SigningNote } from './signing-note.tsx'
import { Signers, SigningPanel } from './signing-panel.tsx'
import { useEncryptedDocument } from './use-download.ts'

/** The panel names a certificate while the document is still locked. */
const OpeningForm = z.extend(DocumentCodeForm, { signer: z.optional(z.string()) })
const SignerForm = z.strictObject({ signer: z.string() })

type Props = {
  document: DocumentCase
  /** Reason why the last attempt to sign failed. */
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
 * Lets the customer download the document, open it with its code and read it, before an SMS code can be requested (DOC-11). Neither the
 * code nor the decrypted document leaves the browser (DOC-9).
 */
export function ReadAndSign(props: Props) {
  const { document, failure, signerId, plain, onOpened, onChanged, onChosen, onClose } = props
  const t = useText()
  const reading = useReading(props)
  const encrypted = useEncryptedDocument(document, onChanged)
  const [missing, setMissing] = useState(0)
  const { pages, signedBy } = reading
  // The first download sends the code by e-mail, so it begins with the dialog.
  const begin = useEffectEvent(() => void (encrypted.hasCode || encrypted.take()))
  useEffect(() => begin(), [])

  async function choose({ signer: id }: { signer: string }) {
    const signer = reading.signers?.find((each) => each.id === id)
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
      footer={<Footer {...{ document, plain, onClose, reading }} hasCode={encrypted.hasCode} isMissing={missing > 0} />}
    >
      <div className="reading">
        <div className="reading__document">
          <FailureNotice text={failure} />
          {plain ? (
            <PageReader file={plain} name={t(document.process)} onPages={reading.setPages}>
              <IconButton
                size="s"
                icon="download"
                label={t({ pl: 'Pobierz odszyfrowany PDF', en: 'Download decrypted PDF' })}
                onClick={reading.savePlain}
              />
            </PageReader>
          ) : (
            <LockedPart document={document} encrypted={encrypted} onSent={onChanged} />
          )}
        </div>
        <SigningPanel
          document={document}
          opened={plain && { bytes: plain.size, pages }}
          signedBy={signedBy}
          certificate={pages !== null && <Certificate reading={reading} onMissing={setMissing} />}
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
    <Form
      className="bare"
      schema={OpeningForm}
      onSubmit={async ({ code }) => onOpened(await encrypted.decrypt(code))}
      failures={{ other: 'code' }}
      summary={false}
    >
      {dialog}
    </Form>
  )
}

/** Returns whether the document can be read, who can sign it, and with which certificate it is signed next. */
function useReading({ document, plain, signerId }: Props) {
  const locale = useLocale()
  const query = useRead(listDocumentSigners, { params: { id: document.id } })
  const [chosenId, choose] = useState(signerId)
  const [pages, setPages] = useState<number | null>()
  const signers = query.data?.signers
  // While the document is locked, the panel offers the retry, because the button opens the document.
  const failed = plain && !signers && !query.isFetching && hasFailedWith(query.error) ? query.error : undefined
  const isElsewhere = pages === null || signers?.length === 0
  return {
    query,
    signers,
    failed,
    chosen: signers?.find(({ id }) => id === chosenId) ?? signers?.[0],
    choose,
    pages,
    setPages,
    signedBy: isElsewhere ? ('other-program' as const) : failed ? undefined : ('portal' as const),
    savePlain: () => plain && saveFile(plain, fileName(locale, document, 'plain')),
  }
}

type Reading = ReturnType<typeof useReading>

type FooterProps = Pick<Props, 'document' | 'plain' | 'onClose'> & {
  reading: Reading
  hasCode: boolean
  /** Whether a part of the form is not read yet. */
  isMissing: boolean
}

function Footer({ document, plain, onClose, reading, hasCode, isMissing }: FooterProps) {
  const t = useText()
  const { query, signers, failed, chosen, pages, signedBy, savePlain } = reading
  /**
   * Reads the signers again, and moves the focus to the heading, because the button disappears and the focus must not move to the top of
   * the page (WCAG 2.4.3).
   */
  function refetchSigners({ currentTarget }: { currentTarget: Element }) {
    currentTarget.closest('dialog')?.querySelector('h2')?.focus()
    void query.refetch()
  }
  return (
    <>
      <SigningNote
        document={document}
        signers={signers}
        hasFailed={!!failed}
        chosen={plain && chosen}
        reading={pages === null ? 'impossible' : pages ? 'begun' : undefined}
        maskedPhone={query.data?.maskedPhone}
      />
      <Cancel onClick={onClose} />
      {!plain ? (
        <Submit key="open" icon="lock" aria-disabled={!hasCode} busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })}>
          {t({ pl: 'Otwórz dokument', en: 'Open document' })}
        </Submit>
      ) : signedBy === 'other-program' ? (
        <Button key="save" variant="primary" icon="download" onClick={savePlain}>
          {t({ pl: 'Pobierz PDF', en: 'Download PDF' })}
        </Button>
      ) : signedBy === 'portal' ? (
        <Submit key="send" icon="send" aria-disabled={isMissing || !signers || !pages}>
          {t({ pl: 'Wyślij kod SMS', en: 'Send code' })}
        </Submit>
      ) : (
        <RetryButton key="retry" variant="primary" onClick={refetchSigners} />
      )}
    </>
  )
}

type LockedProps = {
  document: DocumentCase
  encrypted: ReturnType<typeof useEncryptedDocument>
  onSent: () => void
}

function LockedPart({ document, encrypted: { hasCode, state, take }, onSent }: LockedProps) {
  const t = useText()
  return (
    <>
      {hasCode && (
        <SentCode document={document} onSent={onSent}>
          {t({
            pl: 'Po otwarciu przeczytasz dokument, zanim go podpiszesz.',
            en: 'Once it’s open, you can read the document before you sign it.',
          })}
        </SentCode>
      )}
      <DownloadStatus name={fileName(t.locale, document, 'encrypted')} state={state} onRetry={take} />
    </>
  )
}

type CertificateProps = { reading: Reading; onMissing: Dispatch<SetStateAction<number>> }

/** Shows the certificate to sign with. Without one the document can still be opened and read. */
function Certificate({ reading: { query, failed, choose }, onMissing }: CertificateProps) {
  const t = useText()
  return (
    <BlockForm value={onMissing}>
      {failed ? (
        <Notice kind={failed.code === 'unavailable' ? 'info' : 'error'} role="alert">
          <p>{explainFailure(t.locale, failed)}</p>
        </Notice>
      ) : (
        <Region query={query} lines={2} label={t({ pl: 'Szukamy Twoich podpisów', en: 'Looking for your signatures' })}>
          {(listed) => <Signers signers={listed.signers} onChosen={choose} />}
        </Region>
      )}
    </BlockForm>
  )
}

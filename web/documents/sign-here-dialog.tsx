import { useEffect, useState, type ReactNode } from 'react'
import {
  finishDocumentSigning,
  readDocument,
  resendDocumentSigningCode,
  startDocumentSigning,
  type DocumentCase,
  type DocumentSigner,
} from '../../contract/documents.ts'
import type { CodeSent } from '../../contract/one-time-code.ts'
import { confirmationSeconds, type ServiceAuthorisation } from '../../contract/service-authorisation.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { SuccessMark } from '../art/success-mark.tsx'
import { call, hasFailedWith, onFailure, type ApiError } from '../calls/api.ts'
import { DocumentMark } from '../service-authorisation/document-mark.tsx'
import {
  canRetry,
  finishReturn,
  ServiceCodesDialog,
  ServicePageText,
  serviceText,
  useServicePage,
} from '../service-authorisation/service-authorisation.tsx'
import type { SigningReturn } from '../service-authorisation/signing-return.ts'
import { SigningWait } from '../service-authorisation/signing-wait.tsx'
import { CodeDialog } from '../step-up/code-dialog.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Cancel } from '../ui/form.tsx'
import { CaseName } from './case-name.tsx'
import { ReadAndSign } from './read-and-sign.tsx'
import { CodeNote, ServiceNote } from './signing-note.tsx'

type Props = {
  document: DocumentCase
  /** The customer is back from the page of the signing service. */
  returned?: SigningReturn | undefined
  onClose: () => void
  /** Reports that the list shows an outdated state. */
  onChanged: () => void
  /** Closes the dialog, after the customer has read the confirmation. */
  onSigned: (document: DocumentCase) => void
  /** Another document that can be signed here, and what opens it. */
  next?: { document: DocumentCase; open: () => void } | undefined
}

type SigningStep =
  | { at: 'choose'; signer?: string; failure?: ReactNode }
  | { at: 'code'; signer: DocumentSigner; sha256: string; code: CodeSent }
  | { at: 'service'; authorisation: ServiceAuthorisation; signer: DocumentSigner }
  | { at: 'page'; id: string; signer?: DocumentSigner; failure?: ReactNode }
  | { at: 'returned'; returned: SigningReturn }
  | { at: 'done'; signed: DocumentCase }

/** Signs a case in place with the customer’s cloud signature (DOC-9); the code names the document by its hash (R33). */
export function SignHereDialog({ document, returned, onClose, onChanged, onSigned, next }: Props) {
  const t = useText()
  const signing = useDocumentSigning(document, returned, onChanged)
  const { step, backTo, showSigned } = signing
  const [plain, setPlain] = useState<Blob>()
  const what = <CaseName document={document} />
  useEffect(() => void CodeDialog.preload(), [])
  switch (step.at) {
    case 'choose':
      return (
        <ReadAndSign
          document={document}
          failure={step.failure}
          signerId={step.signer}
          plain={plain}
          onOpened={setPlain}
          onChanged={onChanged}
          onChosen={signing.begin}
          onClose={onClose}
        />
      )
    case 'code':
      return <CodeStep document={document} step={step} signing={signing} onClose={onClose} />
    case 'service':
      return (
        <ServiceCodesDialog
          authorisation={step.authorisation}
          description={what}
          note={<ServiceNote document={document} signer={step.signer} />}
          submitLabel={t(signDocument)}
          onSigned={showSigned}
          onOver={backTo}
          onClose={onClose}
        />
      )
    case 'page':
      return (
        <ServicePage
          id={step.id}
          failure={step.failure}
          what={what}
          note={<ServiceNote document={document} signer={step.signer} />}
          onOver={backTo}
          onClose={onClose}
        />
      )
    case 'returned':
      return (
        <SigningWait
          title={t({ pl: 'Podpisujemy dokument', en: 'Signing the document' })}
          description={what}
          onShown={() => signing.finishReturned(step.returned)}
        />
      )
    case 'done':
      return <SignedConfirmation what={what} next={next} onDone={() => onSigned(step.signed)} />
  }
}

const signDocument = { pl: 'Podpisz dokument', en: 'Sign document' }

/** Returns the current step of a signing, and the functions that lead to the next one. */
function useDocumentSigning(document: DocumentCase, returned: SigningReturn | undefined, onChanged: () => void) {
  const locale = useLocale()
  const [step, setStep] = useState<SigningStep>(returned ? { at: 'returned', returned } : { at: 'choose' })
  const params = { id: document.id }

  /** Shows the confirmation; the row behind it gets its new status at once. */
  function show(signed: DocumentCase) {
    setStep({ at: 'done', signed })
    onChanged()
  }

  function backTo(error: unknown) {
    if (!hasFailedWith(error)) throw error
    setStep({ at: 'choose', failure: explainFailure(locale, error) })
  }

  const begin = (signer: DocumentSigner) =>
    call(startDocumentSigning, { params, body: { signer: signer.id } }).then(
      ({ sha256, code }) => setStep({ at: 'code', signer, sha256, code }),
      backTo,
    )

  /**
   * Finishes the signing with a code. A wrong code is shown at its field; any other failure ends this attempt, and the first step shows
   * why.
   */
  async function finish(code: string, signer: DocumentSigner) {
    try {
      const { authorisation, ...signed } = await call(finishDocumentSigning, { params, body: { code } })
      if (!authorisation) show(signed)
      else if (authorisation.kind === 'codes') setStep({ at: 'service', authorisation, signer })
      else setStep({ at: 'page', id: authorisation.id, signer })
    } catch (error) {
      if (!hasFailedWith(error) || hasFailedWith(error, 'code-wrong', 'code-expired')) throw error
      const signed = hasFailedWith(error, 'offline', 'state-passed') ? await findSignedAfterAll(params) : undefined
      if (signed) show(signed)
      else backTo(error)
    }
  }

  /** Shows that the service has signed, even if the case cannot be read now. */
  async function showSigned() {
    show((await findSignedAfterAll(params)) ?? document)
  }

  async function finishReturned(back: SigningReturn) {
    try {
      await finishReturn(back)
      await showSigned()
    } catch (error) {
      if (!hasFailedWith(error)) throw error
      const signed = await findSignedAfterAll(params)
      if (signed) show(signed)
      else if (canRetry(error)) setStep({ at: 'page', id: back.signing, failure: explainFailure(locale, error) })
      else backTo(error)
    }
  }

  /** Resends the code, or requests another one if it has expired, because an expired code cannot be sent again. */
  const resend = ({ id: signer }: DocumentSigner) =>
    call(resendDocumentSigningCode, { params }).catch(
      onFailure(['code-expired'], async () => (await call(startDocumentSigning, { params, body: { signer } })).code),
    )

  const choose = (signer: DocumentSigner) => setStep({ at: 'choose', signer: signer.id })
  return { step, choose, begin, finish, resend, showSigned, finishReturned, backTo }
}

type CodeStepProps = {
  document: DocumentCase
  step: Extract<SigningStep, { at: 'code' }>
  signing: ReturnType<typeof useDocumentSigning>
  onClose: () => void
}

function CodeStep({ document, step: { signer, sha256, code }, signing, onClose }: CodeStepProps) {
  const t = useText()
  return (
    <CodeDialog
      title={t({ pl: 'Podpisz kodem SMS', en: 'Sign with a text-message code' })}
      description={<CaseName document={document} />}
      note={<CodeNote document={document} signer={signer} />}
      back={{
        label: t({ pl: 'Wróć do dokumentu', en: 'Back to document' }),
        onBack: () => signing.choose(signer),
      }}
      sent={code}
      submitLabel={t(signDocument)}
      busyText={
        signer.asksElsewhere ? t({ pl: 'Czekamy…', en: 'Waiting…' }) : t({ pl: 'Podpisujemy…', en: 'Signing…' })
      }
      meanwhile={
        signer.asksElsewhere
          ? {
              title: t({ pl: 'Potwierdź w\u00a0aplikacji', en: 'Confirm in the app' }),
              note: t({
                pl: 'Potwierdź podpis w\u00a0aplikacji usługi podpisu albo na urządzeniu do podpisywania. Nie zamykaj tego okna.',
                en: 'Confirm the signature in the signing service’s app or on its device. Don’t close this window.',
              }),
              within: confirmationSeconds,
            }
          : {
              note: t({
                pl: 'Podpisujemy dokument. Nie zamykaj tego okna.',
                en: 'Signing the document. Don’t close this window.',
              }),
            }
      }
      onSubmit={(entered) => signing.finish(entered, signer)}
      onResend={() => signing.resend(signer)}
      onClose={onClose}
    >
      <DocumentMark sha256={sha256} />
    </CodeDialog>
  )
}

type ServicePageProps = {
  id: string
  failure: ReactNode
  what: ReactNode
  note: ReactNode
  onOver: (error: ApiError) => void
  onClose: () => void
}

/** Leads to the service's page, and again after a return without a signature (SGN-13). */
function ServicePage({ id, failure, what, note, onOver, onClose }: ServicePageProps) {
  const t = useText()
  const { run, isBusy, failureText } = useServicePage({ id }, onOver)
  return (
    <Dialog
      width="s"
      title={t(serviceText.title)}
      description={what}
      initialFocus="title"
      onClose={onClose}
      footer={
        <>
          {note}
          <Cancel onClick={onClose} />
          <Button variant="primary" isBusy={isBusy} onClick={run}>
            {t(serviceText.goThere)}
          </Button>
        </>
      }
    >
      <div className="stack">
        <FailureNotice text={failureText ?? failure} />
        <ServicePageText />
      </div>
    </Dialog>
  )
}

const signedStatuses = new Set<DocumentCase['status']>(['subscriber-uploaded', 'issuer-uploaded', 'finished'])

/**
 * Returns the case if it is signed, even if the answer was lost or it was signed in another tab; the provider may have checked it by now.
 */
async function findSignedAfterAll(params: { id: string }) {
  const { upload, ...found } = await call(readDocument, { params, optional: true }).catch(
    () => ({ upload: null }) as const,
  )
  return upload && 'status' in found && signedStatuses.has(found.status) ? found : undefined
}

/** Shows that the customer has signed. The signed file is complete, and can be downloaded, once the provider has signed it too (DOC-6). */
function SignedConfirmation({ what, next, onDone }: Pick<Props, 'next'> & { what: ReactNode; onDone: () => void }) {
  const t = useText()
  return (
    <Dialog
      title={t({ pl: 'Dokument jest podpisany', en: 'The document is signed' })}
      description={what}
      width="s"
      initialFocus="title"
      onClose={onDone}
      footer={
        <>
          <Button variant={next ? 'quiet' : 'primary'} onClick={onDone}>
            {t({ pl: 'Wróć do dokumentów', en: 'Back to documents' })}
          </Button>
          {next && (
            <Button variant="primary" icon="pen" onClick={next.open}>
              {t({ pl: 'Podpisz następny', en: 'Sign the next one' })}
            </Button>
          )}
        </>
      }
    >
      <div className="signed">
        <SuccessMark />
        <p role="status">
          {t({
            pl: 'Twój podpis jest w\u00a0dokumencie. Sprawdzamy go, a\u00a0wynik wyślemy e-mailem. Plik z\u00a0podpisami obu stron pobierzesz potem z\u00a0listy.',
            en: 'Your signature is in the document. We’re checking it and will e-mail you the result. You can then download the file with both signatures from the list.',
          })}
        </p>
        {next && (
          <p className="signed__next">
            {t({ pl: 'Na podpis czeka jeszcze: ', en: 'Still waiting for your signature: ' })}
            <b>
              <CaseName document={next.document} />
            </b>
          </p>
        )}
      </div>
    </Dialog>
  )
}

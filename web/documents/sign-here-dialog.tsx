import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import type { CodeSent } from '../../contract/account.ts'
import {
  finishSigning,
  listSigners,
  readDocument,
  resendSigningCode,
  startSigning,
  type DocumentCase,
  type DocumentSigner,
} from '../../contract/documents.ts'
import { OkSeal } from '../art/ok-seal.tsx'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { forget, useRead } from '../reads.ts'
import { describeFailure } from '../text/failure-text.ts'
import { formatDate } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { CodeDialog } from '../ui/code-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

type Props = {
  document: DocumentCase
  onClose: () => void
  /** Once the customer has read that it is done; the dialog is to go then. */
  onSigned: (document: DocumentCase) => void
}

type Step =
  | { name: 'choose'; failure?: string }
  | { name: 'code'; signer: string; sha256: string; code: CodeSent }
  | { name: 'done'; signed: DocumentCase }

/** DOC-9: a case is signed in place with the customer’s cloud signature; the code names the document by its hash (R33). */
export function SignHereDialog({ document, onClose, onSigned }: Props) {
  const t = useText()
  const locale = useLocale()
  const [step, setStep] = useState<Step>({ name: 'choose' })
  const params = { id: document.id }
  const what = `${t(document.process)}, ${document.document}`
  useEffect(() => CodeDialog.preload(), [])

  const backTo = (error: unknown) => {
    if (!(error instanceof CallFailed)) throw error
    setStep({ name: 'choose', failure: describeFailure(locale, error) })
  }

  async function begin(signer: string) {
    try {
      const { sha256, code } = await call(startSigning, { params, body: { signer } })
      setStep({ name: 'code', signer, sha256, code })
    } catch (error) {
      backTo(error)
    }
  }

  /** A wrong code is told at its field; whatever else ends this attempt, and the first step says why. */
  async function finish(code: string) {
    try {
      setStep({ name: 'done', signed: await call(finishSigning, { params, body: { code } }) })
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code === 'code-wrong' || error.code === 'code-expired') throw error
      const signed =
        error.code === 'offline' || error.code === 'state-passed' ? await signedAfterAll(params) : undefined
      if (signed) setStep({ name: 'done', signed })
      else backTo(error)
    }
  }

  /** A code whose time is over cannot be sent again, so another one is asked for. */
  async function resend(signer: string) {
    try {
      return await call(resendSigningCode, { params })
    } catch (error) {
      if (!(error instanceof CallFailed && error.code === 'code-expired')) throw error
      return (await call(startSigning, { params, body: { signer } })).code
    }
  }

  if (step.name === 'done') return <Done what={what} onDone={() => onSigned(step.signed)} />
  if (step.name === 'code') {
    const mark = step.sha256.slice(0, 8)
    return (
      <CodeDialog
        title={t({ pl: 'Podpisz kodem z\u00a0SMS-a', en: 'Sign with the code from the text message' })}
        description={t({
          pl: `${what}. Sprawdź, czy w\u00a0SMS-ie jest oznaczenie dokumentu ${mark}.`,
          en: `${what}. Check that the text message names the document as ${mark}.`,
        })}
        sent={step.code}
        submitLabel={t({ pl: 'Podpisz dokument', en: 'Sign the document' })}
        busyText={t({ pl: 'Podpisujemy…', en: 'Signing…' })}
        onSubmit={finish}
        onResend={() => resend(step.signer)}
        onClose={onClose}
      />
    )
  }
  return <Choose document={document} what={what} failure={step.failure} onChosen={begin} onClose={onClose} />
}

/** Whether the signature has been made although its answer was lost, or in another tab. */
async function signedAfterAll(params: { id: string }) {
  const { upload, ...found } = await call(readDocument, { params }).catch(() => ({ upload: null }) as const)
  return upload && 'status' in found && found.status === 'subscriber-uploaded' ? found : undefined
}

const SignerForm = z.strictObject({ signer: z.string() })

type ChooseProps = {
  document: DocumentCase
  what: string
  failure: string | undefined
  onChosen: (signer: string) => Promise<void>
  onClose: () => void
}

function Choose({ document, what, failure, onChosen, onClose }: ChooseProps) {
  const t = useText()
  const [sending, setSending] = useState(false)
  const signers = useRead(listSigners, { params: { id: document.id } })
  const some = signers.data?.signers.length ?? 0

  async function choose(signer: string) {
    setSending(true)
    try {
      await onChosen(signer)
    } finally {
      setSending(false)
    }
  }

  return (
    <Form className="bare" schema={SignerForm} onSubmit={({ signer }) => choose(signer)} summary={false}>
      <Dialog
        title={t({ pl: 'Podpisz dokument tutaj', en: 'Sign the document here' })}
        description={what}
        initialFocus="title"
        onClose={onClose}
        closable={!sending}
        footer={
          <>
            <Button variant="quiet" onClick={onClose} aria-disabled={sending}>
              {t({ pl: 'Anuluj', en: 'Cancel' })}
            </Button>
            <Submit aria-disabled={some === 0}>{t({ pl: 'Wyślij kod SMS', en: 'Send the text-message code' })}</Submit>
          </>
        }
      >
        <div className="stack">
          {failure && (
            <Notice kind="err" role="alert">
              {failure}
            </Notice>
          )}
          <Region
            query={signers}
            skeleton={<Skeleton lines={4} />}
            label={t({ pl: 'Szukamy Twoich podpisów', en: 'Looking for your signatures' })}
          >
            {({ signers: found }) => <Signers signers={found} />}
          </Region>
          {signers.data?.signers.length !== 0 && (
            <p>
              {t({
                pl: 'Podpisany dokument od razu przekażemy do weryfikacji. Tego nie można cofnąć.',
                en: 'We pass the signed document on to be verified at once. This cannot be undone.',
              })}
            </p>
          )}
        </div>
      </Dialog>
    </Form>
  )
}

function Signers({ signers }: { signers: readonly DocumentSigner[] }) {
  const t = useText()
  const locale = useLocale()
  const whose = ({ name, organisation }: DocumentSigner) => (organisation ? `${name}, ${organisation}` : name)
  const until = ({ validTo }: DocumentSigner) =>
    t({ pl: `Ważny do ${formatDate(locale, validTo)}`, en: `Valid until ${formatDate(locale, validTo)}` })
  const [first] = signers
  if (!first)
    return (
      <Notice kind="info" role="status">
        {t({
          pl: 'Żadnym z\u00a0Twoich podpisów w\u00a0chmurze nie można teraz podpisać tego dokumentu. Pobierz go, podpisz swoim programem i\u00a0prześlij.',
          en: 'None of your cloud signatures can sign this document now. Download it, sign it with your own program and upload it.',
        })}
      </Notice>
    )
  if (signers.length > 1)
    return (
      <RadioCards
        name="signer"
        label={t({ pl: 'Którym podpisem', en: 'Which signature' })}
        options={signers.map((signer) => ({ value: signer.id, label: whose(signer), hint: until(signer) }))}
      />
    )
  return (
    <dl className="dl">
      <div>
        <dt>{t({ pl: 'Twój podpis', en: 'Your signature' })}</dt>
        <dd>
          <b>{whose(first)}</b>
          <br />
          <span className="soft">{until(first)}</span>
        </dd>
      </div>
      <input type="hidden" name="signer" value={first.id} />
    </dl>
  )
}

function Done({ what, onDone }: { what: string; onDone: () => void }) {
  const t = useText()
  function leave() {
    onDone()
    void forget(readDocument)
  }
  return (
    <Dialog
      title={t({ pl: 'Dokument jest podpisany', en: 'The document is signed' })}
      description={what}
      width="s"
      initialFocus="title"
      onClose={leave}
      footer={
        <Button variant="primary" onClick={leave}>
          {t({ pl: 'Gotowe', en: 'Done' })}
        </Button>
      }
    >
      <div className="paired">
        <OkSeal />
        <p role="status">
          {t({
            pl: 'Przekazaliśmy go do weryfikacji. Wynik wyślemy e-mailem.',
            en: 'We have passed it on to be verified. We will send the result by e-mail.',
          })}
        </p>
      </div>
    </Dialog>
  )
}

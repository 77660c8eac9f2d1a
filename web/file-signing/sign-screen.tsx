import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { Locale } from '../../contract/enums.ts'
import { listFileSigners, type FileSigner } from '../../contract/file-signing.ts'
import { limits } from '../../contract/limits.ts'
import { signaturePlaces } from '../../pki/pdf/pdf-signature-place.ts'
import { useHydrated } from '../hydrated.ts'
import { useLocale, useText } from '../locale.tsx'
import { PageHead } from '../page-head.tsx'
import { OpenWithPassword } from '../pdf-preview/open-with-password.tsx'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { useRead } from '../reads.ts'
import { ServiceCodesForm, serviceText } from '../signing/service-authorisation.tsx'
import { DocumentMark } from '../signing/document-mark.tsx'
import { useSigningReturn } from '../signing/signing-return.ts'
import { Waiting } from '../signing/signing-wait.tsx'
import { CodeDialog } from '../step-up/code-dialog.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { explainFailure } from '../text/failure-answer.tsx'
import { formatDateTime, plural } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DropZone, useHarmlessDrops } from '../ui/drop-zone.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Cancel, Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { AskBeforeLeaving } from './ask-before-leaving.tsx'
import { useChosenFiles, type ReadyFile } from './chosen-files.ts'
import { FileList } from './file-list.tsx'
import './file-signing.css'
import { ReturnedTab, ServiceTab } from './service-tab.tsx'
import { SignedFiles } from './signed-files.tsx'
import { AppearanceChoice, SignerChoice } from './signer-choice.tsx'
import { useFileSigning, type Order } from './use-file-signing.ts'

const heading = {
  title: { pl: 'Podpisz pliki', en: 'Sign files' },
  lede: {
    pl: 'Podpisz dowolne pliki PDF swoim podpisem albo pieczęcią firmy.',
    en: 'Sign any PDF files with your signature or your organisation’s seal.',
  },
}

/** SGN-20 to SGN-28: files are signed that stay in this tab. */
export function SignScreen() {
  const returned = useSigningReturn()
  return (
    <>
      <PageHead {...heading} />
      {returned ? <ReturnedTab returned={returned} /> : <SigningOfFiles />}
    </>
  )
}

const { files: most, bytes: largest, reason: longestReason } = limits.fileSigning

const OrderForm = z.strictObject({
  signer: z.string('required'),
  look: z.enum(['invisible', 'visible']),
  page: z.enum(['first', 'last']),
  place: z.enum(signaturePlaces),
  reason: z.string().check(z.trim(), z.maxLength(longestReason, 'too-long')),
})

/** An image of the signature shows these lines. */
function orderOf(
  locale: Locale,
  files: readonly ReadyFile[],
  signer: FileSigner,
  { look, page, place, reason }: z.output<typeof OrderForm>,
): Order {
  const at = new Date()
  const lines = [signer.name, formatDateTime(locale, at), reason].filter(Boolean)
  return { files, signer, reason, at, shown: look === 'visible' ? { page, place, lines } : undefined }
}

function SigningOfFiles() {
  const t = useText()
  const locale = useLocale()
  const hydrated = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  const found = useRead(listFileSigners)
  const chosen = useChosenFiles()
  const signing = useFileSigning()
  const [saved, setSaved] = useState(false)
  const { step } = signing
  const ready = chosen.files.filter((each): each is ReadyFile => each.state === 'ready')
  const isReading = chosen.files.some(({ state }) => state === 'reading' || state === 'locked')
  const locked = chosen.files.find(({ state }) => state === 'locked')
  useHarmlessDrops()
  useEffect(() => void CodeDialog.preload(), [])
  const leaving = (step.at === 'done' ? !saved : ready.length > 0) && <AskBeforeLeaving />

  async function send(signers: readonly FileSigner[], values: z.output<typeof OrderForm>) {
    const signer = signers.find(({ id }) => id === values.signer)
    if (signer && ready.length) await signing.start(orderOf(locale, ready, signer, values))
  }

  function startAgain() {
    chosen.clear()
    setSaved(false)
    signing.choose()
  }

  if (step.at === 'done')
    return (
      <>
        {leaving}
        <SignedFiles
          files={step.files}
          isComplete={step.isComplete}
          onSaved={() => setSaved(true)}
          onAgain={startAgain}
        />
      </>
    )
  return (
    <div className="stack">
      <Notice>
        <p>
          <strong>
            {t({ pl: 'Pliki nie opuszczają Twojego urządzenia.', en: 'The files don’t leave your device.' })}
          </strong>{' '}
          {t({
            pl: 'Do portalu trafiają tylko ich skróty, z\u00a0których nie da się odczytać treści.',
            en: 'Only their digests reach the portal, from which nothing can be read.',
          })}
        </p>
      </Notice>
      <section className="card stack stack--s">
        <DropZone
          multiple
          input={input}
          problem={chosen.problem && t(chosen.problem)}
          hint={t({
            pl: `Do ${most} plików, każdy do\u00a0${formatBytes('pl', largest)}`,
            en: `Up to ${most} files, each up to ${formatBytes('en', largest)}`,
          })}
          isStill={!hydrated}
          onFiles={chosen.add}
        />
        <FileList files={chosen.files} onRemove={chosen.remove} />
      </section>
      {locked?.state === 'locked' && (
        <OpenWithPassword
          key={locked.id}
          file={locked.file}
          isWrong={locked.isWrong}
          submitLabel={t({ pl: 'Otwórz plik', en: 'Open file' })}
          onOpen={(password) => chosen.unlock(locked, password)}
          onCancel={() => chosen.remove(locked.id)}
        />
      )}
      <section className="card">
        <Region
          query={found}
          lines={3}
          label={t({ pl: 'Szukamy Twoich certyfikatów', en: 'Looking for your certificates' })}
        >
          {({ signers, maskedPhone }) =>
            signers.length ? (
              <Form schema={OrderForm} onSubmit={(values) => send(signers, values)}>
                <SignerChoice signers={signers} count={ready.length} />
                <AppearanceChoice />
                {step.at === 'choosing' && (
                  <FailureNotice
                    text={step.problem ? t(step.problem) : step.failure && explainFailure(locale, step.failure)}
                  />
                )}
                <p className="soft">
                  {ready.length
                    ? t({
                        pl: `Podpiszesz ${ready.length} ${plural('pl', ready.length, { one: 'plik', few: 'pliki', other: 'plików' })}. Podpisu nie można cofnąć. Kod wyślemy na numer `,
                        en: `You’re signing ${ready.length} ${plural('en', ready.length, { one: 'file', other: 'files' })}. A signature can’t be undone. We’ll send the code to `,
                      })
                    : t({
                        pl: 'Najpierw wybierz pliki. Kod wyślemy na numer ',
                        en: 'First choose the files. We’ll send the code to ',
                      })}
                  <MaskedPhone number={maskedPhone} />.
                </p>
                <Submit icon="send" aria-disabled={!ready.length || isReading}>
                  {t({ pl: 'Wyślij kod SMS', en: 'Send code' })}
                </Submit>
              </Form>
            ) : (
              <p>
                {t({
                  pl: 'Tutaj podpiszesz tylko ważnym podpisem w\u00a0aplikacji mobilnej albo pieczęcią, której klucz ma usługa podpisu. Teraz takich nie masz. Podpisem na karcie lub w\u00a0pliku podpiszesz w\u00a0swoim programie.',
                  en: 'Here you can only sign with a valid signature in the mobile app, or with a seal whose key the signing service has. You don’t have one now. You can sign with a signature on a card or in a file in your own software.',
                })}
              </p>
            )
          }
        </Region>
      </section>
      <SigningDialog signing={signing} />
      {leaving}
    </div>
  )
}

/** What the customer does after the code was sent. */
function SigningDialog({ signing }: { signing: ReturnType<typeof useFileSigning> }) {
  const t = useText()
  const locale = useLocale()
  const { step, confirm, resend, sign, readSigned, backTo, choose } = signing
  const signFilesText = t({ pl: 'Podpisz pliki', en: 'Sign files' })
  const busyText = t({ pl: 'Podpisujemy…', en: 'Signing…' })
  if (step.at === 'code') {
    const { files, signer } = step.order
    return (
      <CodeDialog
        title={t({ pl: 'Podpisz kodem SMS', en: 'Sign with a text-message code' })}
        description={t({
          pl: `${files.length} ${plural('pl', files.length, { one: 'plik', few: 'pliki', other: 'plików' })}, certyfikat: ${signer.name}`,
          en: `${files.length} ${plural('en', files.length, { one: 'file', other: 'files' })}, certificate: ${signer.name}`,
        })}
        back={{ label: t({ pl: 'Wróć do plików', en: 'Back to files' }), onBack: choose }}
        sent={step.code}
        submitLabel={signFilesText}
        busyText={busyText}
        onSubmit={confirm}
        onResend={resend}
        onClose={choose}
      >
        <DocumentMark sha256={step.reference} name={{ pl: 'Oznaczenie plików', en: 'Reference of the files' }} />
      </CodeDialog>
    )
  }
  if (step.at === 'service')
    return (
      <ServiceCodesForm
        className="bare"
        authorisation={step.authorisation}
        onSigned={async () => void (await readSigned())}
        onOver={backTo}
      >
        {(fields) => (
          <Dialog
            width="s"
            title={t(serviceText.title)}
            onClose={choose}
            footer={
              <>
                <Cancel onClick={choose} />
                <Submit busyText={busyText}>{signFilesText}</Submit>
              </>
            }
          >
            <div className="stack">{fields}</div>
          </Dialog>
        )}
      </ServiceCodesForm>
    )
  if (step.at === 'page')
    return <ServiceTab id={step.authorisation.id} onPoll={readSigned} onOver={backTo} onClose={choose} />
  if (step.at === 'retry')
    return (
      <Dialog
        width="s"
        title={t({ pl: 'Usługa podpisu nie podpisała', en: 'The signing service didn’t sign' })}
        initialFocus="title"
        onClose={choose}
        footer={
          <>
            <Button variant="quiet" onClick={choose}>
              {t({ pl: 'Anuluj', en: 'Cancel' })}
            </Button>
            <Button variant="primary" onClick={sign}>
              {t({ pl: 'Spróbuj jeszcze raz', en: 'Try again' })}
            </Button>
          </>
        }
      >
        <FailureNotice text={explainFailure(locale, step.failure)} />
        <p>
          {t({
            pl: 'Przez 10\u00a0minut nowy kod nie będzie potrzebny.',
            en: 'You won’t need another code for 10\u00a0minutes.',
          })}
        </p>
      </Dialog>
    )
  if (step.at === 'choosing' || step.at === 'done') return null
  return (
    <Dialog
      width="s"
      title={
        step.at === 'preparing'
          ? t({ pl: 'Przygotowujemy pliki', en: 'Preparing the files' })
          : t({ pl: 'Podpisujemy pliki', en: 'Signing the files' })
      }
      initialFocus="title"
      closable={false}
    >
      <Waiting busy>
        {step.at === 'preparing'
          ? t({
              pl: `Plik ${Math.min(step.done + 1, step.of)} z\u00a0${step.of}`,
              en: `File ${Math.min(step.done + 1, step.of)} of ${step.of}`,
            })
          : t({
              pl: 'Jeśli usługa podpisu o\u00a0to prosi, potwierdź podpis w\u00a0jej aplikacji. Nie zamykaj tej strony.',
              en: 'If the signing service asks you to, confirm the signature in its app. Don’t close this page.',
            })}
      </Waiting>
    </Dialog>
  )
}

import { useText } from '../locale.tsx'
import { DocumentMark } from '../signing/document-mark.tsx'
import { ServiceCodesForm, serviceText } from '../signing/service-authorisation.tsx'
import { Waiting } from '../signing/signing-wait.tsx'
import { CodeDialog } from '../step-up/code-dialog.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Cancel, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { ServiceTab } from './service-tab.tsx'
import { orderText, signingFailures } from './signing-text.ts'
import type { useFileSigning } from './use-file-signing.ts'

/** What the customer does after the code was sent. */
export function SigningDialog({ signing }: { signing: ReturnType<typeof useFileSigning> }) {
  const t = useText()
  const { step, confirm, resend, sign, isOver, giveUp, choose } = signing
  const signFilesText = t({ pl: 'Podpisz pliki', en: 'Sign files' })
  const busyText = t({ pl: 'Podpisujemy…', en: 'Signing…' })
  if (step.at === 'code') {
    const { files, signer } = step.order
    return (
      <CodeDialog
        title={t({ pl: 'Podpisz kodem SMS', en: 'Sign with a text-message code' })}
        description={t(orderText(files.length, signer.name))}
        back={{ label: t({ pl: 'Wróć do plików', en: 'Back to files' }), onBack: choose }}
        sent={step.code}
        submitLabel={signFilesText}
        busyText={busyText}
        onSubmit={confirm}
        onResend={resend}
        onClose={choose}
      >
        <DocumentMark sha256={step.reference} name={{ pl: 'Oznaczenie plików', en: 'File reference' }} />
      </CodeDialog>
    )
  }
  if (step.at === 'service')
    return (
      <ServiceCodesForm
        className="bare"
        authorisation={step.authorisation}
        onSigned={async () => void (await isOver())}
        onOver={giveUp}
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
    return <ServiceTab id={step.authorisation.id} onPoll={isOver} onOver={giveUp} onClose={choose} />
  if (step.at === 'retry')
    return (
      <Dialog
        stack
        width="s"
        title={t({ pl: 'Nie udało się podpisać', en: 'We couldn’t sign' })}
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
        <FailureNotice text={explainFailure(t.locale, step.failure, signingFailures[step.failure.code])} />
        <p>
          {t({
            pl: 'Przez 10\u00a0minut nowy kod nie będzie potrzebny.',
            en: 'You won’t need another code for 10\u00a0minutes.',
          })}
        </p>
      </Dialog>
    )
  if (step.at === 'preparing')
    return (
      <Dialog
        width="s"
        title={t({ pl: 'Przygotowujemy pliki', en: 'Preparing the files' })}
        initialFocus="title"
        onClose={choose}
        footer={
          <Button variant="quiet" onClick={choose}>
            {t({ pl: 'Anuluj', en: 'Cancel' })}
          </Button>
        }
      >
        <FileProgress {...step} />
      </Dialog>
    )
  if (step.at === 'choosing') return null
  return (
    <Dialog
      width="s"
      title={t({ pl: 'Podpisujemy pliki', en: 'Signing the files' })}
      initialFocus="title"
      closable={false}
    >
      {step.at === 'completing' ? (
        <div className="stack stack--s">
          <FileProgress {...step} />
          <Notice>{t({ pl: 'Nie zamykaj tej strony.', en: 'Don’t close this page.' })}</Notice>
        </div>
      ) : (
        <Waiting busy>
          {t({
            pl: 'Jeśli usługa podpisu o\u00a0to prosi, potwierdź podpis w\u00a0jej aplikacji. Nie zamykaj tej strony.',
            en: 'If the signing service asks you to, confirm the signature in its app. Don’t close this page.',
          })}
        </Waiting>
      )}
    </Dialog>
  )
}

function FileProgress({ done, of, name }: { done: number; of: number; name: string }) {
  const t = useText()
  const current = Math.min(done + 1, of)
  return (
    <div className="stack stack--s">
      <Waiting busy>
        {t({ pl: `Plik ${current} z\u00a0${of}: `, en: `File ${current} of ${of}: ` })}
        <b translate="no">{name}</b>
      </Waiting>
      <progress className="meter" max={of} value={done} aria-hidden="true" />
    </div>
  )
}

import { useText } from '../app/locale.tsx'
import { DocumentMark } from '../service-authorisation/document-mark.tsx'
import { ServiceCodesDialog } from '../service-authorisation/service-authorisation.tsx'
import { Waiting } from '../service-authorisation/signing-wait.tsx'
import { CodeDialog } from '../step-up/code-dialog.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Cancel } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { ServiceTab } from './service-tab.tsx'
import { orderText, signingFailures } from './signing-text.ts'
import type { useFileSigning } from './use-file-signing.ts'

type Signing = ReturnType<typeof useFileSigning>

/** Shows the steps of the customer after the code was sent. */
export function SigningDialog({ signing }: { signing: Signing }) {
  const t = useText()
  const { step, confirm, resend, sign, isOver, giveUp, choose } = signing
  const submitLabel = t({ pl: 'Podpisz pliki', en: 'Sign files' })
  switch (step.at) {
    case 'choosing':
      return null
    case 'code':
      return (
        <CodeDialog
          title={t({ pl: 'Podpisz kodem SMS', en: 'Sign with a text-message code' })}
          description={t(orderText(step.order.files.length, step.order.signer.name))}
          back={{ label: t({ pl: 'Wróć do plików', en: 'Back to files' }), onBack: choose }}
          sent={step.code}
          submitLabel={submitLabel}
          busyText={t({ pl: 'Podpisujemy…', en: 'Signing…' })}
          onSubmit={confirm}
          onResend={resend}
          onClose={choose}
        >
          <DocumentMark sha256={step.reference} name={{ pl: 'Oznaczenie plików', en: 'File reference' }} />
        </CodeDialog>
      )
    case 'service':
      return (
        <ServiceCodesDialog
          authorisation={step.authorisation}
          submitLabel={submitLabel}
          onSigned={async () => void (await isOver())}
          onOver={giveUp}
          onClose={choose}
        />
      )
    case 'page':
      return <ServiceTab id={step.authorisation.id} onPoll={isOver} onOver={giveUp} onClose={choose} />
    default:
      return <ProgressDialog step={step} onRetry={sign} onClose={choose} />
  }
}

type ProgressProps = {
  step: Extract<Signing['step'], { at: 'preparing' | 'retry' | 'signing' | 'completing' }>
  onRetry: () => void
  onClose: () => void
}

/** Shows one dialog for the steps that need no action of the customer, and for a failure of them. */
function ProgressDialog({ step, onRetry, onClose }: ProgressProps) {
  const t = useText()
  if (step.at === 'preparing')
    return (
      <Dialog
        width="s"
        title={t({ pl: 'Przygotowujemy pliki', en: 'Preparing the files' })}
        initialFocus="title"
        onClose={onClose}
        footer={<Cancel onClick={onClose} />}
      >
        <FileProgress {...step} />
      </Dialog>
    )
  if (step.at === 'retry')
    return (
      <Dialog
        isStacked
        width="s"
        title={t({ pl: 'Nie udało się podpisać', en: 'We couldn’t sign' })}
        initialFocus="title"
        onClose={onClose}
        footer={
          <>
            <Cancel onClick={onClose} />
            <Button variant="primary" onClick={onRetry}>
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
  return (
    <Dialog
      width="s"
      title={t({ pl: 'Podpisujemy pliki', en: 'Signing the files' })}
      initialFocus="title"
      isClosable={false}
    >
      {step.at === 'completing' ? (
        <div className="stack stack--small">
          <FileProgress {...step} />
          <Notice>{t({ pl: 'Nie zamykaj tej strony.', en: 'Don’t close this page.' })}</Notice>
        </div>
      ) : (
        <Waiting isBusy>
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
    <div className="stack stack--small">
      <Waiting isBusy>
        {t({ pl: `Plik ${current} z\u00a0${of}: `, en: `File ${current} of ${of}: ` })}
        <b translate="no">{name}</b>
      </Waiting>
      <progress className="meter" max={of} value={done} aria-hidden="true" />
    </div>
  )
}

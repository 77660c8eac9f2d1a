import { useState } from 'react'
import { useNavigate } from 'react-router'
import { pages } from '../../contract/pages.ts'
import { declineAgreement, type Renewal, readRenewal, readSigningReadiness } from '../../contract/renewal.ts'
import { useText } from '../app/locale.tsx'
import { call, onFailure, type ApiError, hasFailedWith } from '../calls/api.ts'
import { invalidate, refetch } from '../calls/reads.ts'
import { finishReturn } from '../service-authorisation/service-authorisation.tsx'
import { useSigningReturn, type SigningReturn } from '../service-authorisation/signing-return.ts'
import { SigningWait, Waiting } from '../service-authorisation/signing-wait.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import '../service-authorisation/signing-wait.css'
import './signing-step.css'
import { RetryButton } from '../ui/retry-button.tsx'
import { AgreementDocument, type AgreementReading } from './agreement-document.tsx'
import { ReaderSkeleton, RowSkeleton } from './agreement-skeleton.tsx'
import { useRenewalCall } from './renewal-move.ts'
import { useRenewalWatch } from './renewal-watch.tsx'
import { SignBox, signByCode } from './sign-box.tsx'
import { StepHeading } from './step-buttons.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void }

/** Shows step 3 (REN-7, REN-8): the agreement on the left, and next to it the box to sign or decline it. */
export function SigningStep({ renewal, onChanged }: Props) {
  const t = useText()
  const { uid, state, agreement } = renewal
  const [failure, setFailure] = useState<ApiError>()
  const [reading, setReading] = useState<AgreementReading>('loading')
  const [isSigning, setIsSigning] = useState(false)
  const returned = useSigningReturn()
  const [isBack, setIsBack] = useState(!!returned)
  return (
    <div className="wizard wizard--sign">
      <section className="sign-documents" aria-labelledby="documents-title">
        <StepHeading
          step={3}
          title={{ pl: 'Podpisz umowę', en: 'Sign the agreement' }}
          lede={{
            pl: 'Przeczytaj umowę. Podpiszesz ją kodem SMS.',
            en: 'Read the agreement. You’ll sign it with a text-message code.',
          }}
        />
        <h2 className="unseen" id="documents-title">
          {t({ pl: 'Umowa do podpisania', en: 'Agreement to sign' })}
        </h2>
        {agreement ? (
          <AgreementDocument key={agreement.sha256} renewal={renewal} onReading={setReading} />
        ) : (
          <AgreementComing uid={uid} />
        )}
      </section>
      <section className="card diploma sign-box" aria-label={t({ pl: 'Podpis', en: 'Signature' })}>
        {agreement ? (
          // A new version is a new agreement or a new try, whose code is another one.
          <SignBox
            key={`${renewal.version} ${agreement.sha256}`}
            renewal={renewal}
            reading={reading}
            onSigning={setIsSigning}
            onChanged={onChanged}
            failure={failure}
            onFailure={setFailure}
          />
        ) : (
          <>
            <h2 className="small-heading">{t(signByCode)}</h2>
            <p className="soft">
              {t({
                pl: 'Kod wyślesz, gdy umowa będzie gotowa.',
                en: 'You can get the code once the agreement is ready.',
              })}
            </p>
          </>
        )}
        {!isSigning && <WaysOut renewal={renewal} onChanged={onChanged} />}
      </section>
      {returned && isBack && state === 'signing' && (
        <ReturnProgress
          uid={uid}
          returned={returned}
          onEnd={(next, error) => {
            setIsBack(false)
            setFailure(error)
            if (next) onChanged(next)
          }}
        />
      )}
      {state === 'authorised' && <SigningProgress uid={uid} />}
    </div>
  )
}

/** Waits for the agreement, which the provider generates within seconds. */
function AgreementComing({ uid }: { uid: string }) {
  const t = useText()
  const { isLate, again } = useRenewalWatch(uid, true)
  return (
    <div role="status">
      {isLate ? (
        <Notice title={t({ pl: 'Jeszcze przygotowujemy umowę', en: 'We’re still preparing the agreement' })}>
          <p>
            {t({
              pl: 'To trwa dłużej niż zwykle. Możesz wrócić później z\u00a0listy podpisów: nic nie przepadnie.',
              en: 'This is taking longer than usual. You can come back later from the list of signatures: nothing will be lost.',
            })}
          </p>
          <p className="buttons">
            <RetryButton isCheck size="s" onClick={again} />
          </p>
        </Notice>
      ) : (
        <>
          <RowSkeleton />
          <div className="agreement">
            <ReaderSkeleton text={t({ pl: 'Przygotowujemy umowę…', en: 'Preparing the agreement…' })} />
          </div>
        </>
      )}
    </div>
  )
}

function WaysOut({ renewal, onChanged }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const [isDeclining, setIsDeclining] = useState(false)
  return (
    <>
      <div className="sign-box__no">
        {/* Going back is harmless: that page asks before the agreement is discarded. */}
        <Button variant="quiet" icon="back" onClick={() => void navigate('?step=2')}>
          {t({ pl: 'Wstecz', en: 'Back' })}
        </Button>
        <Button variant="quiet" className="is-danger" aria-haspopup="dialog" onClick={() => setIsDeclining(true)}>
          {t({ pl: 'Odmów podpisania', en: 'Decline to sign' })}
        </Button>
      </div>
      {isDeclining && <DeclineDialog renewal={renewal} onChanged={onChanged} onClose={() => setIsDeclining(false)} />}
    </>
  )
}

type DeclineProps = Props & { onClose: () => void }

/** Asks for confirmation, because declining is final (REN-8). */
function DeclineDialog({ renewal: { uid, state, version }, onChanged, onClose }: DeclineProps) {
  const t = useText()
  const move = useRenewalCall()
  const decline = () => move(() => call(declineAgreement, { params: { uid }, body: { expected: { state, version } } }))
  return (
    <ConfirmDialog
      title={t({ pl: 'Odmówić podpisania umowy?', en: 'Decline to sign the agreement?' })}
      description={t({
        pl: 'Odnowienie zakończy się ostatecznie, a\u00a0kod odnowienia przepadnie. Obecny certyfikat działa do wygaśnięcia.',
        en: 'This ends the renewal for good, and you’ll lose the renewal code. Your current certificate works until it expires.',
      })}
      label={t({ pl: 'Odmów podpisania', en: 'Decline to sign' })}
      busyText={t({ pl: 'Kończymy…', en: 'Ending…' })}
      recommended={t({ pl: 'Wróć do podpisywania', en: 'Back to signing' })}
      // Where the renewal has another state by now, the page behind the dialog shows it.
      onConfirm={() =>
        decline().then(
          onChanged,
          onFailure(['canceled'], () => undefined),
        )
      }
      onClose={onClose}
    />
  )
}

/**
 * Shows that the signature is being made after the agreement was signed by code (REN-12). The customer can leave at any time and loses
 * nothing.
 */
function SigningProgress({ uid }: { uid: string }) {
  const t = useText()
  const navigate = useNavigate()
  const { isLate, isSlow, again } = useRenewalWatch(uid, true, 1)
  const leave = () => void navigate(pages.home.path)
  return (
    <Dialog
      width="s"
      initialFocus="title"
      title={t({ pl: 'Podpisujemy umowę', en: 'Signing the agreement' })}
      onClose={leave}
      footer={
        <>
          {isLate && <RetryButton isCheck variant="quiet" onClick={again} />}
          <Button variant={isSlow ? 'primary' : 'secondary'} onClick={leave}>
            {t({ pl: 'Wyjdź z\u00a0tej strony', en: 'Leave this page' })}
          </Button>
        </>
      }
    >
      <Waiting isBusy={!isLate}>
        {isSlow
          ? t({
              pl: 'To trwa dłużej niż zwykle, bo usługa podpisu jeszcze nie odpowiedziała. Nie musisz czekać: zapisaliśmy Twoją zgodę i\u00a0podpiszemy umowę, gdy usługa znów zadziała. Wtedy napiszemy. Jeśli nie uda się to w\u00a0ciągu doby, trzeba będzie podpisać umowę jeszcze raz.',
              en: 'This is taking longer than usual, because the signing service hasn’t responded yet. You don’t need to wait: we’ve recorded your consent, and we’ll sign the agreement once the service works again. We’ll e-mail you then. If it doesn’t work within a day, you’ll have to sign again.',
            })
          : t({
              pl: 'To trwa kilka sekund. Nie musisz czekać: podpis jest już potwierdzony, a\u00a0o\u00a0wyniku napiszemy.',
              en: 'This takes a few seconds. You can leave now: we’ll finish signing and e-mail you.',
            })}
      </Waiting>
    </Dialog>
  )
}

type ReturnProps = {
  uid: string
  returned: SigningReturn
  /** Reports the end, with the renewal as it is then, and why it was not signed. */
  onEnd: (renewal: Renewal | undefined, failure: ApiError | undefined) => void
}

/** Completes the signature of the agreement when the customer returns from the signing service's page (SGN-13). */
function ReturnProgress({ uid, returned, onEnd }: ReturnProps) {
  const t = useText()
  async function finish() {
    let failure: ApiError | undefined
    await finishReturn(returned).catch((error: unknown) => {
      if (!hasFailedWith(error)) throw error
      failure = error
    })
    const current = await refetch(readRenewal, { params: { uid } })
    await invalidate(readSigningReadiness)
    onEnd(current, current?.state === 'signing' ? failure : undefined)
  }
  return <SigningWait title={t({ pl: 'Podpisujemy umowę', en: 'Signing the agreement' })} onShown={finish} />
}

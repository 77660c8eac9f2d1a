import { useEffect, useRef, useState, type ReactNode } from 'react'
import { pages } from '../../contract/pages.ts'
import { finishRenewal, readRenewal, type Renewal } from '../../contract/renewal.ts'
import { confirmPairing, listSignatures, startPairing, summariseSignatures } from '../../contract/signatures.ts'
import { OkSeal } from '../art/ok-seal.tsx'
import { call, CallFailed, newIdempotencyKey } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { focusHeading } from '../page-title.ts'
import { forget, readAgain } from '../reads.ts'
import { describeFailure } from '../text/failure-text.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { PairButton } from '../ui/pair-button.tsx'
import { CalendarSeal } from './calendar-seal.tsx'
import { useMove } from './current-state.ts'
import './issuance-step.css'
import { RenewalSummary } from './renewal-summary.tsx'
import { useRenewalWatch } from './renewal-watch.tsx'
import { StepHeading } from './step-heading.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void }

/** Step 4 (REN-9): the provider issues, and the QR code is there once the new certificate has begun. */
export function IssuanceStep({ renewal, onChanged }: Props) {
  const { state, signature } = renewal
  const phase =
    state === 'finished'
      ? 'done'
      : state !== 'issued' || !signature
        ? 'issuing'
        : signature.pairedAt
          ? 'paired'
          : signature.pairable
            ? 'ready'
            : 'waiting'
  // What was asked for here is there; the heading says what.
  const before = useRef(phase)
  useEffect(() => {
    if (before.current !== phase) focusHeading()
    before.current = phase
  }, [phase])

  if (phase === 'issuing') return <Issuing renewal={renewal} />
  if (phase === 'waiting') return <NotYet renewal={renewal} onChanged={onChanged} />
  if (phase === 'ready') return <Ready renewal={renewal} onChanged={onChanged} />
  return <Done renewal={renewal} onChanged={onChanged} />
}

function Frame({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className="wiz wiz--plain">
      <div className="issue">
        <StepHeading step={4}>{heading}</StepHeading>
        {children}
      </div>
    </div>
  )
}

function Issuing({ renewal }: { renewal: Renewal }) {
  const t = useText()
  const { late, again } = useRenewalWatch(renewal.uid, true)
  return (
    <Frame heading={t({ pl: 'Wydajemy Twój certyfikat', en: 'We are issuing your certificate' })}>
      <div className="card blk" role="status" aria-busy={!late}>
        <p className="issue__done">
          {t({ pl: 'Umowa jest podpisana i\u00a0bezpieczna.', en: 'The agreement is signed and safely kept.' })}
        </p>
        {late ? (
          <p>
            {t({
              pl: 'Wydanie trwa dłużej niż zwykle. Napiszemy e-mailem, gdy certyfikat będzie gotowy. Możesz zamknąć tę stronę.',
              en: 'Issuing takes longer than usual. We will write to you when the certificate is ready. You can close this page.',
            })}
          </p>
        ) : (
          <p className="issue__busy">
            <span className="spin" aria-hidden="true" />
            {t({
              pl: 'Wydajemy certyfikat. Zwykle trwa to kilka sekund. Możesz zamknąć tę stronę: napiszemy e-mailem.',
              en: 'Issuing the certificate. That usually takes a few seconds. You can close this page: we will write to you.',
            })}
          </p>
        )}
      </div>
      <RenewalSummary renewal={renewal} />
      <div className="btns blk">
        <ButtonLink to={pages.home.path}>{t({ pl: 'Dokończ później', en: 'Finish later' })}</ButtonLink>
        {late && (
          <Button variant="quiet" icon="refresh" onClick={again}>
            {t({ pl: 'Sprawdź ponownie', en: 'Check again' })}
          </Button>
        )}
      </div>
    </Frame>
  )
}

function NotYet({ renewal, onChanged }: Props) {
  const t = useText()
  const { uid, signature, now } = renewal
  const { validFrom } = signature!
  useLookAt(uid, Date.parse(validFrom) - Date.parse(now))
  return (
    <Frame heading={t({ pl: 'Certyfikat jest gotowy', en: 'The certificate is ready' })}>
      <div className="card diploma blk">
        <CalendarSeal uid={uid} from={validFrom} />
      </div>
      <RenewalSummary renewal={renewal} />
      <Finish renewal={renewal} onChanged={onChanged} variant="primary">
        {t({ pl: 'Dokończ później', en: 'Finish later' })}
      </Finish>
    </Frame>
  )
}

/** The page may stand open when the certificate begins; a timer of the browser holds no more than 24 days. */
function useLookAt(uid: string, wait: number) {
  useEffect(() => {
    if (wait > 86_400_000) return
    const timer = setTimeout(() => void readAgain(readRenewal, { params: { uid } }), Math.max(1000, wait + 1000))
    return () => clearTimeout(timer)
  }, [uid, wait])
}

function Ready({ renewal, onChanged }: Props) {
  const t = useText()
  const { uid, state, version, signature, certificate } = renewal
  const { id } = signature!
  const move = useMove()

  /** Nothing more is to be done here then. */
  async function prove(code: string) {
    await call(confirmPairing, { params: { id }, body: { code } })
    void forget(listSignatures, summariseSignatures)
    const finishing = move(() => call(finishRenewal, { params: { uid }, body: { expected: { state, version } } }))
    await finishing.then(onChanged, () => readAgain(readRenewal, { params: { uid } }))
  }

  return (
    <Frame heading={t({ pl: 'Połącz nowy podpis z\u00a0aplikacją', en: 'Connect your new signature to the app' })}>
      <div className="card diploma blk">
        <p>
          {t({
            pl: 'Nowy certyfikat już działa. Zeskanuj kod QR aplikacją na telefonie, a\u00a0zaczniesz nim podpisywać.',
            en: 'Your new certificate works now. Scan the QR code with the app on your phone to begin to sign with it.',
          })}
        </p>
        <div className="blk">
          <PairButton
            thing="signature"
            which={t({ pl: ' nowego podpisu', en: ' of the new signature' })}
            description={certificate.name}
            isPaired={false}
            variant="primary"
            start={() => call(startPairing, { params: { id }, idempotencyKey: newIdempotencyKey() })}
            prove={prove}
          />
        </div>
      </div>
      <RenewalSummary renewal={renewal} />
      <Finish renewal={renewal} onChanged={onChanged} variant="quiet">
        {t({ pl: 'Dokończ później', en: 'Finish later' })}
      </Finish>
    </Frame>
  )
}

function Done({ renewal, onChanged }: Props) {
  const t = useText()
  const { uid, state, signature, now } = renewal
  const isPaired = !!signature?.pairedAt
  const starts = signature && Date.parse(signature.validFrom) > Date.parse(now) ? signature.validFrom : undefined
  return (
    <Frame
      heading={
        isPaired
          ? t({ pl: 'Podpis jest odnowiony', en: 'Your signature is renewed' })
          : t({ pl: 'Odnowienie jest zakończone', en: 'The renewal is complete' })
      }
    >
      <div className="card diploma blk">
        {starts && !isPaired ? (
          <CalendarSeal uid={uid} from={starts} />
        ) : (
          <div className="issue__seal">
            <OkSeal />
            <p>
              {isPaired
                ? t({
                    pl: 'Aplikacja jest połączona. Od teraz podpisujesz nowym certyfikatem.',
                    en: 'The app is connected. From now on you sign with the new certificate.',
                  })
                : t({
                    pl: 'Aplikację połączysz w\u00a0dowolnej chwili na liście podpisów.',
                    en: 'You can connect the app at any time from the list of signatures.',
                  })}
            </p>
          </div>
        )}
      </div>
      <RenewalSummary renewal={renewal} />
      {state === 'issued' ? (
        <Finish renewal={renewal} onChanged={onChanged} variant="primary">
          {t({ pl: 'Zakończ', en: 'Finish' })}
        </Finish>
      ) : (
        <div className="btns blk">
          <ButtonLink variant="primary" to={pages.signatures.path}>
            {t({ pl: 'Przejdź do podpisów', en: 'Go to the signatures' })}
          </ButtonLink>
        </div>
      )}
    </Frame>
  )
}

type FinishProps = Props & { variant: 'primary' | 'quiet'; children: ReactNode }

/** Pairing is done or put off; either way nothing more is asked for here. */
function Finish({ renewal: { uid, state, version }, onChanged, variant, children }: FinishProps) {
  const t = useText()
  const locale = useLocale()
  const move = useMove()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CallFailed>()

  async function finish() {
    setBusy(true)
    setFailure(undefined)
    try {
      onChanged(await move(() => call(finishRenewal, { params: { uid }, body: { expected: { state, version } } })))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code !== 'cancelled') setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      {failure && (
        <Notice kind="err" role="alert" className="blk">
          {describeFailure(locale, failure)}
        </Notice>
      )}
      <div className="btns blk">
        <Button
          variant={variant}
          busy={busy}
          busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })}
          onClick={() => void finish()}
        >
          {children}
        </Button>
      </div>
    </>
  )
}

import { useEffect, useRef, useState, type ReactNode } from 'react'
import { CodeForm, type CodeSent } from '../../contract/account.ts'
import {
  readRenewal,
  resendAgreementCode,
  signAgreement,
  startAgreementSigning,
  type Renewal,
} from '../../contract/renewal.ts'
import { isCurable } from '../../contract/rules/renewal-rules.ts'
import { useAction } from '../action.ts'
import { call, failedWith, type ApiError, type FailureCode } from '../api.ts'
import { useText } from '../locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { Button } from '../ui/button.tsx'
import { CodeEntry } from '../step-up/code-entry.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { Notice } from '../ui/notice.tsx'
import type { ServiceAuthorisation } from '../../contract/signing.ts'
import { DocumentMark } from '../signing/document-mark.tsx'
import { afterCodeText } from '../signing/after-code-text.ts'
import { ServiceStep, serviceText } from '../signing/service-authorisation.tsx'
import type { AgreementReading } from './agreement-document.tsx'
import { useMove } from './renewal-move.ts'
import { formatDate } from '../text/format.ts'
import { renewalReasonOf, renewalReasonText } from '../text/renewal-text.ts'
import { SigningObstacle, useSigningReadiness } from './signing-obstacle.tsx'

export const signByCode = { pl: 'Podpisz kodem SMS', en: 'Sign with a text-message code' }

type Props = {
  renewal: Renewal
  reading: AgreementReading
  /** While a code is checked, nothing else can be done. */
  onSigning: (isSigning: boolean) => void
  onChanged: (renewal: Renewal) => void
  /** Why the previous code does not sign; kept by the step, because another agreement has a new box. */
  failure: ApiError | undefined
  onFailure: (failure: ApiError | undefined) => void
}

/** The button that sends another one is next to it. */
const voidCode = {
  pl: 'Tego kodu nie można już użyć. Wyślij nowy kod i\u00a0spróbuj jeszcze raz.',
  en: 'This code can no longer be used. Send a new one and try again.',
}

/** Nobody signs what they could not read. */
const whyNoCode = {
  failed: {
    pl: 'Kod wyślesz, gdy wczytamy umowę: najpierw ją przeczytaj.',
    en: 'You can get the code once the agreement has loaded: read it first.',
  },
  unreadable: {
    pl: 'Kod wyślesz, gdy pobierzesz umowę: najpierw ją przeczytaj.',
    en: 'You can get the code once you’ve downloaded the agreement: read it first.',
  },
}

/** After these the sent code is void, and another one must be requested. */
const endsTheCode: ReadonlySet<FailureCode> = new Set([
  'code-void',
  'too-many-attempts',
  'signing-changed',
  'agreement-not-ready',
  'renewal-refused',
  'renewal-changed',
])

/** REN-7, R33: the agreement is signed by a code that names it; nothing is sent automatically, neither the SMS nor the code. */
export function SignBox({ renewal, reading, onSigning, onChanged, failure, onFailure }: Props) {
  const t = useText()
  const move = useMove()
  const [sent, setSent] = useState<CodeSent>()
  const { uid, state, version, agreement, person, signingFailed } = renewal
  const readiness = useSigningReadiness(uid)
  const shown = { expected: { state, version }, sha256: agreement!.sha256 }
  const mark = agreement!.sha256.slice(0, 8)
  const afterCode = readiness.data && afterCodeText(readiness.data)

  const [authorisation, setAuthorisation] = useState<ServiceAuthorisation>()
  /** The authorisation that has ended, or was replaced by a new code of the portal. */
  const [endedId, setEndedId] = useState<string>()
  const begun = authorisation ?? readiness.data?.authorisation
  const awaited = begun?.id === endedId ? undefined : begun
  const [isAnswering, setIsAnswering] = useState(false)

  const { run: start, busy } = useAction(async () => {
    onFailure(undefined)
    await move(() => call(startAgreementSigning, { params: { uid }, body: shown })).then((code) => {
      setEndedId(begun?.id)
      setSent(code)
    }, endWith)
  })

  /** Shows the current state after the service has signed, or where its answer was lost. */
  async function showCurrent() {
    const now = await currentRenewal(uid)
    if (now) onChanged(now)
  }

  /** The authorisation is void; the agreement can be signed again. */
  async function startOver(error: ApiError) {
    setAuthorisation(undefined)
    setEndedId(awaited?.id)
    setSent(undefined)
    await readiness.refetch()
    await endWith(error)
    await showCurrent()
  }

  /** A wrong code is shown at its field; a failure that ends it above the button that sends another one. */
  async function sign(code: string) {
    onSigning(true)
    try {
      const { authorisation: more, ...next } = await move(() =>
        call(signAgreement, { params: { uid }, body: { ...shown, code } }),
      )
      if (more) setAuthorisation(more)
      else onChanged(next)
    } catch (error) {
      if (!failedWith(error)) throw error
      const after = error.code === 'offline' ? await currentRenewal(uid) : undefined
      if (after && after.state !== 'signing') onChanged(after)
      else if (endsTheCode.has(error.code)) await endWith(error)
      else throw error
    } finally {
      onSigning(false)
    }
  }

  async function endWith(error: unknown) {
    if (!failedWith(error)) throw error
    setSent(undefined)
    if (error.code === 'cancelled') return
    onFailure(error)
    // The screen shows an outdated state.
    if (['signing-changed', 'agreement-not-ready', 'renewal-refused'].includes(error.code)) {
      void readiness.refetch()
      const now = await currentRenewal(uid)
      if (now) onChanged(now)
    }
  }

  /** An expired code cannot be sent again, so another one is requested. */
  async function resend() {
    try {
      setSent(await call(resendAgreementCode, { params: { uid }, body: shown }))
    } catch (error) {
      if (!failedWith(error)) throw error
      if (error.code === 'code-expired') setSent(await call(startAgreementSigning, { params: { uid }, body: shown }))
      else if (endsTheCode.has(error.code)) await endWith(error)
      else throw error
    }
  }

  return (
    <>
      <h2 className="h-s">{t(awaited ? serviceText.title : signByCode)}</h2>
      {signingFailed && !failure && !sent && (
        <Notice
          kind="err"
          role="alert"
          title={t({ pl: 'Umowa nie została podpisana', en: 'The agreement hasn’t been signed' })}
        >
          {t({
            pl: 'Mimo poprawnego kodu SMS nie udało się podpisać umowy. Wyślij nowy kod i\u00a0spróbuj ponownie.',
            en: 'Your code was correct, but the agreement couldn’t be signed. Ask for a new code and try again.',
          })}
        </Notice>
      )}
      {failure && !readiness.data?.obstacle && <SigningFailure failure={failure} />}
      {awaited ? (
        <>
          <ServiceStep
            key={awaited.id}
            authorisation={awaited}
            onSigned={showCurrent}
            onOver={(error) => void startOver(error)}
            onSending={(isSending) => {
              setIsAnswering(isSending)
              onSigning(isSending)
            }}
            submit={
              <Submit block icon="pen" busyText={t({ pl: 'Podpisujemy…', en: 'Signing…' })}>
                {t({ pl: 'Podpisz umowę', en: 'Sign the agreement' })}
              </Submit>
            }
          />
          {!isAnswering && (
            <Button variant="quiet" block icon="send" busy={busy} onClick={start}>
              {t({ pl: 'Zacznij od\u00a0nowa nowym kodem SMS', en: 'Start again with a new text-message code' })}
            </Button>
          )}
        </>
      ) : sent ? (
        <Form schema={CodeForm} onSubmit={({ code }) => sign(code)} failures={{ other: 'code' }} summary={false}>
          <FocusedOnce>
            <CodeEntry
              sent={sent}
              onResend={resend}
              restartable
              meanwhile={{
                note: t({
                  pl: 'Podpisujemy umowę. To potrwa chwilę.',
                  en: 'Signing the agreement. This takes a moment.',
                }),
              }}
            >
              <DocumentMark sha256={agreement!.sha256} />
            </CodeEntry>
          </FocusedOnce>
          <Submit block icon="pen" busyText={t({ pl: 'Podpisujemy…', en: 'Signing…' })}>
            {t({ pl: 'Podpisz umowę', en: 'Sign the agreement' })}
          </Submit>
        </Form>
      ) : readiness.data?.obstacle ? (
        <SigningObstacle readiness={readiness} className="">
          {t({
            pl: `Odnowienie i\u00a0umowa czekają na Ciebie do ${formatDate(t.locale, renewal.endsAt)}.`,
            en: `We’ll keep the renewal and the agreement for you until ${formatDate(t.locale, renewal.endsAt)}.`,
          })}
        </SigningObstacle>
      ) : (
        <>
          <p className="soft">
            {t({ pl: 'Wyślemy kod na numer ', en: 'We’ll send a code to ' })}
            <b>
              <MaskedPhone number={person.maskedPhone} />
            </b>
            .{' '}
            {t({
              pl: 'W\u00a0SMS\u2011ie będzie oznaczenie dokumentu ',
              en: 'The text message will show the document reference ',
            })}
            <b className="mono" translate="no">
              {mark}
            </b>
            .
          </p>
          {afterCode && <p className="soft">{t(afterCode)}</p>}
          <p>
            <b>{t({ pl: 'Podpisu nie można cofnąć.', en: 'A signature can’t be undone.' })}</b>
          </p>
          {(reading === 'failed' || reading === 'unreadable') && <p className="soft">{t(whyNoCode[reading])}</p>}
          <Button
            variant="primary"
            block
            icon="send"
            busy={busy}
            aria-disabled={reading !== 'possible' || undefined}
            onClick={start}
          >
            {failure?.code === 'code-void'
              ? t({ pl: 'Wyślij nowy kod SMS', en: 'Send a new code' })
              : t({ pl: 'Wyślij kod SMS', en: 'Send code' })}
          </Button>
        </>
      )}
    </>
  )
}

/** Takes the focus when it appears, because the button that had it is gone. */
function FocusedOnce({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => container.current?.querySelector('input')?.focus(), [])
  return (
    <div className="form" ref={container}>
      {children}
    </div>
  )
}

/** The current renewal: the answer to a change may have been lost. */
const currentRenewal = (uid: string) => call(readRenewal, { params: { uid }, optional: true }).catch(() => undefined)

/** Where a rule forbids it, this says what to do; the document is corrected in the previous step (ux.md §3.4). */
function SigningFailure({ failure }: { failure: ApiError }) {
  const t = useText()
  const reason = renewalReasonOf(failure)
  const text = reason && renewalReasonText[reason]
  return (
    <Notice kind="err" role="alert" {...(text && { title: t(text.what) })}>
      {text ? (
        <>
          <p>
            {t(text.advice)} <AnswerLink to="renewal-refused" />
          </p>
          {isCurable(reason) && (
            <p>
              {t({
                pl: 'Wróć do danych osobowych przyciskiem „Wstecz”.',
                en: 'Use “Back” to return to your personal details.',
              })}
            </p>
          )}
        </>
      ) : (
        <p>{explainFailure(t.locale, failure, failure.code === 'code-void' ? voidCode : undefined)}</p>
      )}
    </Notice>
  )
}

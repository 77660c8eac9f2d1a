import { useEffect, useRef, useState } from 'react'
import { CodeForm, type CodeSent } from '../../contract/one-time-code.ts'
import type { Renewal } from '../../contract/renewal.ts'
import { canBeFixedByDocument } from '../../contract/rules/renewal-rules.ts'
import type { ServiceAuthorisation } from '../../contract/service-authorisation.ts'
import { useText } from '../app/locale.tsx'
import type { ApiError } from '../calls/api.ts'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { afterCodeText } from '../service-authorisation/after-code-text.ts'
import { DocumentMark } from '../service-authorisation/document-mark.tsx'
import { ServiceStep, serviceText } from '../service-authorisation/service-authorisation.tsx'
import { CodeEntryForm } from '../step-up/code-entry.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { formatDate } from '../text/format.ts'
import { renewalReasonOf, renewalReasonText } from '../text/renewal-text.ts'
import { Button } from '../ui/button.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import type { AgreementReading } from './agreement-document.tsx'
import { useAgreementSigning, type SigningCallbacks } from './agreement-signing.ts'
import { SigningObstacle } from './signing-obstacle.tsx'

export const signByCode = { pl: 'Podpisz kodem SMS', en: 'Sign with a text-message code' }

type Props = SigningCallbacks & {
  renewal: Renewal
  reading: AgreementReading
  /** Reason why the previous code does not sign; kept by the step, because another agreement has a new box. */
  failure: ApiError | undefined
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

/** Asks for the code that signs the agreement and names it (REN-7, R33); nothing is sent automatically, neither the SMS nor the code. */
export function SignBox({ renewal, reading, failure, ...callbacks }: Props) {
  const t = useText()
  const signing = useAgreementSigning(renewal, callbacks)
  const { readiness, sent, awaited } = signing
  const obstacle = readiness.data?.obstacle
  return (
    <>
      <h2 className="small-heading">{t(awaited ? serviceText.title : signByCode)}</h2>
      {renewal.hasSigningFailed && !failure && !sent && (
        <Notice
          kind="error"
          role="alert"
          title={t({ pl: 'Umowa nie została podpisana', en: 'The agreement hasn’t been signed' })}
        >
          {t({
            pl: 'Mimo poprawnego kodu SMS nie udało się podpisać umowy. Wyślij nowy kod i\u00a0spróbuj ponownie.',
            en: 'Your code was correct, but the agreement couldn’t be signed. Ask for a new code and try again.',
          })}
        </Notice>
      )}
      {failure && !obstacle && <SigningFailure failure={failure} />}
      {awaited ? (
        <ServiceConfirmation signing={signing} awaited={awaited} onSigning={callbacks.onSigning} />
      ) : sent ? (
        <SentCode signing={signing} sent={sent} sha256={renewal.agreement!.sha256} />
      ) : obstacle ? (
        <SigningObstacle readiness={readiness} className="">
          {t({
            pl: `Odnowienie i\u00a0umowa czekają na Ciebie do ${formatDate(t.locale, renewal.endsAt)}.`,
            en: `We’ll keep the renewal and the agreement for you until ${formatDate(t.locale, renewal.endsAt)}.`,
          })}
        </SigningObstacle>
      ) : (
        <CodeRequest signing={signing} renewal={renewal} reading={reading} isAgain={failure?.code === 'code-void'} />
      )}
    </>
  )
}

type AgreementSigning = ReturnType<typeof useAgreementSigning>

type ConfirmationProps = {
  signing: AgreementSigning
  awaited: ServiceAuthorisation
  onSigning: Props['onSigning']
}

/** Asks for the confirmation that the signing service requires after the portal's code. */
function ServiceConfirmation({ signing, awaited, onSigning }: ConfirmationProps) {
  const t = useText()
  const [isSending, setIsSending] = useState(false)
  return (
    <>
      <ServiceStep
        key={awaited.id}
        authorisation={awaited}
        onSigned={signing.showCurrent}
        onOver={(error) => void signing.startOver(error)}
        onSending={(isNow) => {
          setIsSending(isNow)
          onSigning(isNow)
        }}
        submit={<SignButton />}
      />
      {!isSending && (
        <Button variant="quiet" isWide icon="send" isBusy={signing.isBusy} onClick={signing.start}>
          {t({ pl: 'Zacznij od\u00a0nowa nowym kodem SMS', en: 'Start again with a new text-message code' })}
        </Button>
      )}
    </>
  )
}

function SentCode({ signing, sent, sha256 }: { signing: AgreementSigning; sent: CodeSent; sha256: string }) {
  const t = useText()
  const fields = useRef<HTMLDivElement>(null)
  // The button that had the focus is gone.
  useEffect(() => fields.current?.querySelector('input')?.focus(), [])
  return (
    <Form schema={CodeForm} onSubmit={({ code }) => signing.sign(code)} failures={{ other: 'code' }} summary={false}>
      <div className="form" ref={fields}>
        <CodeEntryForm
          sent={sent}
          onResend={signing.resend}
          canRestart
          meanwhile={{
            note: t({
              pl: 'Podpisujemy umowę. To potrwa chwilę.',
              en: 'Signing the agreement. This takes a moment.',
            }),
          }}
        >
          <DocumentMark sha256={sha256} />
        </CodeEntryForm>
      </div>
      <SignButton />
    </Form>
  )
}

function SignButton() {
  const t = useText()
  return (
    <Submit isWide icon="pen" busyText={t({ pl: 'Podpisujemy…', en: 'Signing…' })}>
      {t({ pl: 'Podpisz umowę', en: 'Sign the agreement' })}
    </Submit>
  )
}

type RequestProps = Pick<Props, 'renewal' | 'reading'> & {
  signing: AgreementSigning
  /** Whether a code is sent again, because the previous one is void. */
  isAgain: boolean
}

/** Shows the button that sends the code, with the information that the customer needs first. */
function CodeRequest({ signing: { readiness, start, isBusy }, renewal, reading, isAgain }: RequestProps) {
  const t = useText()
  const afterCode = readiness.data && afterCodeText(readiness.data)
  return (
    <>
      <p className="soft">
        {t({ pl: 'Wyślemy kod na numer ', en: 'We’ll send a code to ' })}
        <b>
          <MaskedPhone number={renewal.person.maskedPhone} />
        </b>
        .{' '}
        {t({
          pl: 'W\u00a0SMS\u2011ie będzie oznaczenie dokumentu ',
          en: 'The text message will show the document reference ',
        })}
        <b className="mono" translate="no">
          {renewal.agreement!.sha256.slice(0, 8)}
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
        isWide
        icon="send"
        isBusy={isBusy}
        aria-disabled={reading !== 'possible' || undefined}
        onClick={start}
      >
        {isAgain
          ? t({ pl: 'Wyślij nowy kod SMS', en: 'Send a new code' })
          : t({ pl: 'Wyślij kod SMS', en: 'Send code' })}
      </Button>
    </>
  )
}

/** Shows why the signing failed and, if a rule forbids it, what to do; the document is corrected in the previous step. */
function SigningFailure({ failure }: { failure: ApiError }) {
  const t = useText()
  const reason = renewalReasonOf(failure)
  const text = reason && renewalReasonText[reason]
  return (
    <Notice kind="error" role="alert" {...(text && { title: t(text.what) })}>
      {text ? (
        <>
          <p>
            {t(text.advice)} <AnswerLink to="renewal-refused" />
          </p>
          {canBeFixedByDocument(reason) && (
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

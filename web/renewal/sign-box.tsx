import { useEffect, useRef, useState, type ReactNode } from 'react'
import { CodeForm, type CodeSent } from '../../contract/account.ts'
import {
  readRenewal,
  resendAgreementCode,
  signAgreement,
  startAgreementSigning,
  type Renewal,
} from '../../contract/renewal.ts'
import { isCurable, type RenewalReason } from '../../contract/renewal-rules.ts'
import { call, CallFailed, type FailureCode } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { CodeField } from '../ui/code-field.tsx'
import { CodeResend } from '../ui/code-resend.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { MaskedPhone } from '../ui/masked-phone.tsx'
import { Notice } from '../ui/notice.tsx'
import { useMove } from './current-state.ts'
import { renewalReasonWords } from '../text/renewal-words.ts'

type Props = {
  renewal: Renewal
  onChanged: (renewal: Renewal) => void
  /** Why the code before signs nothing; kept by the step, because another agreement has a box of its own. */
  failure: CallFailed | undefined
  onFailure: (failure: CallFailed | undefined) => void
}

/** After these the code that was sent signs nothing any more, and another one is asked for. */
const endsTheCode: ReadonlySet<FailureCode> = new Set([
  'code-void',
  'too-many-attempts',
  'signing-changed',
  'agreement-not-ready',
  'renewal-refused',
])

/** REN-7, R33: the agreement is signed by a code that names it; nothing is sent by itself, neither the SMS nor the code. */
export function SignBox({ renewal, onChanged, failure, onFailure }: Props) {
  const t = useText()
  const move = useMove()
  const [sent, setSent] = useState<CodeSent>()
  const [asking, setAsking] = useState(false)
  const { uid, state, version, agreement, person, signingFailed } = renewal
  const shown = { expected: { state, version }, sha256: agreement!.sha256 }
  const mark = agreement!.sha256.slice(0, 8)

  async function ask() {
    setAsking(true)
    onFailure(undefined)
    try {
      setSent(await move(() => call(startAgreementSigning, { params: { uid }, body: shown })))
    } catch (error) {
      await endWith(error)
    } finally {
      setAsking(false)
    }
  }

  /** A wrong code is told at its field; what ends it is told above the button that sends another one. */
  async function sign(code: string) {
    try {
      onChanged(await move(() => call(signAgreement, { params: { uid }, body: { ...shown, code } })))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      const after = error.code === 'offline' ? await stateAfterAll(uid) : undefined
      if (after && after.state !== 'signing') onChanged(after)
      else if (endsTheCode.has(error.code)) await endWith(error)
      else throw error
    }
  }

  async function endWith(error: unknown) {
    if (!(error instanceof CallFailed)) throw error
    setSent(undefined)
    if (error.code === 'cancelled') return
    onFailure(error)
    // What is shown is not what lies there now.
    if (['signing-changed', 'agreement-not-ready', 'renewal-refused'].includes(error.code)) {
      const now = await stateAfterAll(uid)
      if (now) onChanged(now)
    }
  }

  /** A code whose time is over cannot be sent again, so another one is asked for. */
  async function resend() {
    try {
      setSent(await call(resendAgreementCode, { params: { uid }, body: shown }))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code === 'code-expired') setSent(await call(startAgreementSigning, { params: { uid }, body: shown }))
      else if (endsTheCode.has(error.code)) await endWith(error)
      else throw error
    }
  }

  return (
    <>
      <h2 className="h-s">{t({ pl: 'Podpisz kodem SMS', en: 'Sign with a text-message code' })}</h2>
      {signingFailed && !failure && !sent && (
        <Notice
          kind="err"
          role="alert"
          title={t({ pl: 'Umowa nie została podpisana', en: 'The agreement has not been signed' })}
        >
          {t({
            pl: 'Usługa podpisu nie złożyła podpisu. Wyślij nowy kod i\u00a0spróbuj jeszcze raz.',
            en: 'The signing service made no signature. Send a new code and try once more.',
          })}
        </Notice>
      )}
      {failure && <SigningFailure failure={failure} />}
      {sent ? (
        <Form schema={CodeForm} onSubmit={({ code }) => sign(code)} failures={{ other: 'code' }} summary={false}>
          <p className="soft">
            {t({
              pl: `Wysłaliśmy SMS nr\u00a0${sent.ordinal} na numer `,
              en: `We sent text message no.\u00a0${sent.ordinal} to `,
            })}
            <b>
              <MaskedPhone number={sent.to} />
            </b>
            .{' '}
            {t({
              pl: 'Sprawdź, czy jest w\u00a0nim oznaczenie dokumentu ',
              en: 'Check that it names the document as ',
            })}
            <b className="mono">{mark}</b>.
          </p>
          <FocusedOnce>
            <CodeField
              name="code"
              label={t({ pl: 'Kod z\u00a0SMS-a, 6 cyfr', en: 'Code from the text message, 6 digits' })}
              hint={t({ pl: 'Możesz wkleić cały kod.', en: 'You can paste the whole code.' })}
            />
          </FocusedOnce>
          <Submit block icon="pen" busyText={t({ pl: 'Podpisujemy…', en: 'Signing…' })}>
            {t({ pl: 'Podpisz umowę', en: 'Sign the agreement' })}
          </Submit>
          <CodeResend sent={sent} onResend={resend} anew />
        </Form>
      ) : (
        <>
          <p className="soft">
            {t({ pl: 'Wyślemy kod na numer ', en: 'We send a code to ' })}
            <b>
              <MaskedPhone number={person.maskedPhone} />
            </b>
            . {t({ pl: 'W\u00a0SMS-ie będzie oznaczenie dokumentu ', en: 'The message names the document as ' })}
            <b className="mono">{mark}</b>.
          </p>
          <Button variant="primary" block icon="send" busy={asking} onClick={() => void ask()}>
            {t({ pl: 'Wyślij kod SMS', en: 'Send the text-message code' })}
          </Button>
        </>
      )}
    </>
  )
}

/** Takes the focus when it comes, because the button that had it is gone. */
function FocusedOnce({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current!.querySelector('input')!.focus(), [])
  return <div ref={place}>{children}</div>
}

/** Whether it has moved on although the answer was lost, or what is there now instead. */
const stateAfterAll = (uid: string) => call(readRenewal, { params: { uid } }).catch(() => undefined)

/** Where a rule stands against it, what can be done is said too; the document is put right a step before (ux.md §3.4). */
function SigningFailure({ failure }: { failure: CallFailed }) {
  const t = useText()
  const locale = useLocale()
  const reason = failure.problem.reason as RenewalReason
  const words = failure.code === 'renewal-refused' && renewalReasonWords[reason]
  return (
    <Notice kind="err" role="alert" {...(words && { title: t(words.what) })}>
      {words ? (
        <>
          <p>{t(words.advice)}</p>
          {isCurable(reason) && (
            <p>
              {t({
                pl: 'Wróć do danych osobowych przyciskiem „Wstecz”.',
                en: 'Go back to the personal data with “Back”.',
              })}
            </p>
          )}
        </>
      ) : (
        describeFailure(locale, failure)
      )}
    </Notice>
  )
}

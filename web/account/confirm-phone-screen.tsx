import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { CodeForm, type CodeSent } from '../../contract/one-time-code.ts'
import { loginPath, safeReturnPath } from '../../contract/pages.ts'
import {
  confirmPhone,
  correctUnconfirmedPhone,
  readPhoneConfirmation,
  resendPhoneConfirmation,
  sendPhoneConfirmation,
  UnconfirmedPhoneForm,
  type PhoneConfirmation,
} from '../../contract/phone-confirmation.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { focusHeading, usePage } from '../app/page-title.ts'
import { useEnterPortal } from '../app/session.tsx'
import { call, hasFailedWith, onFailure, type ApiError } from '../calls/api.ts'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { PhoneField } from '../phone/phone-field.tsx'
import { CodeEntryForm } from '../step-up/code-entry.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { failureText } from '../text/failure-text.ts'
import { useAction } from '../ui/action.ts'
import { Button, type ButtonVariant } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const titles = {
  confirm: { pl: 'Potwierdź numer telefonu', en: 'Confirm your phone number' },
  correct: { pl: 'Popraw numer telefonu', en: 'Correct your phone number' },
}

type ConfirmationStep = 'send' | 'code' | 'correct'

/** Confirms the registered number by a code after the password, or corrects it (REG-6). Nothing is sent without a request. */
export function ConfirmPhoneScreen() {
  const t = useText()
  const enter = useEnterPortal()
  const { state, failed, run, retry } = useConfirmation()
  const [step, setStep] = useState<ConfirmationStep>()
  const shown = step ?? (state?.sent ? 'code' : 'send')
  const title = titles[shown === 'correct' ? 'correct' : 'confirm']
  usePage({ title })
  useEffect(focusHeading, [shown])

  async function send(request: () => Promise<PhoneConfirmation>) {
    await run(request)
    setStep('code')
  }

  return (
    <div className="auth__box" aria-busy={!state && !failed}>
      <h1>{t(title)}</h1>
      {!state && !failed && <Skeleton lines={4} />}
      {failed && (
        <>
          <FailureNotice text={explainFailure(t.locale, failed)} className="auth__notice" />
          <RetryButton onClick={retry} />
        </>
      )}
      {state && shown === 'send' && (
        <SendStep
          state={state}
          send={() => send(() => call(sendPhoneConfirmation))}
          onCorrect={() => setStep('correct')}
        />
      )}
      {state?.sent && shown === 'code' && (
        <CodeStep
          sent={state.sent}
          enter={(code) => run(async () => enter(await call(confirmPhone, { body: { code } })))}
          resend={() => send(() => call(resendPhoneConfirmation))}
          onCorrect={() => setStep('correct')}
        />
      )}
      {state && shown === 'correct' && (
        <CorrectStep
          correct={(phone) => send(() => call(correctUnconfirmedPhone, { body: { phone } }))}
          onBack={() => setStep(undefined)}
        />
      )}
    </div>
  )
}

/** Keeps the number as the server has it. Without the password step, or with a confirmed number, sends the customer to the login page. */
function useConfirmation() {
  const locale = useLocale()
  const back = safeReturnPath(new URLSearchParams(useLocation().search).get('returnTo'))
  const [state, setState] = useState<PhoneConfirmation>()
  const [failed, setFailed] = useState<ApiError>()
  const [round, setRound] = useState(0)

  /** Makes a call, and keeps the returned state of the number. */
  async function run(request: () => Promise<PhoneConfirmation | void>) {
    try {
      const answer = await request()
      if (answer) setState(answer)
    } catch (error) {
      if (!hasFailedWith(error, 'signed-out', 'state-passed')) throw error
      location.replace(loginPath(locale, { ...(error.code === 'signed-out' && { reason: 'session-ended' }), back }))
      await new Promise(() => {})
    }
  }

  useEffect(() => {
    setFailed(undefined)
    run(() => call(readPhoneConfirmation)).catch(onFailure([], setFailed))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked once, and again when the customer says so
  }, [round])

  return { state, failed, run, retry: () => setRound(round + 1) }
}

type SendStepProps = { state: PhoneConfirmation; send: () => Promise<void>; onCorrect: () => void }

/** Lets the customer check the number before anything is sent, because a code to a mistyped number is useless. */
function SendStep({ state, send, onCorrect }: SendStepProps) {
  const t = useText()
  const { run, isBusy, failure, failureText: whyNotSent } = useAction(send)
  const isSpent = failure?.code === 'phone-sends-spent'

  return (
    <>
      <p className="lede">
        {isSpent
          ? t({ pl: 'Twój numer to ', en: 'Your number is ' })
          : t({
              pl: 'Został jeszcze jeden krok. Wyślemy kod SMS na numer ',
              en: 'There’s one more step. We’ll send a text-message code to ',
            })}
        <b>
          <MaskedPhone number={state.phone} />
        </b>
        {isSpent
          ? '.'
          : t({
              pl: '. Na ten numer będziemy też wysyłać kody do logowania.',
              en: '. We’ll also send your sign-in codes to this number.',
            })}
      </p>
      {isSpent ? (
        <Notice kind="error" role="alert" className="auth__notice">
          <p>
            {t(failureText['phone-sends-spent'])} <AnswerLink to="number-not-confirmed" />
          </p>
          <CallButton />
        </Notice>
      ) : (
        <FailureNotice text={whyNotSent} className="auth__notice" />
      )}
      <div className="buttons--stack">
        {!isSpent && (
          <Button variant="primary" isWide isBusy={isBusy} onClick={run}>
            {t({ pl: 'Wyślij kod SMS', en: 'Send code' })}
          </Button>
        )}
        <CorrectButton variant={isSpent ? 'primary' : 'secondary'} onClick={onCorrect} />
      </div>
    </>
  )
}

type CodeStepProps = {
  sent: CodeSent
  enter: (code: string) => Promise<void>
  resend: () => Promise<void>
  onCorrect: () => void
}

function CodeStep({ sent, enter, resend, onCorrect }: CodeStepProps) {
  const t = useText()
  return (
    <Form schema={CodeForm} failures={{ other: 'code' }} summary={false} onSubmit={({ code }) => enter(code)}>
      <CodeEntryForm sent={sent} canRestart onResend={resend} />
      <div className="buttons--stack">
        <Submit isWide busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}>
          {t({ pl: 'Potwierdź numer', en: 'Confirm number' })}
        </Submit>
        <CorrectButton onClick={onCorrect} />
      </div>
    </Form>
  )
}

function CorrectButton({ variant, onClick }: { variant?: ButtonVariant; onClick: () => void }) {
  const t = useText()
  return (
    <Button variant={variant} isWide icon="edit" onClick={onClick}>
      {t({ pl: 'To nie mój numer', en: 'This isn’t my number' })}
    </Button>
  )
}

function CorrectStep({ correct, onBack }: { correct: (phone: string) => Promise<void>; onBack: () => void }) {
  const t = useText()
  return (
    <>
      <p className="lede">
        {t({ pl: 'Podaj numer, na który mamy wysyłać kody SMS.', en: 'Enter the number for your text-message codes.' })}
      </p>
      <Form
        schema={UnconfirmedPhoneForm}
        failures={{ other: 'phone' }}
        summary={false}
        onSubmit={({ phone }) => correct(phone)}
      >
        <PhoneField
          name="phone"
          label={t({ pl: 'Twój numer telefonu', en: 'Your phone number' })}
          hint={t({
            pl: 'Wyślemy na niego kod SMS. Numer możesz poprawić 3\u00a0razy w\u00a0ciągu doby.',
            en: 'We’ll send a text-message code to it. You can correct the number 3\u00a0times in 24\u00a0hours.',
          })}
        />
        <div className="buttons--stack">
          <Submit isWide busyText={t({ pl: 'Wysyłamy…', en: 'Sending…' })}>
            {t({ pl: 'Zapisz i\u00a0wyślij kod', en: 'Save and send code' })}
          </Submit>
          <Button isWide onClick={onBack}>
            {t({ pl: 'Wróć', en: 'Back' })}
          </Button>
        </div>
      </Form>
    </>
  )
}
